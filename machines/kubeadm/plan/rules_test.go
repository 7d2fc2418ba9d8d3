package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/examples"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", plan.Rules())
}

// wrongAdmins returns findings about administrators whose sentences are not those of the examples.
func wrongAdmins() []rule.Finding {
	return slices.Concat(plan.LinuxAdmin{}.Validate(),
		plan.WindowsAdmin{Username: strings.Repeat("a", 21), Password: "hushhushhushhush"}.Validate())
}

func TestInvalidAdministrators(t *testing.T) {
	t.Parallel()
	equal(t, "findings", []string{
		"linuxAdmin.sshPublicKey (MK655)", "windowsAdmin.password (MK658)", "windowsAdmin.username (MK656)",
	}, brief(wrongAdmins()))
}

func TestEachRuleHasAnExample(t *testing.T) {
	t.Parallel()
	for _, r := range plan.Rules() {
		e, exists := examples.Rules[r.ID]
		if !exists {
			t.Errorf("%s has none", r.ID)
			continue
		}
		bad := e.Bad()
		equal(t, r.ID, []string{e.Path + " (" + r.ID + ")"}, brief(bad))
		equal(t, r.ID+", which is fine", "", text(joined(e.Fine())))
		for _, f := range bad {
			equal(t, r.ID, []any{r.ID, r.Severity}, []any{f.Rule, f.Severity})
		}
		if r.Title == "" || !strings.HasSuffix(r.Reason, ".") || r.Source == "" {
			t.Errorf("%s is incomplete: %+v", r.ID, r)
		}
	}
	equal(t, "examples", len(plan.Rules()), len(examples.Rules))
}

// Rules cannot be ignored if no machine could be created without them, or if they keep values out
// of the scripts of nodes.
func TestRulesThatCannotBeIgnored(t *testing.T) {
	t.Parallel()
	var ignorable []string
	for _, r := range plan.Rules() {
		if !r.Mandatory {
			ignorable = append(ignorable, r.ID)
		}
	}
	want := []string{
		"MK645", "MK646", "MK648", "MK649", "MK656", "MK659", "MK662", "MK668", "MK669", "MK671", "MK672", "MK674",
		"MK676",
	}
	equal(t, "others", want, ignorable)
}

// A finding that can be ignored does not keep anything else from being checked.
func TestIgnoredFindingsHideNoOthers(t *testing.T) {
	t.Parallel()
	findings := good("", func(c *plan.Cluster) {
		c.Pools[0].Size, c.Pools[1].FIPS = "Standard_D4ps_v5", true
		c.PoolOptions["win23"] = plan.PoolOptions{}
		c.NodePortSources = []string{"office"}
		c.Releases = bootstrap.KnownReleases()
	}).Validate()
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	equal(t, "rules", []string{"MK645", "MK646", "MK648", "MK649", "MK661"}, slices.Compact(ids))
}

func TestRulesAreIndependent(t *testing.T) { //nolint:paralleltest // replaces the rules
	ruletest.Independent(t, plan.Checked, plan.Use, allChecks(t))
}
