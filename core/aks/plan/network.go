package plan

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
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

var networkModeUnknown = rule.Rule{
	ID: "MK721", Severity: rule.Error, Title: "an unknown network mode",
	Reason: "Windows nodes need Azure CNI in one of three modes: overlay, pod-subnet and node-subnet.",
	Source: networkPage,
}

func (c *check) checkNetwork() {
	if mode := string(c.network.Mode); mode != "" && !slices.Contains(networkModes, mode) {
		fix, _ := suggestion(mode, networkModes, networkModes)
		c.Report(networkModeUnknown,
			rule.Problem{
				Path: "network.mode", Value: mode, Detail: "not a network mode for Windows nodes",
				Fix: fix,
			})
	}
	const profile = "options.networkProfile."
	c.plugin(profile+"networkPlugin", open(option(c.options, "networkProfile.networkPlugin")))
	c.dataplane(profile+"networkDataplane", open(option(c.options, "networkProfile.networkDataplane")))
	c.policy("network.policy", c.network.Policy)
	c.unknownValue("network.policy", string(c.network.Policy), "a network policy engine", networkPolicies,
		linuxPolicies)
	c.outboundType("network.outboundType", c.network.OutboundType)
	c.outboundSubnets()
}

var networkValueUnknown = rule.Rule{
	ID: "MK725", Severity: rule.Error, Title: "a network value that this library does not know",
	Reason: "A value that is close to a known one is probably misspelled. Any other value may be new in Azure, so it " +
		"is a warning. The same is true of managedNATGatewayV2, which only preview versions of the API have.",
	Source: clusterAPI + ", " + aks + "egress-outboundtype",
}

var pluginWithoutWindows = rule.Rule{
	ID: "MK722", Severity: rule.Error, Title: "a network plugin that Windows nodes cannot use",
	Reason: "Windows nodes need Azure CNI. The plugin of a cluster never changes, so a cluster without Windows pools " +
		"can never have any, which is a warning.",
	Source: windowsFAQPage,
}

func (c *check) plugin(path, plugin string) {
	if plugin == "kubenet" || plugin == "none" {
		c.Report(pluginWithoutWindows,
			c.neverWindows(rule.Problem{Path: path, Value: plugin, Fix: "remove it to use azure"},
				"Windows nodes need Azure CNI"))
	}
}

var dataplaneWithoutWindows = rule.Rule{
	ID: "MK723", Severity: rule.Error, Title: "the Cilium dataplane, which Windows nodes cannot use",
	Reason: "Cilium needs the Linux kernel. The dataplane of a cluster never changes, so a cluster without Windows " +
		"pools can never have any, which is a warning.",
	Source: aks + "azure-cni-powered-by-cilium",
}

func (c *check) dataplane(path, dataplane string) {
	if dataplane == "cilium" {
		c.Report(dataplaneWithoutWindows,
			c.neverWindows(rule.Problem{Path: path, Value: dataplane, Fix: "remove it to use azure"},
				"Cilium does not run on Windows nodes"))
	}
}

// neverWindows completes a problem that is an error if there are Windows pools, and else a warning.
func (c *check) neverWindows(p rule.Problem, why string) rule.Problem {
	if at, ok := c.windowsPool(); ok {
		p.Detail = fmt.Sprintf("%s, and %s is a Windows pool", why, at)
	} else {
		p.Severity = rule.Warning
		p.Detail = why + ", so the cluster can never have any"
	}
	return p
}

var policyWithoutWindows = rule.Rule{
	ID: "MK724", Severity: rule.Error, Title: "a network policy engine that Windows nodes cannot use",
	Reason: "Calico enforces network policies on Windows nodes, Cilium does not. Azure's own was a preview there, " +
		"and its support ended on 2026-09-30. Azure's engine is a warning, because it may continue to work in a " +
		"cluster that has it.",
	Source: policyPage,
}

func (c *check) policy(path string, policy NetworkPolicy) {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	found := rule.Problem{Path: path, Value: string(policy), Fix: "use calico or none"}
	switch policy {
	case AzurePolicy:
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf(
			"Microsoft has not supported it on Windows nodes since 2026-09-30, and %s is a Windows pool", at,
		)
	case CiliumPolicy:
		found.Detail = fmt.Sprintf("does not run on Windows nodes, and %s is a Windows pool", at)
	default:
		return
	}
	c.Report(policyWithoutWindows, found)
}

// unknownValue reports a value that is not known. It takes the known values, and the known values that Windows nodes
// cannot use.
func (c *check) unknownValue(path, value, what string, known, notWindows []string) {
	if value == "" || slices.Contains(known, value) {
		return
	}
	usable := known
	if _, ok := c.windowsPool(); ok {
		usable = slices.DeleteFunc(slices.Clone(known), func(s string) bool { return slices.Contains(notWindows, s) })
	}
	c.Report(networkValueUnknown, unknownWord(path, value, what, known, usable))
}

var podSubnetUnused = rule.Rule{
	ID: "MK727", Severity: rule.Error, Title: "a subnet for pods that the mode does not use",
	Reason: "Pods have a subnet of their own only in mode pod-subnet.",
	Source: networkPage,
}

