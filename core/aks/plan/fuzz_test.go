package plan_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// FuzzCheckCluster checks any cluster. CheckCluster does not panic, and returns the same findings each time. They are
// sorted, each has a rule of the table, and none contains the password.
func FuzzCheckCluster(f *testing.F) {
	for _, e := range examples.Clusters() {
		c := good(e.Bad)
		password, _ := tree.Reveal(c.WindowsAdmin.Password).(string)
		c.WindowsAdmin.Password = nil
		if text, err := json.Marshal(c); err == nil {
			f.Add(text, password)
		}
	}
	f.Add([]byte(`{"Topology": {"Pools": [{}, {}]}, "PoolOptions": {"": {"Options": {"kubeletConfig": {"": 1}}}}}`),
		"\xff")
	rules := map[string]preflight.Rule{}
	for _, rule := range plan.Rules() {
		rules[rule.ID] = rule
	}
	f.Fuzz(func(t *testing.T, text []byte, password string) {
		var c plan.Cluster
		if json.Unmarshal(text, &c) != nil {
			return
		}
		c.Topology, c.Options = c.Topology.WithDefaults(), tree.Map(tree.Normalize(c.Options))
		for name, o := range c.PoolOptions {
			o.Options = tree.Map(tree.Normalize(o.Options))
			c.PoolOptions[name] = o
		}
		c.WindowsAdmin.Password = tree.Unknown{}
		without := plan.CheckCluster(c)
		c.WindowsAdmin.Password = password
		findings := plan.CheckCluster(c)
		for _, f := range findings {
			rule, known := rules[f.Rule]
			if !known {
				t.Errorf("the rule is not in the table: %s", f)
			}
			if f.Severity != rule.Severity && (!slices.Contains(changing, f.Rule) || f.Severity != preflight.Warning) {
				t.Errorf("severity %s of a rule of severity %s: %s", f.Severity, rule.Severity, f)
			}
			if f.Path == "" || f.Detail == "" || f.Fix == "" {
				t.Errorf("incomplete: %s", f)
			}
		}
		if !slices.IsSortedFunc(findings,
			func(a, b preflight.Finding) int { return fielderrors.ComparePaths(a.Path, b.Path) }) {
			t.Errorf("not sorted by path: %v", findings)
		}
		if diff := cmp.Diff(findings, plan.CheckCluster(c)); diff != "" {
			t.Errorf("the second result differs:\n%s", diff)
		}
		// The password affects only the findings about the password.
		others := slices.DeleteFunc(slices.Clone(findings),
			func(f preflight.Finding) bool { return f.Path == "windowsAdmin.password" })
		if diff := cmp.Diff(without, others, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the password affects other findings:\n%s", diff)
		}
		for _, f := range findings {
			if f.Path == "windowsAdmin.password" && len(password) > 3 && strings.Contains(everyText(f), password) &&
				!strings.Contains(everyText(blank(f.Rule)), password) {
				t.Errorf("the password is shown: %s", f)
			}
		}
		for _, p := range c.Topology.Pools {
			plan.CheckPool(plan.Pool{
				KubernetesVersion: c.Topology.KubernetesVersion,
				Pool:              p.WithDefaults(c.Topology.KubernetesVersion),
				Network:           c.Network, Options: c.PoolOptions[p.Name],
			})
		}
	})
}

// blank returns a finding of a rule for another password, so that words of the rule itself do not count as the
// password.
func blank(rule string) preflight.Finding {
	for _, bad := range []string{"", "abc@123"} {
		for _, f := range plan.CheckCluster(good(func(c *plan.Cluster) { c.WindowsAdmin.Password = bad })) {
			if f.Rule == rule {
				return f
			}
		}
	}
	return preflight.Finding{}
}
