package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// The parts of SARIF 2.1.0 that are used:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string       `json:"id"`
		ShortDescription     sarifText    `json:"shortDescription"`
		FullDescription      sarifText    `json:"fullDescription"`
		Help                 sarifText    `json:"help"`
		HelpURI              string       `json:"helpUri"`
		DefaultConfiguration sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		// PartialFingerprints distinguish results at the same line.
		PartialFingerprints map[string]string `json:"partialFingerprints"`
		// Suppressions are set for all results or for none, as the standard requires.
		Suppressions []sarifSuppression `json:"suppressions"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysicalLocation `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogicalLocation `json:"logicalLocations,omitempty"`
	}
	sarifLogicalLocation struct {
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	sarifPhysicalLocation struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

var sarifLevels = map[rule.Severity]string{rule.Error: "error", rule.Warning: "warning", rule.Info: "note"}

// WriteSARIF writes a report for code scanning: the rules and the findings. Suppressed findings are suppressed results.
// Paths below the directory root are written relative to it: code scanning expects paths relative to the repository. A
// finding without a file is reported at the first line of [Report.Program].
func (r *Report) WriteSARIF(w io.Writer, rules rule.Set, root string) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "mixedkube", InformationURI: "https://github.com/mixedkube/mixedkube"}},
		Invocations: []sarifInvocation{{
			ExecutionSuccessful:        len(r.Problems) == 0,
			ToolExecutionNotifications: r.notifications(root),
		}},
		Results: []sarifResult{},
	}
	index := map[string]int{}
	for i, of := range rules {
		index[of.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:                   of.ID,
			ShortDescription:     sarifText{of.Title},
			FullDescription:      sarifText{of.Reason},
			Help:                 sarifText{of.Reason + " Source: " + of.Source},
			HelpURI:              rule.URL(of.ID),
			DefaultConfiguration: sarifDefault{sarifLevels[of.Severity]},
		})
	}
	same := identities{}
	for _, f := range r.Findings {
		result := sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevels[f.Severity],
			Message:      sarifText{escape.SARIF(f.subject() + ": " + f.String())},
			Locations:    []sarifLocation{location(root, f.File, f.Line)},
			Suppressions: []sarifSuppression{},
		}
		if f.File == "" {
			result.Locations = []sarifLocation{r.ofResource(root, f)}
		}
		id := []string{f.subjectID(), f.Rule, f.Path}
		result.PartialFingerprints = map[string]string{
			"primaryLocationLineHash": sarifFingerprint(id, same.count(append(id, relative(root, f.File))...)),
		}
		if f.Suppressed {
			kind := "external"
			if f.SuppressedBy == ByObject {
				kind = "inSource"
			}
			result.Suppressions = append(result.Suppressions, sarifSuppression{kind, f.Reason})
		}
		run.Results = append(run.Results, result)
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// subject returns the kind and name of the object, or its resource if the name is not known.
func (f Finding) subject() string {
	if _, name, ok := f.urn(); ok && f.Name == "" {
		return join("/", f.Kind, name)
	}
	return f.Object.String()
}

func (r *Report) ofResource(root string, f Finding) sarifLocation {
	at := sarifLocation{}
	if r.Program != "" {
		at = location(root, r.Program, 1)
	}
	_, name, _ := f.urn()
	at.LogicalLocations = []sarifLogicalLocation{
		{cmp.Or(name, f.Object.String()), cmp.Or(f.Resource, f.Key()), "resource"},
	}
	return at
}

// sarifFingerprint returns the fingerprint of the n-th finding of the same identity, in the format of GitHub's code
// scanning. It would otherwise compute one from the text of the line, and merge findings of one rule at one line: those
// of a program, or of a template of a chart, may all be at one.
func sarifFingerprint(identity []string, n int) string {
	sum := sha256.Sum256([]byte(strings.Join(identity, "\x00")))
	return hex.EncodeToString(sum[:8]) + ":" + strconv.Itoa(n)
}

// notifications list the files that could not be read, and those that were found and not read.
func (r *Report) notifications(root string) []sarifNotification {
	list := []sarifNotification{}
	for _, n := range r.NotRead {
		list = append(list, sarifNotification{
			Level: "note", Message: sarifText{escape.SARIF(n.String())},
			Locations: []sarifLocation{location(root, n.File, 0)},
		})
	}
	for _, problem := range manifests.Flat(r.Problems) {
		one := sarifNotification{Level: "error", Message: sarifText{escape.SARIF(problem.Error())}}
		if inFile, ok := errors.AsType[*manifests.Error](problem); ok {
			one.Locations = []sarifLocation{location(root, inFile.File, inFile.Line)}
		}
		list = append(list, one)
	}
	return list
}

func location(root, file string, line int) sarifLocation {
	at := &sarifPhysicalLocation{ArtifactLocation: sarifArtifact{uri(root, file)}}
	if line > 0 {
		at.Region = &sarifRegion{line}
	}
	return sarifLocation{PhysicalLocation: at}
}

// uri returns the URI of a file, relative to root if the file is below root. A relative path stays unchanged.
func uri(root, file string) string {
	if relative, is := below(root, file); is {
		return (&url.URL{Path: relative}).String()
	}
	if filepath.IsAbs(filepath.FromSlash(file)) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}).String()
	}
	return (&url.URL{Path: file}).String()
}

// below returns an absolute path relative to root, or false if it is not below root.
func below(root, file string) (string, bool) {
	local := filepath.FromSlash(file)
	if !filepath.IsAbs(local) {
		return "", false
	}
	relative, err := filepath.Rel(root, local)
	return filepath.ToSlash(relative), err == nil && filepath.IsLocal(relative)
}
