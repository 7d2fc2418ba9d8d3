package facts

import "net/netip"

// Networks of clusters that do not set them.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/rest/api/aks/managed-clusters/create-or-update
const (
	AKSPods     = "10.244.0.0/16"
	AKSServices = "10.0.0.0/16"
	AKSDNS      = "10.0.0.10"
)

// Ranges of clusters with IPv6 that do not set them.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/azure-cni-overlay
const (
	AKSPodsOfIPv6     = "fd12:3456:789a::/64"
	AKSServicesOfIPv6 = "fd12:3456:789a:1::/108"
)

// AKSReserved are the ranges that neither pods, nor Services, nor the network of a cluster in AKS may overlap.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/concepts-network-legacy-cni
var AKSReserved = []netip.Prefix{
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("172.30.0.0/16"),
	netip.MustParsePrefix("172.31.0.0/16"), netip.MustParsePrefix("192.0.2.0/24"),
}

// VNetReserved are the ranges that no virtual network of Azure may overlap.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq
var VNetReserved = []netip.Prefix{
	netip.MustParsePrefix("224.0.0.0/4"), netip.MustParsePrefix("255.255.255.255/32"),
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("168.63.129.16/32"),
}

// AKSPodsOfNode is the length of the prefix that each node of Azure CNI Overlay takes from the range of pods, whatever
// its maxPods is. Services have a prefix longer than AKSServices4, and with IPv6 none shorter than AKSServices6.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay
const (
	AKSPodsOfNode = 24
	AKSServices4  = 12
	AKSServices6  = 108
)
