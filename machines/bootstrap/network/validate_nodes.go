package network

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
)

// ValidateNodes returns everything that is wrong with the nodes of a network, with paths below
// path (nil for the root), in the order of the nodes. [Network.Validate] reports errors of the
// network itself, and errors that follow from them are not reported again. The topology checks
// names and platforms; two nodes with the same name, and a platform that a kind does not
// support, are reported here.
func (n Defaulted) ValidateNodes(nodes []Node, path *field.Path) field.ErrorList {
	v := nodeValidation{n, nodes, path, make([]field.ErrorList, len(nodes))}
	v.duplicates()
	v.addresses()
	v.platforms()
	if n.Kind.Planned() {
		v.podRanges()
	} else {
		v.noPodRanges()
	}
	var errs field.ErrorList
	if n.Kind.Valid() && !n.Kind.Planned() && n.hasRanges() && uint64(len(nodes)) > parts(n.PodCIDR, n.NodeMaskSize) {
		errs = append(errs, field.Invalid(path, len(nodes), fmt.Sprintf(
			"more nodes than podCIDR %s has ranges of /%d, which is %d: use a larger podCIDR, or a larger nodeMaskSize",
			n.PodCIDR, n.NodeMaskSize, parts(n.PodCIDR, n.NodeMaskSize))))
	}
	return append(errs, slices.Concat(v.errs...)...)
}

// nodeValidation collects what is wrong with each of the nodes.
type nodeValidation struct {
	network Defaulted
	nodes   []Node
	path    *field.Path
	errs    []field.ErrorList
}

func (v nodeValidation) invalid(i int, child, value, detail string) {
	v.errs[i] = append(v.errs[i], field.Invalid(v.path.Index(i).Child(child), value, detail))
}

func (v nodeValidation) duplicates() {
	names, addresses := map[string]int{}, map[netip.Addr]int{}
	for i, node := range v.nodes {
		if j, ok := names[node.Name]; ok {
			v.duplicate(i, "name", node.Name,
				fmt.Sprintf("%s has this name already: give each node a name of its own", v.path.Index(j)))
		} else if node.Name != "" {
			names[node.Name] = i
		}
		if j, ok := addresses[node.Address]; ok {
			v.duplicate(i, "address", node.Address.String(),
				fmt.Sprintf("%s has this address already: give each node an address of its own", v.path.Index(j)))
		} else if node.Address.IsValid() {
			addresses[node.Address] = i
		}
	}
}

func (v nodeValidation) duplicate(i int, child, value, detail string) {
	err := field.Duplicate(v.path.Index(i).Child(child), value)
	err.Detail = detail
	v.errs[i] = append(v.errs[i], err)
}

func (v nodeValidation) addresses() {
	for i, node := range v.nodes {
		at := v.path.Index(i).Child("address")
		if !node.Address.IsValid() {
			v.errs[i] = append(v.errs[i], field.Required(at, "the node's own address, in nodeCIDR"))
		} else if problem := v.network.addressProblem(node.Address); problem != "" {
			v.errs[i] = append(v.errs[i], field.Invalid(at, node.Address.String(), problem))
		}
	}
}

// addressProblem returns what is wrong with the address of a node, "" if it is valid.
func (n Defaulted) addressProblem(a netip.Addr) string {
	if !a.Is4() {
		return n.Kind.ipv6Problem() + ": use the node's IPv4 address"
	}
	if !n.hasNodeRange() {
		return ""
	}
	// In a range of one or two addresses nodes have them all (RFC 3021).
	ends := n.NodeCIDR.Bits() < 31
	switch {
	case !n.NodeCIDR.Contains(a):
		return fmt.Sprintf("is outside nodeCIDR %s: use an address inside it, or a larger nodeCIDR", n.NodeCIDR)
	case ends && a == n.NodeCIDR.Addr():
		return fmt.Sprintf("is the network address of nodeCIDR %s, which no node can have: use another", n.NodeCIDR)
	case ends && a == last(n.NodeCIDR):
		return fmt.Sprintf("is the broadcast address of nodeCIDR %s, which no node can have: use another", n.NodeCIDR)
	default:
		return ""
	}
}

// platforms reports each platform that the network does not support once, at the first
// node with it.
func (v nodeValidation) platforms() {
	seen := map[platform.Platform]bool{}
	for i, node := range v.nodes {
		if problem := v.network.Kind.platformProblem(node.Platform); problem != "" && !seen[node.Platform] {
			seen[node.Platform] = true
			v.invalid(i, "platform", node.Platform.String(), problem)
		}
	}
}

