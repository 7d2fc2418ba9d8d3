package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/topology"
)

func TestClustersHaveFeaturesThatAreNotMissing(t *testing.T) {
	t.Parallel()
	bare := mixed(func(t *topology.Topology) { t.MissingFeatures = topology.Features() })
	installed := bare.With(topology.ResourceMetrics, topology.GMSAWebhook)
	for f, want := range map[topology.Feature]bool{
		topology.LoadBalancers: false, topology.ResourceMetrics: true, topology.WindowsHostPorts: false,
		topology.GMSAWebhook: true,
	} {
		if !mixed(nil).Has(f) || bare.Has(f) || installed.Has(f) != want {
			t.Errorf("%s: got %t, %t and %t, want true, false and %t", f, mixed(nil).Has(f), bare.Has(f),
				installed.Has(f), want)
		}
	}
	if diff := cmp.Diff(topology.Features(), bare.MissingFeatures); diff != "" {
		t.Errorf("With has changed what it was called on (-want +got):\n%s", diff)
	}
}

func TestFeaturesAreChecked(t *testing.T) {
	t.Parallel()
	bare := mixed(func(t *topology.Topology) {
		t.MissingFeatures = []topology.Feature{"load-balancers", "load-balancer", "gpu", "", "load-balancers"}
	})
	const all = "(use gmsa-webhook, load-balancers, resource-metrics, windows-host-ports, windows-ipam or " +
		"windows-network-policies)"
	wantErrors(t, bare.Validate(nil),
		`missingFeatures[1]: Invalid value: "load-balancer": unknown feature: did you mean "load-balancers"? `+all,
		`missingFeatures[2]: Invalid value: "gpu": unknown feature `+all,
		`missingFeatures[3]: Invalid value: "": unknown feature `+all,
		`missingFeatures[4]: Duplicate value: "load-balancers": missingFeatures[0] names it already: `+
			"remove one of them")
}
