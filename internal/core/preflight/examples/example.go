package examples

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
)

//go:embed MK*
var files embed.FS

// Example shows a rule.
type Example struct {
	// Topology, Plan and Images are the texts of the files that the example needs, empty if it needs none.
	Topology string `json:"topology"`
	Plan     string `json:"plan"`
	Images   string `json:"images"`
	// Wrong are objects that break the rule, and Right are the same objects after the fix. Both are empty for a rule
	// about the arguments of a component. Long lines of Wrong are shortened.
	Wrong string `json:"wrong"`
	// Findings are the findings of the rule about Wrong, with their severity. Long lines are shortened.
	Findings []string `json:"findings"`
	Right    string   `json:"right"`
	// Fix is the fix of the first finding.
	Fix string `json:"-"`
}

// Of returns the example of a rule about manifests or about Helm charts in a program, and false if the rule with this
// ID is another one. It checks the objects of the example.
func Of(id string) (Example, bool, error) {
	if slices.ContainsFunc(helmchart.Rules(), func(r rule.Rule) bool { return r.ID == id }) {
		var shown Example
		shown.add(chartFindings(), id)
		return shown, true, nil
	}
	if _, err := fs.Stat(files, id); err != nil {
		return Example{}, false, nil //nolint:nilerr // The rule is another one.
	}
	e, err := read(files, id)
	if err != nil {
		return Example{}, false, err
	}
	findings, err := e.findings(e.bad)
	if err != nil {
		return Example{}, false, fmt.Errorf("%s: %w", id, err)
	}
	shown := Example{
		Topology: e.topology, Plan: e.plan, Images: e.images, Wrong: abbreviate(e.bad), Right: e.good,
	}
	shown.add(findings, id)
	return shown, true, nil
}

func (e *Example) add(findings []preflight.Finding, id string) {
	for _, f := range findings {
		if f.Rule != id {
			continue
		}
		if len(e.Findings) == 0 {
			e.Fix = f.Fix
		}
		e.Findings = append(e.Findings, abbreviate(string(f.Severity)+": "+f.String()))
	}
}

// chartFindings returns the findings about resources of Helm in a Pulumi program, which preflight does not see.
func chartFindings() []rule.Finding {
	properties := map[string]any{
		"chart": "shop", "namespace": "shop", "repositoryOpts": map[string]any{"repo": "https://charts.example.com"},
	}
	var all []rule.Finding
	for _, resource := range []string{helmchart.ChartType, helmchart.ReleaseType} {
		all = append(all, helmchart.Check(resource, "shop", properties, nil)...)
	}
	return all
}

// longest is the limit for the length of a line, in bytes. Longer lines are reduced to their head and their tail: the
// tail is the part of a finding with the fix.
const (
	longest = 400
	head    = 100
	tail    = 200
)

// abbreviate shortens lines that are too long to read.
func abbreviate(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > longest {
			lines[i] = fmt.Sprintf("%s … %d bytes … %s", strings.ToValidUTF8(line[:head], ""), len(line)-head-tail,
				strings.ToValidUTF8(line[len(line)-tail:], ""))
		}
	}
	return strings.Join(lines, "\n")
}
