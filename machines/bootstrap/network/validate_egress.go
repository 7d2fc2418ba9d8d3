package network

import (
	"fmt"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateEgress checks the destinations that are kept from pods.
func (n Defaulted) validateEgress(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, d := range n.BlockedEgress {
		at := path.Index(i)
		if d.CIDR == (netip.Prefix{}) {
			errs = append(errs, field.Required(at.Child("cidr"), "the range of addresses, 192.0.2.1/32 for example"))
		} else if problem := n.destinationProblem(d.CIDR, n.BlockedEgress[:i]); problem != "" {
			errs = append(errs, field.Invalid(at.Child("cidr"), d.CIDR.String(), problem))
		}
		errs = append(errs, validatePorts(d.TCPPorts, at.Child("tcpPorts"))...)
	}
	return errs
}

// destinationProblem returns what is wrong with a range that is kept from pods, "" if it is
// valid.
func (n Defaulted) destinationProblem(cidr netip.Prefix, earlier []Destination) string {
	switch {
	case !cidr.IsValid():
		return "is not a valid range of addresses: use one such as 192.0.2.1/32"
	case !cidr.Addr().Is4():
		return "is IPv6, which pods do not have: use an IPv4 range"
	case cidr.Addr().IsLoopback() || cidr.Addr().IsMulticast():
		return "is not outside the cluster: no packet of a pod to loopback or multicast addresses leaves the node; " +
			"remove it"
	case cidr != cidr.Masked():
		return fmt.Sprintf("has an address inside a range, not its first: use %s, or a /32 for the one address",
			cidr.Masked())
	case slices.ContainsFunc(earlier, func(d Destination) bool { return d.CIDR == cidr }):
		return "is listed twice: list all ports of a range in one destination"
	}
	for _, r := range []struct {
		name, need string
		cidr       netip.Prefix
	}{
		{"nodeCIDR", "the API server, the kubelets and the network's own agents", n.NodeCIDR},
		{"podCIDR", "other pods", n.PodCIDR},
		{"serviceCIDR", "Services, the cluster's DNS among them", n.ServiceCIDR},
	} {
		if r.cidr.IsValid() && cidr.Overlaps(r.cidr) {
			return fmt.Sprintf("overlaps %s %s, where pods reach %s: use NetworkPolicies inside the cluster",
				r.name, r.cidr, r.need)
		}
	}
	return ""
}

func validatePorts(ports []int, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, port := range ports {
		switch {
		case port < 1 || port > 65535:
			errs = append(errs, field.Invalid(path.Index(i), port, "must be between 1 and 65535"))
		case slices.Contains(ports[:i], port):
			errs = append(errs, field.Duplicate(path.Index(i), port))
		}
	}
	return errs
}
