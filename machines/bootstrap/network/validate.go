package network

import (
	"fmt"
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Validate returns everything that is wrong with the network, with paths below path (nil for
// the root). Fields that are not set have their defaults.
func (n Network) Validate(path *field.Path) field.ErrorList {
	d := n.WithDefaults()
	errs := d.validateKind(path.Child("kind"))
	errs = append(errs, d.validateRanges(path)...)
	errs = append(errs, d.validateMask(path.Child("nodeMaskSize"))...)
	errs = append(errs, d.validateDNS(path.Child("dnsServiceIP"))...)
	return append(errs, d.validateEgress(path.Child("blockedEgress"))...)
}

func (n Defaulted) validateKind(path *field.Path) field.ErrorList {
	if n.Kind.Valid() {
		return nil
	}
	names := make([]string, len(Kinds()))
	for i, k := range Kinds() {
		names[i] = string(k)
	}
	return field.ErrorList{field.Invalid(path, n.Kind, fielderrors.Unknown("kind", string(n.Kind), names))}
}

// validateRanges checks each range, and that no two overlap.
func (n Defaulted) validateRanges(path *field.Path) field.ErrorList {
	ranges := []struct {
		name, need string
		cidr       netip.Prefix
		smallest   int
	}{
		{"nodeCIDR", "the range of the nodes' own addresses, 10.0.0.0/24 for example", n.NodeCIDR, 32},
		{"podCIDR", "", n.PodCIDR, smallestRange},
		{"serviceCIDR", "", n.ServiceCIDR, smallestRange},
	}
	var errs field.ErrorList
	good := make([]bool, len(ranges))
	for i, r := range ranges {
		at := path.Child(r.name)
		if r.cidr == (netip.Prefix{}) {
			errs = append(errs, field.Required(at, r.need))
			continue
		}
		if problem := n.Kind.rangeProblem(r.cidr, r.smallest); problem != "" {
			errs = append(errs, field.Invalid(at, r.cidr.String(), problem))
			continue
		}
		good[i] = true
		for j, earlier := range ranges[:i] {
			if good[j] && r.cidr.Overlaps(earlier.cidr) {
				errs = append(errs, field.Invalid(at, r.cidr.String(),
					fmt.Sprintf("%s %s %s: use a range apart from it, as nodes, pods and Services each need their own",
						relation(r.cidr, earlier.cidr), earlier.name, earlier.cidr)))
			}
		}
	}
	return errs
}

// relation describes how two prefixes overlap: they never overlap in part.
func relation(a, b netip.Prefix) string {
	switch {
	case a == b:
		return "is the same as"
	case a.Bits() > b.Bits():
		return "is inside"
	default:
		return "contains"
	}
}

// special are ranges that a network cannot use, and what they are (RFC 6890).
var special = []struct {
	cidr netip.Prefix
	what string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "which stands for this network"},
	{netip.MustParsePrefix("127.0.0.0/8"), "where each machine reaches itself"},
	{netip.MustParsePrefix("169.254.0.0/16"), "which no router passes on"},
	{netip.MustParsePrefix("224.0.0.0/4"), "which is for multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "which is reserved"},
}

// ipv6Problem returns why a range or an address of IPv6 is refused. Sources: for the mode l2bridge and for overlays
// https://kubernetes.io/docs/concepts/services-networking/dual-stack/#windows-support, for Calico
// https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/limitations, for Antrea
// https://github.com/antrea-io/antrea/issues/5162.
func (k Kind) ipv6Problem() string {
	switch {
	case k.Planned():
		return fmt.Sprintf("is IPv6, and mixedkube configures only IPv4 for %s, in which Windows nodes can have "+
			"IPv6 in addition to IPv4, but not alone", k)
	case k == FlannelVXLAN:
		return fmt.Sprintf("is IPv6, and Kubernetes supports only IPv4 in overlays on Windows, such as %s", k)
	case k.IsCalico():
		return "is IPv6, and Calico supports only IPv4 on Windows"
	case k == Antrea:
		return "is IPv6, and Antrea supports only IPv4 on Windows"
	default:
		return "is IPv6, and mixedkube configures only IPv4"
	}
}

// rangeProblem returns what is wrong with a range by itself, "" if it is valid.
func (k Kind) rangeProblem(p netip.Prefix, smallest int) string {
	switch {
	case !p.IsValid():
		return "is not a valid range of addresses: use one such as 10.0.0.0/16"
	case !p.Addr().Is4():
		return k.ipv6Problem() + ": use an IPv4 range"
	case p != p.Masked():
		return fmt.Sprintf("has an address inside a range, not its first: use %s", p.Masked())
	case p.Bits() > smallest:
		return fmt.Sprintf("has %d addresses, and kubeadm asks for more: use a range of /%d or larger", size(p.Bits()),
			smallest)
	}
	for _, s := range special {
		if p.Overlaps(s.cidr) {
			return fmt.Sprintf("overlaps %s, %s: use a private range, such as one of 10.0.0.0/8", s.cidr, s.what)
		}
	}
	return ""
}

// hasRanges reports whether PodCIDR can be divided among the nodes.
func (n Defaulted) hasRanges() bool {
	return n.Kind.rangeProblem(n.PodCIDR, smallestRange) == "" && len(n.validateMask(nil)) == 0
}

// hasNodeRange reports whether the nodes' addresses can be compared with NodeCIDR.
func (n Defaulted) hasNodeRange() bool { return n.Kind.rangeProblem(n.NodeCIDR, 32) == "" }

func (n Defaulted) validateMask(path *field.Path) field.ErrorList {
	// Errors of PodCIDR are reported there.
	if n.Kind.rangeProblem(n.PodCIDR, smallestRange) != "" {
		return nil
	}
	least := n.PodCIDR.Bits()
	why := []string{fmt.Sprintf("podCIDR is /%d", least)}
	if n.Kind.IsCalico() {
		least = max(least, largestBlock)
		why = append(why, "Calico allocates blocks of /20 to /32", "on Windows four addresses of each are reserved")
	} else {
		why = append(why, "a Windows node uses four addresses itself")
	}
	if least <= n.NodeMaskSize && n.NodeMaskSize <= smallestNode {
		return nil
	}
	return field.ErrorList{field.Invalid(path, n.NodeMaskSize,
		fmt.Sprintf("must be between %d and %d: %s", least, smallestNode, strings.Join(why, ", ")))}
}

func (n Defaulted) validateDNS(path *field.Path) field.ErrorList {
	// Errors of ServiceCIDR are reported there.
	if n.Kind.rangeProblem(n.ServiceCIDR, smallestRange) != "" {
		return nil
	}
	fix := fmt.Sprintf("use %s, or leave it out", nth(n.ServiceCIDR, dnsNumber))
	var problem string
	switch ip := n.DNSServiceIP; {
	case !n.ServiceCIDR.Contains(ip):
		problem = fmt.Sprintf("is outside serviceCIDR %s", n.ServiceCIDR)
	case ip == n.ServiceCIDR.Addr(), ip == last(n.ServiceCIDR):
		problem = fmt.Sprintf("is at an end of serviceCIDR %s, which no Service has", n.ServiceCIDR)
	case ip == nth(n.ServiceCIDR, 1):
		problem = "is the first address of serviceCIDR, which the Service of the API server has"
	default:
		return nil
	}
	return field.ErrorList{field.Invalid(path, n.DNSServiceIP.String(), problem+": "+fix)}
}
