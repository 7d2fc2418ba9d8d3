package rule_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	aks "github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	kubeadm "github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// Each ID belongs to one rule, even across packages.
func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for name, rules := range map[string][]rule.Rule{
		"preflight": preflight.Rules(), "aks": aks.Rules(),
		"kubeadm": kubeadm.Rules(), "guard": helmchart.Rules(),
	} {
		for _, r := range rules {
			if other, again := of[r.ID]; again {
				t.Errorf("%s is a rule of %s and of %s", r.ID, other, name)
			}
			of[r.ID] = name
		}
	}
}

func TestRulesOfVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule  rule.Rule
		minor int
		want  rule.Severity // "" if the rule does not apply
	}{
		{rule.Rule{Severity: rule.Error}, 0, rule.Error},
		{rule.Rule{Severity: rule.Error}, 36, rule.Error},
		{rule.Rule{Severity: rule.Error, Since: "1.34"}, 33, ""},
		{rule.Rule{Severity: rule.Error, Since: "1.34"}, 34, rule.Error},
		{rule.Rule{Severity: rule.Error, Since: "1.34"}, 0, rule.Warning},
		{rule.Rule{Severity: rule.Error, Since: "1.33"}, 0, rule.Error},
		{rule.Rule{Severity: rule.Info, Since: "1.34"}, 0, rule.Info},
		{rule.Rule{Severity: rule.Error, Until: "1.35"}, 35, rule.Error},
		{rule.Rule{Severity: rule.Error, Until: "1.35"}, 36, ""},
		{rule.Rule{Severity: rule.Error, Until: "1.35"}, 0, rule.Warning},
		{rule.Rule{Severity: rule.Error, Since: "1.34", Until: "1.35"}, 33, ""},
	} {
		t.Run(fmt.Sprintf("%s since %q until %q on %d", tt.rule.Severity, tt.rule.Since, tt.rule.Until, tt.minor),
			func(t *testing.T) {
				t.Parallel()
				got, holds := tt.rule.For(tt.minor)
				if holds != (tt.want != "") || holds && got.Severity != tt.want {
					t.Errorf("%s, %t; want %q", got.Severity, holds, tt.want)
				}
			})
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	tooLong := rule.Rule{ID: "MK2", Severity: rule.Error}
	malformed := rule.Rule{ID: "MK1", Severity: rule.Error}
	var findings rule.Findings
	findings.Report(tooLong,
		rule.Problem{Path: "pools[10].name", Value: "windows", Detail: "7 characters", Fix: "use 5"},
		rule.Problem{Path: "pools[2].name", Value: 7, Detail: "long", Severity: rule.Warning},
	)
	findings.Report(malformed)
	findings.Report(malformed,
		rule.Problem{Path: "pools[2].name", Type: field.ErrorTypeInvalid, Value: "-", Detail: "malformed"},
		rule.Problem{Detail: "no pools", Fix: "add one"},
	)
	findings.Sort()
	findings.Suppress([]string{"MK1"})
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s, blocks %t: %s", f.Severity, f.Blocks(), f))
	}
	want := []string{
		"error, blocks false: no pools: add one (MK1)",
		`error, blocks false: pools[2].name: Invalid value: "-": malformed (MK1)`,
		"warning, blocks false: pools[2].name: 7: long (MK2)",
		`error, blocks true: pools[10].name: "windows": 7 characters: use 5 (MK2)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if findings[1].SameAs(findings[2]) || findings[2].SameAs(findings[3]) ||
		!findings[2].SameAs(rule.Finding{Rule: "MK2", Path: "pools[2].name"}) {
		t.Error("findings are the same if rule and path are")
	}
}

func TestFindingAsError(t *testing.T) {
	t.Parallel()
	err := error(&rule.FindingError{Finding: rule.Finding{
		Rule: "MK1", Path: "name", Value: strings.Repeat("x", 501), Detail: "too long", Fix: "use less",
	}})
	short := strings.Repeat("x", 100) + "… (501 bytes)"
	if want := `name: "` + short + `": too long: use less (MK1)`; err.Error() != want {
		t.Errorf("%s\nwant %s", err, want)
	}
	wrapped, ok := errors.AsType[*field.Error](err)
	if want := field.Invalid(field.NewPath("name"), short, "too long"); !ok || !cmp.Equal(want, wrapped, cmp.FilterPath(
		func(p cmp.Path) bool { return p.String() == "Origin" }, cmp.Ignore())) {
		t.Errorf("%v, want %v", wrapped, want)
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	set := rule.NewSet(rule.Rule{ID: "MK703", Title: "third"}, rule.Rule{ID: "MK701"}, rule.Rule{ID: "MK712"})
	var ids []string
	for _, r := range set {
		ids = append(ids, r.ID)
	}
	if want := []string{"MK701", "MK703", "MK712"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	if r, found := set.Find("MK703"); !found || r.Title != "third" {
		t.Errorf("%+v, %t", r, found)
	}
	if r, found := set.Find("MK704"); found {
		t.Errorf("there is no MK704: %+v", r)
	}
	if id, found := set.Nearest("MK721"); !found || id != "MK701" {
		t.Errorf("%s, %t", id, found)
	}
	if id, found := set.Nearest("mk7012"); !found || id != "MK701" {
		t.Errorf("%s, %t", id, found)
	}
	for _, far := range []string{"tree", "MK999", "MK739"} {
		if id, found := set.Nearest(far); found {
			t.Errorf("%s is not near %s", id, far)
		}
	}
}
