package azure

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/components/preflight"
)

var (
	networkModes    = []string{string(Overlay), string(PodSubnet), string(NodeSubnet)}
	linuxPolicies   = []string{string(AzurePolicy), string(CiliumPolicy)}
	isolatedTypes   = []string{string(NoOutbound), string(BlockedOutbound)}
	networkPolicies = []string{string(NoPolicy), string(CalicoPolicy), string(AzurePolicy), string(CiliumPolicy)}
	outboundTypes   = []string{
		string(LoadBalancer), string(ManagedNATGateway), string(UserAssignedNATGateway), string(UserDefinedRouting),
		string(NoOutbound), string(BlockedOutbound),
	}
)

func (c *check) checkNetwork() {
	if mode := string(c.network.Mode); mode != "" && !slices.Contains(networkModes, mode) {
		fix, _ := meant(mode, networkModes, networkModes)
		c.report("MK721", problem{path: "network.mode", value: mode, detail: "not a network mode that Windows nodes can be in", fix: fix})
	}
	const profile = "options.networkProfile."
	c.plugin(profile+"networkPlugin", open(option(c.options, "networkProfile.networkPlugin")))
	c.dataplane(profile+"networkDataplane", open(option(c.options, "networkProfile.networkDataplane")))
	c.policy("network.policy", c.network.Policy)
	c.unknownValue("network.policy", string(c.network.Policy), "a network policy engine", networkPolicies, linuxPolicies)
	c.outboundType("network.outboundType", c.network.OutboundType)
}

func (c *check) outboundType(path string, outbound OutboundType) {
	if outbound == ManagedNATGatewayV2 {
		c.report("MK725", problem{
			severity: preflight.Warning, path: path, value: string(outbound),
			detail: "some preview versions of Azure's API have it, and no other", fix: "use " + string(ManagedNATGateway),
		})
		return
	}
	c.isolated(path, string(outbound))
	c.unknownValue(path, string(outbound), "an outbound type", outboundTypes, isolatedTypes)
}

func (c *check) plugin(path, plugin string) {
	if plugin == "kubenet" || plugin == "none" {
		c.report("MK722", c.neverWindows(problem{path: path, value: plugin, fix: "remove it, so that it is azure"}, "Windows nodes need Azure CNI"))
	}
}

func (c *check) dataplane(path, dataplane string) {
	if dataplane == "cilium" {
		c.report("MK723", c.neverWindows(problem{path: path, value: dataplane, fix: "remove it, so that it is azure"}, "Cilium has no Windows nodes"))
	}
}

// neverWindows is an error if there are Windows pools, and else a warning.
func (c *check) neverWindows(p problem, why string) problem {
	if at, ok := c.windowsPool(); ok {
		p.detail = fmt.Sprintf("%s, and %s is a Windows pool", why, at)
	} else {
		p.severity = preflight.Warning
		p.detail = why + ", so that the cluster can never have any"
	}
	return p
}

func (c *check) policy(path string, policy NetworkPolicy) {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	found := problem{path: path, value: string(policy), fix: "use calico or none"}
	switch policy {
	case AzurePolicy:
		found.severity = preflight.Warning
		found.detail = fmt.Sprintf("Microsoft has not supported it on Windows nodes since 2026-09-30, and %s is a Windows pool", at)
	case CiliumPolicy:
		found.detail = fmt.Sprintf("does not run on Windows nodes, and %s is a Windows pool", at)
	default:
		return
	}
	c.report("MK724", found)
}

// unknownValue takes the values that there are, and those of them that Windows
// nodes cannot use.
func (c *check) unknownValue(path, value, what string, known, notWindows []string) {
	if value == "" || slices.Contains(known, value) {
		return
	}
	usable := known
	if _, ok := c.windowsPool(); ok {
		usable = slices.DeleteFunc(slices.Clone(known), func(s string) bool { return slices.Contains(notWindows, s) })
	}
	c.report("MK725", unknownWord(path, value, what, known, usable))
}
