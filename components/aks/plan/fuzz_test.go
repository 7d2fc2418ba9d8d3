package plan_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// FuzzCheckCluster holds what is true of every cluster: no panic, findings in
// order, each of a rule of the table, the same ones each time, and no password.
func FuzzCheckCluster(f *testing.F) {
	for _, e := range examples {
		c := good(e.bad)
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
		c.Options = tree.Map(tree.Normalize(c.Options))
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
				t.Errorf("no rule of the table: %s", f)
			}
			if f.Severity != rule.Severity && (!slices.Contains(changing, f.Rule) || f.Severity != preflight.Warning) {
				t.Errorf("severity %s of a rule of severity %s: %s", f.Severity, rule.Severity, f)
			}
			if f.Path == "" || f.Detail == "" || f.Fix == "" {
				t.Errorf("says too little: %s", f)
			}
		}
		if !slices.IsSortedFunc(findings,
			func(a, b preflight.Finding) int { return fielderrors.ComparePaths(a.Path, b.Path) }) {
			t.Errorf("not in the order of their paths: %v", findings)
		}
		if diff := cmp.Diff(texts(findings), texts(plan.CheckCluster(c))); diff != "" {
			t.Errorf("another result the second time:\n%s", diff)
		}
		// Whether the password is good changes what is said of it, and nothing else.
		others := slices.DeleteFunc(slices.Clone(findings),
			func(f preflight.Finding) bool { return f.Path == "windowsAdmin.password" })
		if diff := cmp.Diff(texts(without), texts(others)); diff != "" {
			t.Errorf("the password is in other findings:\n%s", diff)
		}
		for _, f := range findings {
			if f.Path == "windowsAdmin.password" && len(password) > 3 && strings.Contains(everyText(f), password) &&
				!strings.Contains(everyText(blank(f.Rule)), password) {
				t.Errorf("the password is shown: %s", f)
			}
		}
		for _, p := range c.Topology.Pools {
			plan.CheckPool(plan.Pool{
				KubernetesVersion: c.Topology.KubernetesVersion, Pool: p, Network: c.Network,
				Options: c.PoolOptions[p.Name],
			})
		}
	})
}

// blank is a finding of a rule for a password that says nothing, so that the words
// of the rule are not taken for a password.
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
