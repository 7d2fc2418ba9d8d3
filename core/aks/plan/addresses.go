package plan

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	serviceAddressInvalid = engine.Rule{
		Rule: rule.Rule{
			ID: "MK788", Severity: rule.Error, Title: "a range or an address of Services that is not valid",
			Page: rulepages.AKS,
			Reason: "Services have addresses of serviceCidr, in CIDR notation, by default 10.0.0.0/16. The range " +
				"must be smaller than a /12, or with IPv6 not larger than a /108. The address of the cluster's DNS " +
				"is one of them, by default 10.0.0.10, and not the first: the Service kubernetes has that one.",
			Source: aks + "configure-azure-cni, " + aks + "concepts-network-ip-address-planning, " + clusterAPI,
		},
		Checks: []engine.Check{engine.On(creations, serviceAddresses)},
	}
	rangeReserved = engine.Rule{
		Rule: rule.Rule{
			ID: "MK854", Severity: rule.Error, Title: "a range that AKS reserves",
			Page: rulepages.AKSNetworks,
			Reason: "AKS and Azure use some addresses themselves, and refuse clusters whose pods, Services or " +
				"network have a range with one of them.",
			Fix:    "use another private range, for example 10.244.0.0/16 for pods and 10.0.0.0/16 for Services",
			Source: aks + "concepts-network-cni-overview, " + aks + "concepts-network-legacy-cni",
		},
		Checks: []engine.Check{engine.On(creations, reservedRanges)},
	}
	rangesOverlap = engine.Rule{
		Rule: rule.Rule{
			ID: "MK855", Severity: rule.Error, Title: "ranges of pods and Services that overlap",
			Page:   rulepages.AKSNetworks,
			Reason: "An address is that of a pod or that of a Service.",
			Fix:    "use ranges without common addresses, and without those of the virtual network",
			Source: aks + "concepts-network-azure-cni-overlay",
		},
		Checks: []engine.Check{engine.On(creations, overlappingRanges)},
	}
	podRangeTooSmall = engine.Rule{
		Rule: rule.Rule{
			ID: "MK856", Severity: rule.Error, Title: "a range of pods without room for the nodes",
			Page: rulepages.AKSNetworks,
			Reason: "In mode overlay, each node takes a /24 of podCidr, whatever its maxPods is, and so does each " +
				"node that an upgrade adds. The range of a cluster with Windows pools can never be changed. If only " +
				"the largest size of the pools has no room, the finding is a warning.",
			Source: aks + "concepts-network-azure-cni-overlay, " + aks + "azure-cni-overlay-pod-expand",
		},
		Checks: []engine.Check{engine.On(creations, podRoom)},
	}
	podRangePublic = engine.Rule{
		Rule: rule.Rule{
			ID: "MK740", Severity: rule.Warning, Title: "public addresses for pods",
			Page: rulepages.AKSNetworks,
			Reason: "Pods cannot reach the owners of these addresses, and Microsoft does not support it. Azure does " +
				"not refuse it.",
			Fix:    "use a range of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10",
			Source: aks + "concepts-network-azure-cni-overlay",
		},
		Checks: []engine.Check{engine.On(creations, func(c creation) []rule.Problem {
			var found []rule.Problem
			for _, r := range c.podRanges() {
				if r.prefix.Addr().Is4() && !isPrivate(r.prefix) {
					found = append(found, rule.Problem{Path: r.path, Value: r.text, Detail: "neither private nor " +
						"shared addresses"})
				}
			}
			return found
		})},
	}
	familiesDiffer = engine.Rule{
		Rule: rule.Rule{
			ID: "MK857", Severity: rule.Error, Title: "ranges that do not match the IP families",
			Page: rulepages.AKSNetworks,
			Reason: "A cluster has IPv4, or IPv4 and IPv6 in this order, and its ranges of pods and Services have " +
				"the same families in the same order. Two families need the mode overlay, and do not work with the " +
				"network policy engines azure and calico.",
			Source: aks + "configure-dual-stack, " + aks + "azure-cni-overlay",
		},
		Checks: []engine.Check{engine.On(creations, differentFamilies)},
	}
)

// privateRanges are the private ranges (RFC 1918), and the range that providers share (RFC 6598).
var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("100.64.0.0/10"),
}

// isPrivate reports whether all addresses of a range are in one of privateRanges.
func isPrivate(p netip.Prefix) bool {
	return slices.ContainsFunc(privateRanges, func(of netip.Prefix) bool {
		return of.Bits() <= p.Bits() && of.Contains(p.Addr())
	})
}

