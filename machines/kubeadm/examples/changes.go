package examples

import (
	"net/netip"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// Size is the size of the machines of the pools.
const Size = "Standard_D4s_v5"

// Releases returns the known releases with made-up hashes for those that are missing.
func Releases() bootstrap.Releases {
	hashes := map[string]string{}
	for _, d := range bootstrap.KnownReleases().All() {
		if d.SHA256 == "" {
			hashes[d.URL] = strings.Repeat("0", 64)
		}
	}
	r, errs := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(errs) > 0 {
		panic(errs.ToAggregate())
	}
	return r
}

// Prints returns fingerprints of one kind of key.
func Prints(text string) map[pki.Kind]string { return map[pki.Kind]string{pki.EtcdCA: text} }

// Good returns a valid cluster, changed by change.
func Good(kind network.Kind, change func(c *plan.Cluster)) plan.Defaulted {
	c := plan.Cluster{
		Name: "shop", KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: 2, Size: Size},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: Size},
		},
		PoolOptions: map[string]plan.PoolOptions{},
		Network:     network.Network{Kind: kind},
		Releases:    Releases(),
	}
	if change != nil {
		change(&c)
	}
	return c.WithDefaults()
}

// Joining returns a valid pool, changed by change.
func Joining(change func(j *plan.Joining)) plan.DefaultedJoining {
	j := plan.Joining{
		Name: "shop", KubernetesVersion: "1.36",
		Pool:          topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: Size},
		Network:       network.Network{NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Endpoint:      "api.example.com:6443",
		CACertHashes:  []string{"sha256:" + strings.Repeat("0", 64)},
		Releases:      Releases(),
		ResourceGroup: true, Subnet: true, RouteTable: true, Token: true,
	}
	if change != nil {
		change(&j)
	}
	return j.WithDefaults()
}

// First applies a change to the first pool, which is Linux, and [Second] to the other one.
func First(change func(p *topology.Pool)) func(*plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Pools[0]) }
}

// Second applies a change to the second pool, which is Windows.
func Second(change func(p *topology.Pool)) func(*plan.Cluster) {
	return func(c *plan.Cluster) { change(&c.Pools[1]) }
}

// Image sets the image of the machines of the second pool.
func Image(i plan.Image) func(*plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{Image: i} }
}

// Security sets how Azure protects the machines of the second pool.
func Security(s plan.Security) func(*plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{Security: s} }
}

// Patching sets who updates the machines of the second pool.
func Patching(p plan.Patching) func(*plan.Cluster) {
	return func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{Patching: p} }
}

// Ranges sets the range of the nodes.
func Ranges(cidr string) func(*plan.Cluster) {
	return func(c *plan.Cluster) { c.Network.NodeCIDR = netip.MustParsePrefix(cidr) }
}