func (c *check) subnets() {
	// The method checkNetwork reports an unknown mode.
	if !slices.Contains(networkModes, string(c.network.Mode)) {
		return
	}
	if c.network.Mode == PodSubnet {
		const mode = "mode " + string(PodSubnet)
		c.subnetNeeded(podSubnetMissing, mode, "network.nodeSubnetID", c.network.NodeSubnetID, nodeSubnet)
		c.subnetNeeded(podSubnetMissing, mode, "network.podSubnetID", c.network.PodSubnetID,
			podSubnet)
		return
	}
	for _, path := range c.configuredSubnets("podSubnetID", c.network.PodSubnetID, podSubnet) {
		c.Report(podSubnetUnused, rule.Problem{
			Path: path, Detail: fmt.Sprintf("in mode %s pods have no subnet of their own", c.network.Mode),
			Fix: "remove it, or use the mode " + string(PodSubnet),
		})
	}
}

var podSubnetMissing = rule.Rule{
	ID: "MK726", Severity: rule.Error, Title: "mode pod-subnet without its subnets",
	Reason: "In other modes, Azure creates the subnets itself. In this mode, nodes and pods each need an existing " +
		"subnet.",
	Source: aks + "configure-azure-cni-dynamic-ip-allocation",
}

// subnetNeeded reports that a subnet of the network, or of each pool, is missing. It takes what needs the subnet.
func (c *check) subnetNeeded(
	broken rule.Rule, needs, path, ofNetwork string, ofPool func(PoolOptions) string,
) {
	if ofNetwork != "" || c.mayExist {
		return
	}
	var without []string
	for _, p := range c.pools {
		if ofPool(p.options) == "" {
			without = append(without, p.at[:len(p.at)-1])
		}
	}
	if len(without) == 0 && len(c.pools) > 0 {
		return
	}
	found := rule.Problem{Path: path, Detail: needs + " needs it", Fix: "set the ID of a subnet"}
	switch {
	case len(without) == len(c.pools):
	case len(without) == 1:
		found.Detail += fmt.Sprintf(", as %s has none of its own", without[0])
	default:
		found.Detail += fmt.Sprintf(", as %s have none of their own", join(without, "and"))
	}
	c.Report(broken, found)
}

func nodeSubnet(o PoolOptions) string { return o.NodeSubnetID }

func podSubnet(o PoolOptions) string { return o.PodSubnetID }

// configuredSubnets returns the paths at which a subnet is set, for the network or for a pool.
func (c *check) configuredSubnets(name, ofNetwork string, of func(PoolOptions) string) []string {
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
	rangesOfPrivateServer = rule.Rule{
		ID: "MK761", Severity: rule.Error, Title: "authorized IP ranges of a private API server",
		Reason: "A private API server has no public address to protect.",
		Source: authorizedPage,
	}
	rangeMalformed = rule.Rule{
		ID: "MK762", Severity: rule.Error, Title: "an authorized IP range that is not valid",
		Reason: "A range is an IP address, or a range in CIDR notation.",
		Source: authorizedPage,
	}
	noAccounts = rule.Rule{
		ID: "MK763", Severity: rule.Error, Title: "a cluster without any accounts",
		Reason: "Without local accounts and without Microsoft Entra ID, no one can log in, and Azure refuses such a " +
			"cluster.",
		Source: accountsPage,
	}
)

func (c *check) apiServer(a APIServer) {
	if a.Private && len(a.AuthorizedIPRanges) > 0 {
		c.Report(rangesOfPrivateServer,
			rule.Problem{
				Path: authorizedIPRanges, Detail: "a private API server has no public address to protect",
				Fix: "remove them, or private",
			})
	}
	c.authorizedIPRanges(a.AuthorizedIPRanges)
	if a.DisableLocalAccounts && !c.hasEntraID() {
		c.Report(noAccounts, rule.Problem{
			Path: "apiServer.disableLocalAccounts", Value: true,
			Detail: "without local accounts, users can log in only through Microsoft Entra ID",
			Fix:    "set options.aadProfile, or remove it",
		})
	}
}

// authorizedIPRanges is the path of the argument with the authorized IP ranges.
const authorizedIPRanges = "apiServer.authorizedIPRanges"

// CheckAuthorizedIPRanges checks ranges that become known only after the cluster was checked.
func CheckAuthorizedIPRanges(ranges []string) []rule.Finding {
	run := &check{}
	run.authorizedIPRanges(ranges)
	return run.Findings
}

func (c *check) authorizedIPRanges(ranges []string) {
	for i, r := range ranges {
		if !isRange(r) {
			c.Report(rangeMalformed, rule.Problem{
				Path: fmt.Sprintf("%s[%d]", authorizedIPRanges, i), Value: r,
				Detail: "neither an IP address nor a CIDR",
				Fix:    "write 203.0.113.7 or 203.0.113.0/24",
			})
		}
	}
}

func isRange(s string) bool {
	if _, err := netip.ParsePrefix(s); err == nil {
		return true
	}
	address, err := netip.ParseAddr(s)
	return err == nil && address.Zone() == ""
}
