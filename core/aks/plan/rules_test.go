package plan_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
)

func TestCheckCluster(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCluster(good(nil)))
	for _, e := range examples.Clusters() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, plan.CheckCluster(good(e.Bad)), e.Want...)
			wantFindings(t, plan.CheckCluster(good(e.Fine)))
		})
	}
}

// changing are the rules whose findings can have another severity than the rule. Some are errors only if there are
// Windows pools. Some are errors if the configuration cannot work, and warnings if it is no longer supported. Some are
// errors for misspelled names, and warnings for names that may be new or are new in Azure. For some, the sources do
// not agree.
var changing = []string{
	"MK705", "MK707", "MK722", "MK723", "MK724", "MK725", "MK733", "MK748", "MK757", "MK762", "MK792", "MK864",
}

// inAzure are the rules about clusters that were looked up in Azure, which have their own tests.
var inAzure = []string{
	"MK769", "MK770", "MK775", "MK776", "MK777", "MK778", "MK779", "MK787", "MK788", "MK795", "MK796", "MK797",
	"MK798", "MK850", "MK851", "MK854", "MK855", "MK856", "MK857", "MK858", "MK859", "MK860", "MK861", "MK862",
	"MK880", "MK888",
	"MK740", "MK780", "MK812", "MK813", "MK814", "MK815", "MK892", "MK894", "MK906",
}

func TestEachRuleHasAnExampleAndEachFindingARule(t *testing.T) {
	t.Parallel()
	rules := map[string]preflight.Rule{}
	severities := map[string]map[preflight.Severity]bool{}
	neighbors := map[string]bool{}
	for _, rule := range plan.Rules() {
		if slices.Contains(inAzure, rule.ID) {
			continue
		}
		rules[rule.ID] = rule
		severities[rule.ID] = map[preflight.Severity]bool{}
	}
	for _, e := range examples.Clusters() {
		for _, f := range plan.CheckCluster(good(e.Bad)) {
			if _, ok := rules[f.Rule]; !ok {
				t.Errorf("the rule is not in the table: %s", f)
				continue
			}
			severities[f.Rule][f.Severity] = true
			neighbors[f.Rule] = neighbors[f.Rule] || e.Fine != nil
			if f.Type != "" {
				t.Errorf("the finding has the type of an error of the API server: %s", f)
			}
		}
	}
	for id, found := range severities {
		if !neighbors[id] {
			t.Errorf("%s: no example of a cluster without findings", id)
		}
		want := map[preflight.Severity]bool{rules[id].Severity: true}
		if slices.Contains(changing, id) {
			want = map[preflight.Severity]bool{preflight.Error: true, preflight.Warning: true}
		}
		if !maps.Equal(found, want) {
			t.Errorf("%s: findings of the severities %v, want %v", id, found, want)
		}
	}
}

func TestRulesAreComplete(t *testing.T) {
	t.Parallel()
	for _, rule := range plan.Rules() {
		if rule.Severity == "" || rule.Title == "" || rule.Reason == "" || !strings.HasPrefix(rule.Source, "https://learn.microsoft.com/") {
			t.Errorf("incomplete: %+v", rule)
		}
	}
}

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	of := support.Rules()
	ruletest.Listed(t, ".", slices.DeleteFunc(plan.Rules(), func(r rule.Rule) bool {
		_, shared := of.Find(r.ID)
		return shared
	}))
	ruletest.Listed(t, "../support", of)
}

func TestRulesAreIndependent(t *testing.T) { //nolint:paralleltest // replaces the rules
	ruletest.Independent(t, plan.Checked, plan.Use, allChecks())
}
