package plan

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
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

var networkModeUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK721", Severity: rule.Error, Title: "an unknown network mode",
		Page:   rulepages.AKS,
		Reason: "Windows nodes need Azure CNI in one of three modes: overlay, pod-subnet and node-subnet.",
		Source: networkPage,
	},
	Checks: []engine.Check{engine.On(networks, func(n network) []rule.Problem {
		mode := string(n.network.Mode)
		if mode == "" || slices.Contains(networkModes, mode) {
			return nil
		}
		fix, _ := suggestion(mode, networkModes, networkModes)
		return []rule.Problem{{
			Path: "network.mode", Value: mode, Detail: "not a network mode for Windows nodes", Fix: fix,
		}}
	})},
}

var networkValueUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK725", Severity: rule.Error, Title: "a value that this library does not know",
		Page: rulepages.AKS,
		Reason: "A value that is close to a known one is probably misspelled. Any other value may be new in Azure, " +
			"so it is a warning. The same is true of managedNATGatewayV2, which only preview versions of the API " +
			"have.",
		Source: clusterAPI + ", " + aks + "egress-outboundtype, " + staticBlockPage,
	},
	Checks: []engine.Check{engine.On(networks, unknownValues), engine.On(networks, unknownModes)},
}

var pluginWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK722", Severity: rule.Error, Title: "a network plugin that Windows nodes cannot use",
		Page: rulepages.AKS,
		Reason: "Windows nodes need Azure CNI. A cluster with kubenet can move to Azure CNI Overlay, with a command " +
			"of Azure; a cluster with a network plugin of its own cannot. Without Windows pools it is a warning.",
		Fix:    "remove it to use azure",
		Source: windowsFAQPage + ", " + aks + "update-azure-cni",
	},
	Checks: []engine.Check{engine.On(networks, func(n network) []rule.Problem {
		const path = "networkProfile.networkPlugin"
		plugin := open(option(n.options, path))
		then, fix := "so the cluster can never have any", anotherCluster
		switch {
		case strings.EqualFold(plugin, "kubenet"):
			then = "so the cluster has to move to Azure CNI Overlay before it can have any"
			fix = "move the cluster first: az aks update --network-plugin azure --network-plugin-mode overlay"
		case !strings.EqualFold(plugin, "none"):
			return nil
		}
		return []rule.Problem{n.withoutWindows(rule.Problem{
			Path: "options." + path, Value: plugin, Fix: n.fixOfOthers(fix),
		},
			"Windows nodes need Azure CNI", then)}
	})},
}

var dataplaneWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK723", Severity: rule.Error, Title: "the Cilium dataplane, which Windows nodes cannot use",
		Page: rulepages.AKS,
		Reason: "Cilium needs the Linux kernel. Azure changes the dataplane of a cluster to cilium, and documents " +
			"no way back, so a cluster without Windows pools can never have any, which is a warning.",
		Fix:    "remove it to use azure",
		Source: aks + "azure-cni-powered-by-cilium, " + aks + "update-azure-cni",
	},
	Checks: []engine.Check{engine.On(networks, func(n network) []rule.Problem {
		const path = "networkProfile.networkDataplane"
		if open(option(n.options, path)) != "cilium" {
			return nil
		}
		return []rule.Problem{n.withoutWindows(rule.Problem{
			Path: "options." + path, Value: "cilium", Fix: n.fixOfOthers(anotherCluster),
		},
			"Cilium does not run on Windows nodes", "so the cluster can never have any")}
	})},
}

// fixOfOthers returns a fix for a cluster that the program does not manage. Any other has the fix of the rule.
func (c *cluster) fixOfOthers(fix string) string {
	if !c.ofOthers {
		return ""
	}
	return fix
}

// withoutWindows completes a problem that is an error if there are Windows pools, and else a warning about what follows.
func (c *cluster) withoutWindows(p rule.Problem, why, then string) rule.Problem {
	if at, ok := c.windowsPool(); ok {
		p.Detail = fmt.Sprintf("%s, and %s is a Windows pool", why, at)
	} else {
		p.Severity = rule.Warning
		p.Detail = why + ", " + then
	}
	return p
}

var policyWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK724", Severity: rule.Error, Title: "a network policy engine that Windows nodes cannot use",
		Page: rulepages.AKS,
		Reason: "Calico enforces network policies on Windows Server 2019 and 2022 nodes, Cilium does not. Azure's " +
			"own was a preview there, and its support ended on " + azurePolicyEnds + ". Azure's engine is a warning, " +
			"because it may continue to work in a cluster that has it. The same is true of Calico with Windows " +
			"Server 2025, which AKS does not list: policies have no effect on pods there.",
		Source: policyPage,
	},
	Checks: []engine.Check{engine.On(networks, policyOfLinux)},
}

