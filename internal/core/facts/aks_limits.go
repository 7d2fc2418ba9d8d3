package facts

// Range is the smallest and the largest value of a number.
type Range struct{ Min, Max int }

// Has reports whether a number is in the range.
func (r Range) Has(n int) bool { return n >= r.Min && n <= r.Max }

// AKSPools is how many pools a cluster can have.
//
//facts:seen 2026-07-01 https://learn.microsoft.com/azure/aks/quotas-skus-regions
var AKSPools = Range{1, 100}

// AKSNodes is how many nodes a pool can have. A system pool has one or more.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update
var AKSNodes = Range{0, 1000}

// AKSMaxPods is how many pods a node can have room for, and AKSDefaultPods how many it has room for by default in each
// kind of network. The nodes of a system pool need room for AKSSystemPods together.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning
var (
	AKSMaxPods     = Range{10, 250}
	AKSDefaultPods = struct{ Overlay, PodSubnet, NodeSubnet int }{250, 110, 30}
	AKSSystemPods  = 30
)

// Waits in an upgrade, in minutes. The page about rolling upgrades has 5 minutes for the shortest drain timeout, and the
// page about blue-green upgrades and the API have 1.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/blue-green-node-pool-upgrade
var (
	AKSDrainTimeout = Range{1, 1440}
	AKSNodeSoak     = Range{0, 30}
)

// AKSDefaultDrainTimeout is how many minutes an upgrade waits for the pods of a node.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/resize-node-pool
var AKSDefaultDrainTimeout = 30

// AKSOSDisk is the size of an OS disk, in GiB.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update
var AKSOSDisk = Range{30, 2048}

// Numbers of the outbound traffic. AKSOutboundPorts is the number of ports that a node can have, a multiple of
// AKSOutboundPortsStep; one address has AKSPortsOfAddress of them. AKSOutboundIPs and AKSNATIPs are how many addresses
// AKS creates for a load balancer, and for a NAT gateway. AKSOutboundIdle is how many minutes an idle connection lasts.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/configure-load-balancer-standard
var (
	AKSOutboundPorts     = Range{0, 64000}
	AKSOutboundPortsStep = 8
	AKSPortsOfAddress    = 64000
	AKSOutboundIPs       = Range{1, 100}
	AKSNATIPs            = Range{1, 16}
	AKSOutboundIdle      = Range{4, 120}
)

// LoadBalancerRules is how many rules a load balancer of Azure can have.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/use-multiple-standard-load-balancer
const LoadBalancerRules = 300

// AKSAuthorizedRanges is how many ranges can have access to the API server. With API Server VNet Integration there can
// be AKSAuthorizedRangesInVNet.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges
var (
	AKSAuthorizedRanges       = Range{0, 200}
	AKSAuthorizedRangesInVNet = Range{0, 2000}
)

// AKSProxyCertificates is how many trusted certificates an HTTP proxy can have.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/http-proxy
var AKSProxyCertificates = Range{0, 20}

// AKSPoolName and AKSWindowsPoolName are the lengths of the names of pools.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/create-node-pools
var (
	AKSPoolName        = Range{1, 12}
	AKSWindowsPoolName = Range{1, 6}
)

// AKSCertificates is how many certificate authorities a cluster can have.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/custom-certificate-authority
var AKSCertificates = Range{0, 10}

// AKSImageCleanerHours is how often Image Cleaner runs, in hours.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/image-cleaner
var AKSImageCleanerHours = Range{24, 2160}

// AKSClusterNodes is how many nodes a cluster can have, and AKSFreeNodes how many with the tier Free.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers
var (
	AKSClusterNodes = Range{1, 5000}
	AKSFreeNodes    = Range{1, 1000}
)

// AKSRoutingZones is how many DNS zones application routing can have.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/app-routing
var AKSRoutingZones = Range{0, 5}

// AKSOverlayNames is the length of the names of the subnet, of its network and of the group of the network, which are
// labels of nodes in Azure CNI Overlay.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay
var AKSOverlayNames = Range{1, 63}

// AKSEphemeralDisk is how many GiB an ephemeral OS disk has room for at least, if the pool sets no size.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/concepts-storage
const AKSEphemeralDisk = 128

// AKSPassword is the length of the shortest password of the administrator of Windows nodes.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/learn/quick-windows-container-deploy-cli
const AKSPassword = 14

// AKSDefaultSurge is the share of a pool's nodes that an upgrade adds by default, in percent. The page about rolling
// upgrades has one node, as before Kubernetes 1.32.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/best-practices-performance-scale-large
const AKSDefaultSurge = 10

// AKSCertificateKB is how many KB the certificates of an HTTP proxy, and own certificate authorities, can have in a new
// cluster. The note names neither the encoding nor a limit of both together.
//
//facts:seen 2026-09-09 https://github.com/Azure/AKS/pull/5948
const AKSCertificateKB = 35