// addresses is a range of a network profile. The path is the path of the option, empty for a default.
type addresses struct {
	path, text string
	prefix     netip.Prefix
}

// rangesIn returns the ranges of an option that are known and valid: those of its list, or else its single one, or
// else the default.
func (c creation) rangesIn(single, many, byDefault string) []addresses {
	const at = "networkProfile."
	var all []addresses
	add := func(path, text string) {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			all = append(all, addresses{path, text, prefix.Masked()})
		}
	}
	ofMany, ofSingle := option(c.Options, at+many), option(c.Options, at+single)
	switch {
	case ofMany != nil:
		for i, item := range tree.List(ofMany) {
			add(fmt.Sprintf("options.%s%s[%d]", at, many, i), open(item))
		}
	case ofSingle != nil:
		add("options."+at+single, open(ofSingle))
	default:
		add("", byDefault)
	}
	return all
}

func (c creation) serviceRanges() []addresses {
	return c.rangesIn("serviceCidr", "serviceCidrs", facts.AKSServices)
}

// podRanges returns nothing for pods with addresses of a subnet.
func (c creation) podRanges() []addresses {
	if c.Network.Mode != Overlay {
		return nil
	}
	return c.rangesIn("podCidr", "podCidrs", facts.AKSPods)
}

// serviceAddresses looks at the ranges of Services and the address of the DNS, if they are known. Azure completes those
// that are not set.
func serviceAddresses(c creation) []rule.Problem {
	const at = "networkProfile."
	var problems []rule.Problem
	ofCIDR := option(c.Options, at+"serviceCidr")
	if cidr := open(ofCIDR); cidr != "" {
		if _, err := netip.ParsePrefix(cidr); err != nil {
			problems = append(problems, rule.Problem{
				Path: "options." + at + "serviceCidr", Value: cidr, Detail: "not a range in CIDR notation",
				Fix: "write 10.0.0.0/16, for example",
			})
		}
	}
	ranges := c.serviceRanges()
	for _, r := range ranges {
		if shortest := shortestServices(r.prefix); r.path != "" && r.prefix.Bits() < shortest {
			problems = append(problems, rule.Problem{
				Path: r.path, Value: r.text, Detail: fmt.Sprintf("larger than a /%d", shortest),
				Fix: fmt.Sprintf("use a /%d or a longer prefix", shortest),
			})
		}
	}
	ofDNS := option(c.Options, at+"dnsServiceIP")
	dns := open(ofDNS)
	if ofDNS == nil {
		dns = facts.AKSDNS
	}
	found := rule.Problem{Path: "options." + at + "dnsServiceIP", Value: dns}
	address, err := netip.ParseAddr(dns)
	switch {
	case dns == "":
		return problems
	case err != nil:
		found.Detail, found.Fix = "not an IP address", "write 10.0.0.10, for example"
	case len(ranges) == 0 || ofDNS == nil && ranges[0].path == "":
		return problems
	case !ranges[0].prefix.Contains(address):
		found.Detail = fmt.Sprintf("not in the range of Services, %s", ranges[0].prefix)
		found.Fix = "set serviceCidr and an address of it"
	case ranges[0].prefix.Addr().Next() == address:
		found.Detail = fmt.Sprintf("the first address of %s is that of the Service kubernetes", ranges[0].prefix)
		found.Fix = "use another address of the range"
	default:
		return problems
	}
	return append(problems, found)
}

// shortestServices is the shortest prefix that Services can have.
func shortestServices(p netip.Prefix) int {
	if p.Addr().Is4() {
		return facts.AKSServices4 + 1
	}
	return facts.AKSServices6
}

func reservedRanges(c creation) []rule.Problem {
	var problems []rule.Problem
	for _, r := range append(c.podRanges(), c.serviceRanges()...) {
		for _, reserved := range facts.AKSReserved {
			if r.prefix.Overlaps(reserved) {
				problems = append(problems, rule.Problem{
					Path: r.path, Value: r.text, Detail: fmt.Sprintf("overlaps %s, which AKS reserves", reserved),
				})
				break
			}
		}
	}
	return problems
}

func overlappingRanges(c creation) []rule.Problem {
	var problems []rule.Problem
	for _, pods := range c.podRanges() {
		for _, services := range c.serviceRanges() {
			found, other := pods, services
			if found.path == "" {
				found, other = services, pods
			}
			if found.path == "" || !pods.prefix.Overlaps(services.prefix) {
				continue
			}
			detail := "overlaps " + other.text
			if other.path == "" {
				detail += ", the default of the other range"
			}
			problems = append(problems, rule.Problem{Path: found.path, Value: found.text, Detail: detail})
		}
	}
	return problems
}

