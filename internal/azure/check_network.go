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
	for path, policy := range c.both("policy", string(c.network.Policy), "networkPolicy") {
		c.policy(path, policy)
		c.unknownValue(path, policy, "a network policy engine", networkPolicies, linuxPolicies)
	}
	for path, outbound := range c.both("outboundType", string(c.network.OutboundType), "outboundType") {
		c.isolated(path, outbound)
		c.unknownValue(path, outbound, "an outbound type", outboundTypes, isolatedTypes)
	}
}

// both are the two places in which a value can be, where it is known.
func (c *check) both(argument, value, key string) map[string]string {
	return map[string]string{
		"network." + argument:           value,
		"options.networkProfile." + key: open(option(c.options, "networkProfile."+key)),
	}
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

func (c *check) policy(path, policy string) {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	var why string
	switch NetworkPolicy(policy) {
	case AzurePolicy:
		why = "not supported on Windows nodes any more since 2026-09-30"
	case CiliumPolicy:
		why = "not on Windows nodes"
	default:
		return
	}
	c.report("MK724", problem{path: path, value: policy, detail: fmt.Sprintf("%s, and %s is a Windows pool", why, at), fix: "use calico or none"})
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
