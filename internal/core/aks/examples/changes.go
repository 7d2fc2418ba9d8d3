package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// GoodPassword is a password that Azure accepts.
const GoodPassword = "correct-Horse7battery"

// Good returns a cluster without findings, with a change.
func Good(change func(c *plan.Cluster)) plan.Cluster {
	c := plan.Cluster{
		Topology: topology.Defaulted{Topology: topology.Topology{
			KubernetesVersion: "1.36",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
				{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
			},
		}},
		Network:      plan.Network{Mode: plan.Overlay, Policy: plan.CalicoPolicy, OutboundType: plan.LoadBalancer},
		WindowsAdmin: plan.WindowsAdmin{Username: "azureuser", Password: tree.Secret{Value: GoodPassword}},
		PoolOptions:  map[string]plan.PoolOptions{},
	}
	if change != nil {
		change(&c)
	}
	c.Topology = c.Topology.WithDefaults()
	return c
}

// System returns a change of the system pool of the good cluster.
func System(change func(p *topology.Pool)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Topology.Pools[0]) }
}

// Windows returns a change of its Windows pool.
func Windows(change func(p *topology.Pool)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Topology.Pools[1]) }
}

// Platforms returns a change of the platform of the second pool and of the version of the cluster.
func Platforms(p platform.Platform, version string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Topology.KubernetesVersion = version
		c.Topology.Pools[1].Platform = p
		c.Topology.Pools[1].FIPS = p == platform.WindowsServer2025
		if p == platform.WindowsServer2025 { // Calico of AKS does not run there
			c.Network.Policy = ""
		}
	}
}

// LinuxOnly removes the Windows pool.
func LinuxOnly(c *plan.Cluster) { c.Topology.Pools = c.Topology.Pools[:1] }

// Both returns a change that makes two changes.
func Both(first, second func(c *plan.Cluster)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { first(c); second(c) }
}

// Options returns a change of the options of the cluster.
func Options(o map[string]any) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Options = o }
}

func tags(o obj) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Tags = o }
}

// PoolOptions returns a change of the options of a pool.
func PoolOptions(name string, o map[string]any) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions[name] = plan.PoolOptions{Options: o} }
}

// Network returns a change of the network.
func Network(n plan.Network) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Network = n }
}

type obj = map[string]any
