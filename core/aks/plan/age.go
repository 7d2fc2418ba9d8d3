package plan

import (
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// usedFacts are the tables that the rules of this package and of package support use. A test compares them with the
// code.
var usedFacts = []string{
	"AKSAuthorizedRanges", "AKSAuthorizedRangesInVNet", "AKSCertificates", "AKSClusterNodes", "AKSDNS",
	"AKSDefaultPods", "AKSDrainTimeout", "AKSFreeNodes", "AKSImageCleanerHours", "AKSMaxPods", "AKSNATIPs",
	"AKSNetworkPolicyManagerEnds", "AKSNewest", "AKSNodeSoak", "AKSNodes", "AKSOSDisk", "AKSOldest",
	"AKSOptionEnds", "AKSOutboundIPs", "AKSOutboundIdle", "AKSOutboundPorts", "AKSOutboundPortsStep",
	"AKSOverlayNames", "AKSPods", "AKSPodsOfNode", "AKSPoolName", "AKSPortsOfAddress", "AKSProxyCertificates",
	"AKSReleases", "AKSReserved", "AKSRoutingZones", "AKSServices", "AKSServices4", "AKSServices6", "AKSSystemPods",
	"AKSWindowsPoolName", "SKUReleases", "SKUs",
}

var factsOld = engine.Rule{
	Rule: rule.Rule{
		ID: "MK888", Severity: rule.Info, Title: "facts about AKS that are more than half a year old",
		Page: rulepages.AKS, Reason: aged.Reason, Source: versionsPage,
	},
	Checks: []engine.Check{engine.On(days, func(day factDay) []rule.Problem {
		return aged.Problems("kubernetesVersion", time.Time(day), usedFacts...)
	})},
}

// CheckFacts returns an info if what this package knows about AKS was looked up more than half a year before today.
func CheckFacts(today time.Time) []rule.Finding { return find(factDay(today)) }
