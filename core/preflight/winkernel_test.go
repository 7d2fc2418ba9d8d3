package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestServicesThatWindowsNodesServeInAnotherWay(t *testing.T) {
	t.Parallel()
	const (
		shop   = "selector: {app: shop}, "
		ranges = shop + "type: LoadBalancer, loadBalancerSourceRanges: ['192.0.2.0/24']"
		zone   = shop + "trafficDistribution: PreferSameZone"
		ips    = shop + "externalIPs: [192.0.2.10]"
		sctp   = shop + "ports: [{port: 80}, {port: 3868, protocol: SCTP}]"
	)
	windows, linux := deploy("shop", inWindows), deploy("shop", inLinux)
	cluster := mixed(platform.WindowsServer2022)
	v135, v136 := preflight.Options{KubernetesVersion: "1.35"}, preflight.Options{KubernetesVersion: "1.36"}
	runAcrossCases(t, []acrossCase{
		{
			name: "source ranges", objects: service(ranges) + windows, options: cluster,
			want: []string{"0 warning spec.loadBalancerSourceRanges: is not enforced by Windows nodes, which accept " +
				"the packets of all clients: make sure that the load balancer filters, or that it sends the traffic " +
				"to Linux nodes only (MK606)"},
		},
		{name: "source ranges on AKS", objects: service(ranges) + windows, options: on(topology.AKS)},
		{name: "source ranges on EKS", objects: service(ranges) + windows, options: on(topology.EKS)},
		{name: "source ranges on GKE", objects: service(ranges) + windows, options: on(topology.GKE)},
		{name: "source ranges without a topology", objects: service(ranges) + windows},
		{name: "source ranges of Linux pods", objects: service(ranges) + linux, options: cluster},
		{
			name: "source ranges that are not known", options: cluster,
			objects: service(strings.Replace(ranges, "['192.0.2.0/24']", "$unknown", 1)) + windows,
		},
		{
			name: "a traffic distribution", objects: service(zone) + windows,
			want: []string{`0 warning spec.trafficDistribution: "PreferSameZone": has no effect for clients on ` +
				`Windows nodes: remove it, or expect traffic between zones from clients on Windows nodes (MK607)`},
		},
		{name: "a traffic distribution of Linux pods", objects: service(zone) + linux},
		{
			name:    "a traffic distribution that is not known",
			objects: service(shop+"trafficDistribution: $unknown") + windows,
		},
		{
			name: "external addresses", objects: service(ips) + windows, options: v136,
			want: []string{"0 warning spec.externalIPs: is deprecated since Kubernetes 1.36: use a load balancer, or " +
				"an Ingress or a Gateway (MK608)"},
		},
		{name: "external addresses before 1.36", objects: service(ips) + windows, options: v135},
		{name: "external addresses without a version", objects: service(ips) + windows},
		{name: "external addresses of Linux pods", objects: service(ips) + linux, options: v136},
		{name: "a headless Service", objects: service(ips+", clusterIP: None") + windows, options: v136},
		{name: "an external name", objects: service(ips+", type: ExternalName") + windows, options: v136},
		{name: "a type that is not known", objects: service(ips+", type: $unknown") + windows, options: v136},
		{
			name: "SCTP", objects: service(sctp) + windows,
			want: []string{`0 warning spec.ports[1].protocol: "SCTP": does not reach Windows pods: use TCP or UDP ` +
				`(MK609)`},
		},
		{name: "SCTP of Linux pods", objects: service(sctp) + linux},
		{name: "UDP", objects: service(strings.Replace(sctp, "SCTP", "UDP", 1)) + windows},
		{name: "a protocol that is not known", objects: service(strings.Replace(sctp, "SCTP", "$unknown", 1)) +
			windows},
	})
	port := func(protocol string) string { return "ports: [{containerPort: 3868, protocol: " + protocol + "}]" }
	wantFindings(t, object(t, inPod("windows", "", port("SCTP"))), v136, "MK609",
		`spec.containers[0].ports[0].protocol: "SCTP": does not reach Windows pods: use TCP or UDP (MK609)`)
	wantFindings(t, object(t, inPod("windows", "", port("UDP"))), v136, "MK609")
	wantFindings(t, object(t, inPod("windows", "", port("'$unknown'"))), v136, "MK609")
	wantFindings(t, object(t, inPod("linux", "", port("SCTP"))), v136, "MK609")
}

func TestVerticalAutoscalersOfWindowsPods(t *testing.T) {
	t.Parallel()
	scaler := func(spec string) string {
		return "{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {name: shop, namespace: " +
			"shop}, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}" + spec + "}}\n---\n"
	}
	mode := func(mode string) string { return scaler(", updatePolicy: {updateMode: " + mode + "}") }
	const changes = "changes the requests of Windows pods, which the VerticalPodAutoscaler of AKS does not support: " +
		"set it to Off, or remove the VerticalPodAutoscaler (MK572)"
	windows, aks := deploy("shop", inWindows), on(topology.AKS)
	runAcrossCases(t, []acrossCase{
		{
			name: "by default", objects: scaler("") + windows, options: aks,
			want: []string{"0 warning spec.updatePolicy.updateMode: " + changes},
		},
		{
			name: "in place", objects: mode("InPlaceOrRecreate") + windows, options: aks,
			want: []string{`0 warning spec.updatePolicy.updateMode: "InPlaceOrRecreate": ` + changes},
		},
		{name: "off", objects: mode("'Off'") + windows, options: aks},
		{name: "a mode that is not known", objects: mode("$unknown") + windows, options: aks},
		{name: "another cloud", objects: scaler("") + windows, options: on(topology.EKS)},
		{name: "no topology", objects: scaler("") + windows},
		{name: "Linux pods", objects: scaler("") + deploy("shop", inLinux), options: aks},
		{name: "other pods", objects: scaler("") + deploy("store", inWindows), options: aks},
		{
			name: "a target that is not known", options: aks,
			objects: strings.Replace(scaler(""), "name: shop}", "name: $unknown}", 1) + windows,
		},
		{
			name: "a kind of another group", options: aks,
			objects: strings.Replace(scaler(""), "autoscaling.k8s.io", "example.com", 1) + windows,
		},
	})
}

func TestProxiesOfWorkloadIdentity(t *testing.T) {
	t.Parallel()
	const inject = "azure.workload.identity/inject-proxy-sidecar"
	pod := func(label, annotation, spec string) string {
		return "kind: Deployment\nmetadata: {name: shop, namespace: shop}\nspec: {template: {metadata: {labels: " +
			"{azure.workload.identity/use: " + label + "}, annotations: {" + inject + ": " + annotation +
			"}}, spec: {containers: [{name: shop, image: shop.example.com/shop}], " + spec + "}}}\n---\n"
	}
	const yes, no = "'true'", "'false'"
	for _, tt := range []struct {
		name, object string
		want         []string
	}{
		{"both", pod(yes, yes, inWindows), []string{"0 warning spec.template.metadata.annotations[" + inject + `]: ` +
			`"true": these Windows pods get the proxy of workload identity, which is for Linux: remove it, and get ` +
			`tokens with a library of Azure Identity (MK552)`}},
		{"no proxy", pod(yes, no, inWindows), nil},
		{"no identity", pod(no, yes, inWindows), nil},
		{"an annotation that is not known", pod(yes, "$unknown", inWindows), nil},
		{"a label that is not known", pod("$unknown", yes, inWindows), nil},
		{"Linux pods", pod(yes, yes, inLinux), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffFindings(t, tt.want, acrossTexts(t, preflight.Options{}, tt.object, "MK552"))
		})
	}
}
