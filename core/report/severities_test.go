package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
)

func TestSeveritiesReplaceThoseOfRules(t *testing.T) {
	t.Parallel()
	severities := report.Severities{"MK118": rule.Info, "MK302": rule.Error}
	for _, tt := range []struct {
		id        string
		own, want rule.Severity
	}{
		{"MK118", rule.Error, rule.Info},
		{"MK302", rule.Warning, rule.Error},
		{"MK303", rule.Warning, rule.Warning},
		{"", rule.Error, rule.Error},
	} {
		if got := severities.Apply(rule.Finding{Rule: tt.id, Severity: tt.own}).Severity; got != tt.want {
			t.Errorf("%s of %s is %s, want %s", tt.own, tt.id, got, tt.want)
		}
	}
	found := rule.Finding{Rule: "MK118", Severity: rule.Error}
	if got := report.Severities(nil).Apply(found); got.Severity != rule.Error {
		t.Errorf("without severities it is %s", got.Severity)
	}
}

func TestValidateSeverities(t *testing.T) {
	t.Parallel()
	rules := rule.NewSet(rule.Rule{ID: "MK118"}, rule.Rule{ID: "MK640", Mandatory: true})
	var got []string
	for _, err := range report.ValidateSeverities(field.NewPath("severities"), rules, report.Severities{
		"MK118": rule.Warning, "MK181": rule.Error, "MK640": rule.Info, "MK900": "warn", "": rule.Error,
	}) {
		got = append(got, err.Error())
	}
	want := []string{
		`severities[]: Invalid value: "": is not a rule: remove it`,
		`severities[MK181]: Invalid value: "MK181": is not a rule: remove it, or did you mean MK118?`,
		`severities[MK640]: Invalid value: "MK640": the component relies on this rule: remove it`,
		`severities[MK900]: Invalid value: "MK900": is not a rule: remove it`,
		`severities[MK900]: Invalid value: "warn": unknown severity (use error, warning or info): ` +
			`to suppress its findings, ignore it`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
