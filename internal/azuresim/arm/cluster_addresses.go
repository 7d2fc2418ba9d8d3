package arm

import (
	"net/netip"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// checkAddresses checks the ranges of pods and Services of a new cluster, and its IP families
// (https://learn.microsoft.com/azure/aks/concepts-network-cni-overview).
func checkAddresses(cluster clusterProperties) error {
	network := cluster.NetworkProfile
	overlay := string(value(network.NetworkPluginMode)) == "overlay"
	families := texts(network.IPFamilies)
	if len(families) == 0 {
		families = []string{"IPv4"}
	}
	if families[0] != "IPv4" || len(families) > 1 && families[1] != "IPv6" || len(families) > 2 {
		return invalidParameter("networkProfile.ipFamilies", "the IP families are neither IPv4 nor IPv4,IPv6")
	}
	policy := string(value(network.NetworkPolicy))
	switch {
	case len(families) == 2 && !overlay:
		return invalidParameter("networkProfile.ipFamilies", "dual-stack needs the network plugin mode 'overlay'")
	case len(families) == 2 && (policy == "calico" || policy == "azure"):
		return invalidParameter("networkProfile.networkPolicy", "the network policy '%s' does not support dual-stack",
			policy)
	}
	services, err := rangesOf("networkProfile.serviceCidrs", network.ServiceCidrs, network.ServiceCidr, families)
	if err != nil {
		return err
	}
	for _, r := range services {
		shortest := facts.AKSServices6
		if r.Addr().Is4() {
			shortest = facts.AKSServices4 + 1
		}
		if r.Bits() < shortest {
			return invalidParameter("networkProfile.serviceCidr", "the range %s is larger than a /%d", r, shortest)
		}
	}
	var pods []netip.Prefix
	if overlay {
		pods, err = rangesOf("networkProfile.podCidrs", network.PodCidrs, network.PodCidr, families)
		if err != nil {
			return err
		}
	}
	for _, r := range append(pods, services...) {
		for _, reserved := range facts.AKSReserved {
			if r.Overlaps(reserved) {
				return invalidParameter("networkProfile", "the range %s overlaps the reserved range %s", r, reserved)
			}
		}
	}
	for _, pod := range pods {
		for _, service := range services {
			if pod.Overlaps(service) {
				return invalidParameter("networkProfile.podCidr", "the range %s overlaps the service CIDR %s", pod,
					service)
			}
		}
	}
	return nil
}

// rangesOf returns the ranges of a list, or else the single one, after it compared them with the families.
func rangesOf(path string, many []*string, single *string, families []string) ([]netip.Prefix, error) {
	list := texts(many)
	if len(list) == 0 && single != nil {
		list = []string{*single}
	}
	if n := len(list); n > 0 && n < len(families) {
		return nil, invalidParameter(path, "%d ranges are fewer than the %d IP families", n, len(families))
	}
	var all []netip.Prefix
	for i, text := range list {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, invalidParameter(path, "'%s' is not a valid range of addresses", text)
		}
		if i >= len(families) || prefix.Addr().Is4() != (families[i] == "IPv4") {
			return nil, invalidParameter(path, "the range %s does not match the IP families", text)
		}
		all = append(all, prefix.Masked())
	}
	return all, nil
}

// texts returns the values of a list of the SDK.
func texts[T ~string](list []*T) []string {
	var all []string
	for _, item := range list {
		all = append(all, string(value(item)))
	}
	return all
}
