package cli

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/manifests"
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
		HelpURI              string       `json:"helpUri,omitempty"`
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
		// Suppressions are there for all results or for none, as the standard
		// wants it.
		Suppressions []sarifSuppression `json:"suppressions"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysicalLocation `json:"physicalLocation"`
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

var sarifLevels = map[preflight.Severity]string{
	preflight.Error: "error", preflight.Warning: "warning",
	preflight.Info: "note",
}

// writeSARIF writes what code scanning reads.
func writeSARIF(w io.Writer, r report) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "mixedkube", InformationURI: "https://github.com/mixedkube/mixedkube"}},
		Invocations: []sarifInvocation{{
			ExecutionSuccessful:        len(r.problems) == 0,
			ToolExecutionNotifications: notifications(r.problems),
		}},
		Results: []sarifResult{},
	}
	index := map[string]int{}
	for i, rule := range preflight.Rules() {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:                   rule.ID,
			ShortDescription:     sarifText{rule.Title},
			FullDescription:      sarifText{rule.Reason},
			Help:                 sarifText{rule.Reason + " Source: " + rule.Source},
			HelpURI:              address.FindString(rule.Source),
			DefaultConfiguration: sarifDefault{sarifLevels[rule.Severity]},
		})
	}
	for _, f := range r.findings {
		result := sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevels[f.Severity],
			Message:      sarifText{subject(f) + ": " + f.Finding.String()},
			Locations:    []sarifLocation{location(f.File, f.Line)},
			Suppressions: []sarifSuppression{},
		}
		if f.Silenced {
			result.Suppressions = append(result.Suppressions,
				sarifSuppression{"inSource", "annotation " + preflight.IgnoreAnnotation})
		}
		run.Results = append(run.Results, result)
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// address finds one in a rule's source, without what ends a sentence.
var address = regexp.MustCompile(`https://[^\s,;()]*[^\s,;().]`)

// notifications say what could not be read.
func notifications(problems []error) []sarifNotification {
	list := []sarifNotification{}
	for _, problem := range manifests.Flat(problems) {
		one := sarifNotification{Level: "error", Message: sarifText{problem.Error()}}
		if inFile, ok := errors.AsType[*manifests.Error](problem); ok {
			one.Locations = []sarifLocation{location(inFile.File, inFile.Line)}
		}
		list = append(list, one)
	}
	return list
}

func location(file string, line int) sarifLocation {
	var region *sarifRegion
	if line > 0 {
		region = &sarifRegion{line}
	}
	return sarifLocation{sarifPhysicalLocation{sarifArtifact{uri(file)}, region}}
}

// uri is relative to the working directory, where the path is below it: code
// scanning takes it as the repository's root.
func uri(file string) string {
	path := filepath.FromSlash(file)
	if filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err == nil {
			if relative, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(relative) {
				return (&url.URL{Path: filepath.ToSlash(relative)}).String()
			}
		}
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}).String()
	}
	return (&url.URL{Path: file}).String()
}
