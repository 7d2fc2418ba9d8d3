package plan

import "slices"

// usedFacts are the tables that the rules of this package and of package support use. A test compares them with the
// code.
var usedFacts = []string{
	"AKSAuthorizedRanges", "AKSAuthorizedRangesInVNet", "AKSCertificateKB", "AKSCertificates", "AKSClusterNodes",
	"AKSDNS", "AKSDefaultDrainTimeout", "AKSDefaultPods", "AKSDefaultSurge", "AKSDrainTimeout", "AKSEphemeralDisk",
	"AKSFreeNodes", "AKSImageCleanerHours", "AKSMaxPods", "AKSNATIPs", "AKSNewest", "AKSNodeSoak", "AKSNodes",
	"AKSOSDisk", "AKSOldest", "AKSOptionEnds", "AKSOutboundIPs", "AKSOutboundIdle", "AKSOutboundPorts",
	"AKSOutboundPortsStep", "AKSOverlayNames", "AKSPassword", "AKSPods", "AKSPodsOfNode", "AKSPoolChanges",
	"AKSPoolName", "AKSPortsOfAddress", "AKSPreviewChanges", "AKSProxyCertificates", "AKSReleases", "AKSReserved",
	"AKSRoutingZones", "AKSServices", "AKSServices4", "AKSServices6", "AKSSystemPods", "AKSWindowsPoolName",
	"SKUReleases", "SKUs",
}

// UsedFacts returns the names of the facts that the checks of a cluster use: see [support.CheckFacts].
func UsedFacts() []string { return slices.Clone(usedFacts) }
