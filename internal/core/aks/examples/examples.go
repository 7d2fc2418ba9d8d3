package examples

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/rule"
)

// Example is a cluster with something wrong, and a similar cluster without findings.
type Example struct {
	Name string
	// Bad and Fine change the cluster of [Good]. Either can be nil.
	Bad, Fine func(c *plan.Cluster)
	// Want has the severity, path and rule of each finding about the bad one.
	Want []string
}

// Clusters returns the examples of rules about all clusters, which [plan.CheckCluster] checks.
func Clusters() []Example {
	return slices.Concat(poolExamples, nodeExamples, poolOptionExamples, versionExamples, networkExamples,
		outboundExamples, nameExamples, adminExamples, optionExamples, clusterExamples, loginExamples,
		retirementExamples,
		diskExamples, referenceExamples, imageExamples, kindExamples, tierExamples, clusterOptionExamples,
		limitExamples, featureExamples)
}

// Creations returns the examples of rules about clusters that do not exist yet, which [plan.CheckCreation] checks.
func Creations() []Example {
	return slices.Concat(creationExamples, rangeExamples, accessExamples, creationLimits)
}

// reachExamples are examples of clusters that were looked up.
var reachExamples = []Example{{
	Name: "an API server without ranges",
	Want: []string{"info: apiServer.authorizedIPRanges (MK770)"},
}}

// Finding returns the finding of a rule about the first example that breaks it, or false if there is no example.
func Finding(id string) (rule.Finding, bool) {
	for _, group := range []struct {
		examples []Example
		check    func(plan.Cluster) []rule.Finding
	}{
		{reachExamples, func(c plan.Cluster) []rule.Finding { return plan.CheckReach(c, plan.InAzure{}) }},
		{Clusters(), plan.CheckCluster},
		{Creations(), plan.CheckCreation},
	} {
		for _, e := range group.examples {
			if !slices.ContainsFunc(e.Want, func(w string) bool { return strings.HasSuffix(w, "("+id+")") }) {
				continue
			}
			for _, f := range group.check(Good(e.Bad)) {
				if f.Rule == id {
					return f, true
				}
			}
		}
	}
	return rule.Finding{}, false
}
