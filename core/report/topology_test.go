package report_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
)

// The topology is an object in no namespace, which patterns match by its name, and reports show as a place.
func TestFindingsAboutATopology(t *testing.T) {
	t.Parallel()
	found := rule.Finding{Rule: "MK712", Severity: rule.Error, Path: "pools[1].platform", Detail: "is too old"}
	for name, tt := range map[string]struct {
		provider string
		ignore   report.Ignore
		want     bool
	}{
		"the kind":                {"", report.Ignore{Resources: []string{"Topology"}}, true},
		"the kind, of a provider": {"prod", report.Ignore{Resources: []string{"Topology"}}, false},
		"the provider":            {"prod", report.Ignore{Resources: []string{"Topology/pr*"}}, true},
		"another provider":        {"dev", report.Ignore{Resources: []string{"Topology/pr*"}}, false},
		"all namespaces":          {"", report.Ignore{Namespaces: []string{"*"}}, false},
		"the rule":                {"", report.Ignore{Rules: []string{"MK712"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			policy := report.NewPolicy(rule.NewSet(), []report.Ignore{tt.ignore}, nil)
			if got := policy.Judge(report.TopologyOf(tt.provider), found).Suppressed; got != tt.want {
				t.Errorf("ignored: %t, want %t", got, tt.want)
			}
		})
	}
	r := report.Report{Program: "Pulumi.yaml", Findings: []report.Finding{
		{Finding: found, Object: report.TopologyOf("prod")},
	}}
	var sarif, quality strings.Builder
	if err := r.WriteSARIF(&sarif, rule.NewSet(rule.Rule{ID: "MK712"}), ""); err != nil {
		t.Fatal(err)
	}
	if want := `"fullyQualifiedName": "Topology/prod"`; !strings.Contains(sarif.String(), want) {
		t.Errorf("no %s in %s", want, &sarif)
	}
	other := r
	other.Findings = []report.Finding{{Finding: found, Object: report.TopologyOf("dev")}}
	var others strings.Builder
	if err := r.WriteCodeQuality(&quality, ""); err != nil {
		t.Fatal(err)
	}
	if err := other.WriteCodeQuality(&others, ""); err != nil {
		t.Fatal(err)
	}
	if fingerprint(quality.String()) == fingerprint(others.String()) {
		t.Errorf("the findings of two topologies have one fingerprint: %s", &quality)
	}
}

func fingerprint(text string) string {
	_, rest, _ := strings.Cut(text, `"fingerprint": "`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}
