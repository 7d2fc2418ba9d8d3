package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestLoadBalancersOfIPv6OnAKS(t *testing.T) {
	t.Parallel()
	const fix = "the probes of Azure's load balancer may not reach pods over IPv6: set it to Local, and test the " +
		"Service (MK610)"
	for _, tt := range []struct {
		spec  string
		cloud topology.Cloud
		want  []string
	}{
		{"type: LoadBalancer, ipFamilies: [IPv6]", topology.AKS, []string{"spec.externalTrafficPolicy: " + fix}},
		{
			"type: LoadBalancer, ipFamilies: [IPv6], externalTrafficPolicy: Cluster", topology.AKS,
			[]string{`spec.externalTrafficPolicy: "Cluster": ` + fix},
		},
		{"type: LoadBalancer, ipFamilies: [IPv6], externalTrafficPolicy: Local", topology.AKS, nil},
		{"type: LoadBalancer, ipFamilies: [IPv6], externalTrafficPolicy: $unknown", topology.AKS, nil},
		{"type: LoadBalancer, ipFamilies: [IPv4]", topology.AKS, nil},
		{"type: LoadBalancer, ipFamilies: [IPv6], ipFamilyPolicy: PreferDualStack", topology.AKS, nil},
		{"type: LoadBalancer, ipFamilies: $unknown", topology.AKS, nil},
		{"type: ClusterIP, ipFamilies: [IPv6]", topology.AKS, nil},
		{"type: LoadBalancer, ipFamilies: [IPv6]", topology.EKS, nil},
	} {
		object := fromYAML(t, "{apiVersion: v1, kind: Service, metadata: {name: shop}, spec: {"+tt.spec+"}}")[0]
		wantFindings(t, object, preflight.Options{Topology: on(tt.cloud).Topology}, "MK610", tt.want...)
	}
}
