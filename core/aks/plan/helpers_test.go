package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// goodPassword is a password that Azure accepts.
const goodPassword = "correct-Horse7battery"

// good returns a cluster without findings, with a change.
func good(change func(c *plan.Cluster)) plan.Cluster {
	c := plan.Cluster{
		Topology: topology.Defaulted{Topology: topology.Topology{
			KubernetesVersion: "1.36",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
				{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
			},
		}},
		Network:      plan.Network{Mode: plan.Overlay, Policy: plan.CalicoPolicy, OutboundType: plan.LoadBalancer},
		WindowsAdmin: plan.WindowsAdmin{Username: "azureuser", Password: tree.Secret{Value: goodPassword}},
		PoolOptions:  map[string]plan.PoolOptions{},
	}
	if change != nil {
		change(&c)
	}
	c.Topology = c.Topology.WithDefaults()
	return c
}

// system returns a change of the system pool of the good cluster, and windows a change of its Windows pool.
func system(change func(p *topology.Pool)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Topology.Pools[0]) }
}

func windows(change func(p *topology.Pool)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Topology.Pools[1]) }
}

// platforms returns a change of the platform of the second pool and of the version of the cluster.
func platforms(p platform.Platform, version string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Topology.KubernetesVersion = version
		c.Topology.Pools[1].Platform = p
		c.Topology.Pools[1].FIPS = p == platform.WindowsServer2025
		if p == platform.WindowsServer2025 { // Calico of AKS does not run there
			c.Network.Policy = ""
		}
	}
}

// linuxOnly removes the Windows pool.
func linuxOnly(c *plan.Cluster) { c.Topology.Pools = c.Topology.Pools[:1] }

// both returns a change that makes two changes.
func both(first, second func(c *plan.Cluster)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { first(c); second(c) }
}

// options returns a change of the options of the cluster, and poolOptions a change of the options of a pool.
func options(o map[string]any) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Options = o }
}

func poolOptions(name string, o map[string]any) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions[name] = plan.PoolOptions{Options: o} }
}

func network(n plan.Network) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Network = n }
}

// wantFindings compares severities, paths and rules: testdata/sentences.txt has the sentences.
func wantFindings(t *testing.T, got []preflight.Finding, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, brief(got)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// brief returns findings without their sentences.
func brief(findings []preflight.Finding) []string {
	var texts []string
	for _, f := range findings {
		texts = append(texts, string(f.Severity)+": "+ruletest.Brief(f))
	}
	return texts
}

type obj = map[string]any