// podRoom compares the nodes with the parts of the range of pods.
func podRoom(c creation) []rule.Problem {
	ranges := c.podRanges()
	if len(ranges) == 0 || !ranges[0].prefix.Addr().Is4() {
		return nil
	}
	r, room := ranges[0], 0
	if bits := r.prefix.Bits(); bits <= facts.AKSPodsOfNode {
		room = 1 << (facts.AKSPodsOfNode - bits)
	}
	nodes, most := 0, c.mostNodes()
	for _, p := range c.of.pools {
		nodes += max(p.Count, p.Autoscaling.Min)
	}
	found, of := rule.Problem{Path: r.path, Value: r.text}, ""
	if r.path == "" {
		found.Path, found.Value, of = "options.networkProfile.podCidr", nil, "the default "+r.text+" "
	}
	needed := most
	switch {
	case nodes > room:
		needed = max(nodes, most)
		found.Detail = fmt.Sprintf("%shas room for %d nodes, and the pools have %d", of, room, nodes)
	case most > room:
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("%shas room for %d nodes, and the pools have up to %d in an upgrade", of, room, most)
	default:
		return nil
	}
	bits := facts.AKSPodsOfNode - int(math.Ceil(math.Log2(float64(needed))))
	found.Fix = fmt.Sprintf("use a /%d or a shorter prefix", bits)
	return []rule.Problem{found}
}

// differentFamilies compares the families of a cluster with its ranges and its network.
func differentFamilies(c creation) []rule.Problem {
	const at = "networkProfile."
	list := option(c.Options, at+"ipFamilies")
	families := []string{"IPv4"}
	if list != nil {
		families = nil
		for _, item := range tree.List(list) {
			families = append(families, open(item))
		}
	}
	text := strings.Join(families, ", ")
	found := rule.Problem{Path: "options." + at + "ipFamilies", Value: text}
	two := strings.EqualFold(text, "IPv4, IPv6")
	switch {
	case strings.Contains(text, ", ,") || strings.HasSuffix(text, ", ") || text == "":
		return nil // a family that is not known
	case !two && !strings.EqualFold(text, "IPv4"):
		found.Detail, found.Fix = "neither IPv4 nor IPv4, IPv6", "use one of them"
		return []rule.Problem{found}
	case two && c.Network.Mode != Overlay && c.Network.Mode != "":
		found.Detail, found.Fix = fmt.Sprintf("two families, in mode %s", c.Network.Mode), "use the mode overlay"
		return []rule.Problem{found}
	case two && (c.Network.Policy == CalicoPolicy || c.Network.Policy == AzurePolicy):
		found.Path, found.Value = "network.policy", string(c.Network.Policy)
		found.Detail, found.Fix = "does not work with two IP families", "use none, or one family"
		return []rule.Problem{found}
	}
	var problems []rule.Problem
	if out := c.Network.OutboundType; two && (out == ManagedNATGateway || out == UserAssignedNATGateway) {
		found.Severity, found.Detail = rule.Warning, "the SKU Standard of NAT gateways has no IPv6, so IPv6 has no "+
			"way out"
		found.Fix = "use the outbound type loadBalancer, or a gateway of the SKU StandardV2"
		problems = append(problems, found)
	}
	for _, many := range []string{"podCidrs", "serviceCidrs"} {
		ranges := tree.List(option(c.Options, at+many))
		if n := len(ranges); n > 0 && n < len(families) {
			problems = append(problems, rule.Problem{
				Path: "options." + at + many, Value: n, Detail: "fewer ranges than IP families",
				Fix: "write one for each family",
			})
		}
		for i, item := range ranges {
			prefix, err := netip.ParsePrefix(open(item))
			if err != nil {
				continue
			}
			found := rule.Problem{Path: fmt.Sprintf("options.%s%s[%d]", at, many, i), Value: prefix.String()}
			switch {
			case i >= len(families):
				found.Detail = "more ranges than IP families"
				found.Fix = "remove it, or set options.networkProfile.ipFamilies"
			case prefix.Addr().Is4() != strings.EqualFold(families[i], "IPv4"):
				found.Detail = fmt.Sprintf("not a range of %s, which has this place in ipFamilies", families[i])
				found.Fix = "write the ranges in the order of the families"
			default:
				continue
			}
			problems = append(problems, found)
		}
	}
	return problems
}
