package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// without returns a cluster without some features.
func without(features ...topology.Feature) preflight.Options {
	return preflight.Options{Topology: topology.Topology{
		KubernetesVersion: "1.36", MissingFeatures: features,
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "win22", Platform: platform.WindowsServer2022},
		},
	}}
}

func TestMissingFeatures(t *testing.T) {
	t.Parallel()
	const (
		address = "gets no address: nothing in this cluster provides load balancers: use NodePort, or install a " +
			"controller and remove load-balancers from missingFeatures in the topology (MK801)"
		metrics = "cannot be read: nothing in this cluster serves the metrics of pods: install Metrics Server and " +
			"remove resource-metrics from missingFeatures in the topology (MK802)"
		ports = "has no effect: the network of the Windows nodes maps no host ports: use a Service of type " +
			"NodePort (MK803)"
		webhook = "has no effect: the cluster has no webhook that sets the credential spec: install it " +
			"(components/gmsa, NewWebhook) and remove gmsa-webhook from missingFeatures in the topology (MK804)"
		perhaps = "has an effect only if the gMSA webhook sets the credential spec: make sure that the " +
			"cluster has it (MK805)"
		windows = "apiVersion: v1, kind: Pod, spec: {os: {name: windows}, "
	)
	for _, tt := range []struct {
		name, object string
		want         []string
		// unknown are the findings without a topology.
		unknown []string
	}{
		{
			"a load balancer", "apiVersion: v1, kind: Service, spec: {type: LoadBalancer}",
			[]string{`spec.type: "LoadBalancer": ` + address},
			nil,
		},
		{
			"one with a class", "apiVersion: v1, kind: Service, spec: {type: LoadBalancer, loadBalancerClass: " +
				"example.com/metal}", nil, nil,
		},
		{
			"one whose class is not known",
			`apiVersion: v1, kind: Service, spec: {type: LoadBalancer, loadBalancerClass: "$unknown"}`, nil, nil,
		},
		{"a node port", "apiVersion: v1, kind: Service, spec: {type: NodePort}", nil, nil},
		{"a type that is not known", `apiVersion: v1, kind: Service, spec: {type: "$unknown"}`, nil, nil},
		{
			"a Service of Knative", "apiVersion: serving.knative.dev/v1, kind: Service, spec: {type: LoadBalancer}",
			nil, nil,
		},

		{
			"version 1 of an autoscaler",
			"apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}",
			[]string{"spec.metrics: the CPU of the pods " + metrics},
			nil,
		},
		{"CPU and memory", "apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {metrics: [{type: " +
			"Resource}, {type: External}, {type: ContainerResource}]}", []string{
			`spec.metrics[0].type: "Resource": ` + metrics, `spec.metrics[2].type: "ContainerResource": ` + metrics,
		}, nil},
		{
			"metrics of others",
			"apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, " +
				"spec: {metrics: [{type: Pods}, {type: Object}]}",
			nil, nil,
		},
		{
			"metrics that are not known",
			`apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {metrics: "$unknown"}`, nil, nil,
		},

		{"host ports", windows + "containers: [{ports: [{containerPort: 80}, {containerPort: 80, hostPort: 80}]}], " +
			"initContainers: [{ports: [{hostPort: 81}]}]}", []string{
			"spec.containers[0].ports[1].hostPort: 80: " + ports,
			"spec.initContainers[0].ports[0].hostPort: 81: " + ports,
		}, nil},
		{"host ports of 0", windows + "containers: [{ports: [{hostPort: 0}]}]}", nil, nil},
		{
			"ports in the node's network",
			windows + "hostNetwork: true, containers: [{ports: [{containerPort: 80, hostPort: 80}]}]}", nil, nil,
		},
		{
			"host ports of Linux pods",
			"apiVersion: v1, kind: Pod, spec: {os: {name: linux}, containers: [{ports: [{hostPort: 80}]}]}", nil, nil,
		},

		{"identities", windows + "securityContext: {windowsOptions: {gmsaCredentialSpecName: shop}}, containers: " +
			"[{securityContext: {windowsOptions: {gmsaCredentialSpecName: db}}}]}", []string{
			`spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: "db": ` + webhook,
			`spec.securityContext.windowsOptions.gmsaCredentialSpecName: "shop": ` + webhook,
		}, []string{
			`spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: "db": ` + perhaps,
			`spec.securityContext.windowsOptions.gmsaCredentialSpecName: "shop": ` + perhaps,
		}},
		{
			"an identity that is written out",
			windows + "securityContext: {windowsOptions: {gmsaCredentialSpecName: shop, gmsaCredentialSpec: '{}'}}}",
			nil, nil,
		},
		{"no identity", windows + "securityContext: {windowsOptions: {runAsUserName: ContainerUser}}}", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := object(t, "{"+tt.object+"}")
			wantFindings(t, o, without(topology.Features()...), "MK80", tt.want...)
			wantFindings(t, o, without(), "MK80")
			wantFindings(t, o, preflight.Options{}, "MK80", tt.unknown...)
		})
	}
}

// Each rule checks only its own feature.
func TestOneFeatureIsMissing(t *testing.T) {
	t.Parallel()
	for feature, text := range map[topology.Feature]string{
		topology.LoadBalancers:   "apiVersion: v1, kind: Service, spec: {type: LoadBalancer}",
		topology.ResourceMetrics: "apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}",
		topology.WindowsHostPorts: "apiVersion: v1, kind: Pod, spec: {os: {name: windows}, containers: [{ports: " +
			"[{hostPort: 80}]}]}",
		topology.GMSAWebhook: "apiVersion: v1, kind: Pod, spec: {os: {name: windows}, securityContext: " +
			"{windowsOptions: {gmsaCredentialSpecName: shop}}}",
	} {
		for _, missing := range topology.Features() {
			found := 0
			for _, f := range preflight.Check(object(t, "{"+text+"}"), without(missing)) {
				if f.Rule[:4] == "MK80" {
					found++
				}
			}
			if want := map[bool]int{true: 1}[missing == feature]; found != want {
				t.Errorf("%s on a cluster that lacks %s: got %d findings, want %d", text, missing, found, want)
			}
		}
	}
}