func policyOfLinux(n network) []rule.Problem {
	at, ok := n.windowsPool()
	if !ok {
		return nil
	}
	policy := n.network.Policy
	found := rule.Problem{Path: "network.policy", Value: string(policy), Fix: "use calico or none"}
	switch policy {
	case AzurePolicy:
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("Microsoft has not supported it on Windows nodes since %s, and %s is a Windows pool",
			azurePolicyEnds, at)
	case CiliumPolicy:
		found.Detail = fmt.Sprintf("does not run on Windows nodes, and %s is a Windows pool", at)
	case CalicoPolicy:
		i := slices.IndexFunc(n.pools, func(p pool) bool { return p.Platform == platform.WindowsServer2025 })
		if i < 0 {
			return nil
		}
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("Calico of AKS does not run on Windows Server 2025, which %s has",
			strings.TrimSuffix(n.pools[i].at, "."))
		found.Fix = "do not rely on network policies for pods of that pool, or use windows-2022"
	default:
		return nil
	}
	return []rule.Problem{found}
}

// expanders choose the pool to which the autoscaler adds nodes.
var expanders = []string{"least-waste", "most-pods", "priority", "random"}

// unknownValues finds a policy, an outbound type and an expander that are not known.
func unknownValues(n network) []rule.Problem {
	outbound := n.network.OutboundType
	found := n.unknownValue("network.policy", string(n.network.Policy), "a network policy engine",
		networkPolicies, linuxPolicies)
	const ofExpander = "autoScalerProfile.expander"
	// The autoscaler accepts several, which AKS does not document.
	if expander := open(option(n.options, ofExpander)); !strings.Contains(expander, ",") {
		found = append(found, n.unknownValue("options."+ofExpander, expander, "an expander", expanders, nil)...)
	}
	if outbound == ManagedNATGatewayV2 {
		return append(found, rule.Problem{
			Severity: rule.Warning, Path: "network.outboundType", Value: string(outbound),
			Detail: "only some preview versions of Azure's API have it",
			Fix:    "use " + string(ManagedNATGateway),
		})
	}
	return append(found, n.unknownValue("network.outboundType", string(outbound), "an outbound type", outboundTypes,
		isolatedTypes)...)
}

// unknownValue finds a value that is not known. It takes the known values, and the known values that Windows nodes
// cannot use.
func (c *cluster) unknownValue(path, value, what string, known, notWindows []string) []rule.Problem {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	usable := known
	if _, ok := c.windowsPool(); ok {
		usable = slices.DeleteFunc(slices.Clone(known), func(s string) bool { return slices.Contains(notWindows, s) })
	}
	return []rule.Problem{unknownWord(path, value, what, known, usable)}
}

var podSubnetUnused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK727", Severity: rule.Error, Title: "a subnet for pods that the mode does not use",
		Page:   rulepages.AKSPools,
		Reason: "Pods have a subnet of their own only in mode pod-subnet.",
		Fix:    "remove it, or use the mode " + string(PodSubnet),
		Source: networkPage,
	},
	Checks: []engine.Check{engine.On(allSubnets, func(c subnets) []rule.Problem {
		mode := c.network.Mode
		// MK721 reports an unknown mode.
		if !slices.Contains(networkModes, string(mode)) || mode == PodSubnet {
			return nil
		}
		var found []rule.Problem
		for _, path := range c.configuredSubnets("podSubnetID", c.network.PodSubnetID, podSubnet) {
			found = append(found, rule.Problem{
				Path: path, Detail: fmt.Sprintf("in mode %s pods have no subnet of their own", mode),
			})
		}
		return found
	})},
}

var podSubnetMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK726", Severity: rule.Error, Title: "mode pod-subnet without its subnets",
		Page: rulepages.AKS,
		Reason: "In other modes, Azure creates the subnets itself. In this mode, nodes and pods each need an " +
			"existing subnet.",
		Fix:    "set the ID of a subnet",
		Source: aks + "configure-azure-cni-dynamic-ip-allocation",
	},
	Checks: []engine.Check{engine.On(allSubnets, func(c subnets) []rule.Problem {
		if c.network.Mode != PodSubnet {
			return nil
		}
		const mode = "mode " + string(PodSubnet)
		return append(c.subnetNeeded(mode, "network.nodeSubnetID", c.network.NodeSubnetID, nodeSubnet),
			c.subnetNeeded(mode, "network.podSubnetID", c.network.PodSubnetID, podSubnet)...)
	})},
}