// platformProblem returns the reason that nodes of a platform cannot be in a network of a kind. Source:
// https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/requirements,
// and https://github.com/projectcalico/calico/issues/11691 for Windows Server 2025.
func (k Kind) platformProblem(p platform.Platform) string {
	if k.IsCalico() && p == platform.WindowsServer2025 {
		return fmt.Sprintf("Calico supports Windows Server 2019 and 2022, not 2025 yet: use %s, or another platform",
			FlannelVXLAN)
	}
	return ""
}

// noPodRanges is for the kinds whose controllers choose.
func (v nodeValidation) noPodRanges() {
	if !v.network.Kind.Valid() {
		return
	}
	for i, node := range v.nodes {
		if node.PodCIDR != (netip.Prefix{}) {
			v.invalid(i, "podCIDR", node.PodCIDR.String(),
				fmt.Sprintf("the controllers of %s choose it: leave it out, or use %s or %s",
					v.network.Kind, UpstreamL3, HostGateway))
		}
	}
}

// nodeRange is the range of a node's pods.
type nodeRange struct {
	node int
	cidr netip.Prefix
	// explicit is true if the range does not follow from the node's address.
	explicit bool
}

// podRanges is for the kinds that are planned.
func (v nodeValidation) podRanges() {
	n := v.network
	if !n.hasRanges() {
		return
	}
	var ranges []nodeRange
	for i, node := range v.nodes {
		if node.PodCIDR != (netip.Prefix{}) {
			if problem := n.podRangeProblem(node.PodCIDR); problem != "" {
				v.invalid(i, "podCIDR", node.PodCIDR.String(), problem)
			} else {
				ranges = append(ranges, nodeRange{i, node.PodCIDR, true})
			}
			continue
		}
		if !n.hasNodeRange() || !node.Address.IsValid() || n.addressProblem(node.Address) != "" {
			continue
		}
		at, count := offset(n.NodeCIDR, node.Address), parts(n.PodCIDR, n.NodeMaskSize)
		if uint64(at) >= count {
			v.invalid(i, "address", node.Address.String(), fmt.Sprintf(
				"is address %d of nodeCIDR %s, and podCIDR %s has ranges of /%d for 0 to %d only: give the node a "+
					"podCIDR, or the network a larger podCIDR or nodeMaskSize",
				at, n.NodeCIDR, n.PodCIDR, n.NodeMaskSize, count-1))
			continue
		}
		ranges = append(ranges, nodeRange{i, part(n.PodCIDR, n.NodeMaskSize, at), false})
	}
	v.overlaps(ranges)
}

// podRangeProblem returns what is wrong with the configured range of a node, "" if it is valid.
func (n Defaulted) podRangeProblem(p netip.Prefix) string {
	if problem := n.Kind.rangeProblem(p, 32); problem != "" {
		return problem
	}
	switch {
	case p.Bits() > smallestNode:
		return fmt.Sprintf("has too few addresses, as a Windows node uses four itself: use a range of /%d or larger",
			smallestNode)
	case p.Bits() < n.PodCIDR.Bits() || !n.PodCIDR.Contains(p.Addr()):
		return fmt.Sprintf("is outside podCIDR %s: use a range inside it, or a larger podCIDR", n.PodCIDR)
	default:
		return ""
	}
}

// overlaps goes through the ranges by their first addresses, as there may be thousands:
// of two that overlap the larger one comes first, and stays open until it ends.
func (v nodeValidation) overlaps(ranges []nodeRange) {
	slices.SortFunc(ranges, func(a, b nodeRange) int {
		return cmp.Or(a.cidr.Addr().Compare(b.cidr.Addr()), cmp.Compare(a.cidr.Bits(), b.cidr.Bits()),
			cmp.Compare(a.node, b.node))
	})
	var open nodeRange
	for i, r := range ranges {
		if i > 0 && r.cidr.Overlaps(open.cidr) {
			v.overlap(open, r)
			continue
		}
		open = r
	}
}

// overlap reports that two ranges overlap at the one that was given; of two that were,
// at the later node's.
func (v nodeValidation) overlap(a, b nodeRange) {
	if a.explicit && (!b.explicit || a.node > b.node) {
		a, b = b, a
	}
	if !b.explicit {
		return // two nodes with one address, which has been reported
	}
	whose := fmt.Sprintf("the range of %s", v.path.Index(a.node))
	if !a.explicit {
		whose += ", which follows from its address"
	}
	v.invalid(b.node, "podCIDR", b.cidr.String(),
		fmt.Sprintf("%s %s (%s): use a range apart from it", relation(b.cidr, a.cidr), a.cidr, whose))
}