// subnetNeeded finds that a subnet of the network, or of each pool, is missing. It takes what needs the subnet.
func (c *cluster) subnetNeeded(needs, path, ofNetwork string, ofPool func(PoolOptions) string) []rule.Problem {
	if ofNetwork != "" || c.mayExist {
		return nil
	}
	var without []string
	for _, p := range c.pools {
		if ofPool(p.options) == "" {
			without = append(without, p.at[:len(p.at)-1])
		}
	}
	if len(without) == 0 && len(c.pools) > 0 {
		return nil
	}
	found := rule.Problem{Path: path, Detail: needs + " needs it"}
	switch {
	case len(without) == len(c.pools):
	case len(without) == 1:
		found.Detail += fmt.Sprintf(", as %s has none of its own", without[0])
	default:
		found.Detail += fmt.Sprintf(", as %s have none of their own", join(without, "and"))
	}
	return []rule.Problem{found}
}

func nodeSubnet(o PoolOptions) string { return o.NodeSubnetID }

func podSubnet(o PoolOptions) string { return o.PodSubnetID }

// configuredSubnets returns the paths at which a subnet is set, for the network or for a pool.
func (c *cluster) configuredSubnets(name, ofNetwork string, of func(PoolOptions) string) []string {
	var paths []string // each once: two pools with the same name share their options
	if ofNetwork != "" {
		paths = append(paths, "network."+name)
	}
	for _, p := range c.pools {
		if path := p.optionsAt + name; of(p.options) != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

var (
	rangesOfPrivateServer = engine.Rule{
		Rule: rule.Rule{
			ID: "MK761", Severity: rule.Error, Title: "authorized IP ranges of a private API server",
			Page:   rulepages.AKS,
			Reason: "A private API server has no public address to protect.",
			Fix:    "remove them, or private",
			Source: authorizedPage,
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			if !c.APIServer.Private || len(c.APIServer.AuthorizedIPRanges) == 0 {
				return nil
			}
			return []rule.Problem{{
				Path: authorizedIPRanges, Detail: "a private API server has no public address to protect",
			}}
		})},
	}
	rangeMalformed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK762", Severity: rule.Error, Title: "an authorized IP range that is not valid",
			Page: rulepages.AKS,
			Reason: "A range is an IP address, or a range in CIDR notation that begins with its first address. " +
				"Private addresses are a warning: requests reach a public API server from the addresses of a gateway.",
			Source: authorizedPage,
		},
		Checks: []engine.Check{engine.On(programs, privateSources), engine.On(ranges, invalidRanges)},
	}
	noAccounts = engine.Rule{
		Rule: rule.Rule{
			ID: "MK763", Severity: rule.Error, Title: "a cluster without any accounts",
			Page:   rulepages.AKS,
			Reason: "Without local accounts and without Microsoft Entra ID, Azure refuses every attempt to log in.",
			Fix:    "set options.aadProfile, or remove it",
			Source: accountsPage,
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			if !c.APIServer.DisableLocalAccounts || c.of.hasEntraID() {
				return nil
			}
			return []rule.Problem{{
				Path: "apiServer.disableLocalAccounts", Value: true,
				Detail: "without local accounts, users can log in only through Microsoft Entra ID",
			}}
		})},
	}
)

// authorizedIPRanges is the path of the argument with the authorized IP ranges.
const authorizedIPRanges = "apiServer.authorizedIPRanges"

// rangeOf returns the range that a text names, which can be one address.
func rangeOf(text string) (netip.Prefix, bool) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix, true
	}
	address, err := netip.ParseAddr(text)
	return netip.PrefixFrom(address, address.BitLen()), err == nil && address.Zone() == ""
}

// invalidRanges finds authorized ranges that Azure does not read, or that do not start with their first address.
func invalidRanges(all authorizedRanges) []rule.Problem {
	var found []rule.Problem
	for i, r := range all {
		at := rule.Problem{Path: fmt.Sprintf("%s[%d]", authorizedIPRanges, i), Value: r}
		prefix, valid := rangeOf(r)
		switch {
		case !valid:
			at.Detail, at.Fix = "neither an IP address nor a CIDR", "write 203.0.113.7 or 203.0.113.0/24"
		case prefix != prefix.Masked():
			at.Detail = "not the first address of the range"
			at.Fix = fmt.Sprintf("write %s for the range, or %s for one address", prefix.Masked(), prefix.Addr())
		default:
			continue
		}
		found = append(found, at)
	}
	return found
}

// privateSources finds authorized ranges that only an API server in the virtual network gets requests from.
func privateSources(c program) []rule.Problem {
	if c.mayIntegrate() || c.MayExist && option(c.Options, integration) == nil {
		return nil
	}
	var found []rule.Problem
	for i, text := range c.APIServer.AuthorizedIPRanges {
		if r, valid := rangeOf(text); !valid || !isPrivate(r) {
			continue
		}
		found = append(found, rule.Problem{
			Severity: rule.Warning, Path: fmt.Sprintf("%s[%d]", authorizedIPRanges, i), Value: text,
			Detail: "no request comes from private addresses", Fix: "use the public addresses of the gateway",
		})
	}
	return found
}
