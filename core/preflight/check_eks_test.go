package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// onEKS returns a cluster of EKS without some features.
func onEKS(missing ...topology.Feature) preflight.Options {
	return preflight.Options{Topology: topology.Topology{
		KubernetesVersion: "1.36", Cloud: topology.EKS, MissingFeatures: missing,
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
		},
	}}
}

// addressFindings returns the findings of the EKS rules for objects.
func addressFindings(t *testing.T, options preflight.Options, text string) []string {
	t.Helper()
	objects := fromYAML(t, text)
	checker := preflight.New(options)
	across := acrossOf(t, options, objects)
	var found []string
	for i, object := range objects {
		for _, f := range preflight.Join(checker.Check(object), across[i]) {
			if strings.HasPrefix(f.Rule, "MK87") {
				found = append(found, string(f.Severity)+": "+f.String())
			}
		}
	}
	return found
}

func TestWindowsPodsOnEKSSelectWindows(t *testing.T) {
	t.Parallel()
	const (
		affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
			"[{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}}"
		container = "containers: [{name: web, image: shop.example.com/web}]"
		noAddress = "error: spec.nodeSelector: these Windows pods get no IP address: EKS assigns one to pods that " +
			"select kubernetes.io/os=windows: select kubernetes.io/os=windows in nodeSelector (MK870)"
		class = "---\n{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: own}, handler: " +
			"runhcs-wcow-process, scheduling: {nodeSelector: {%}}}"
	)
	for _, tt := range []struct{ name, spec, more, want string }{
		{name: "by affinity", spec: affinity, want: noAddress},
		{name: "by build", spec: `nodeSelector: {node.kubernetes.io/windows-build: "10.0.20348"}`, want: noAddress},
		{name: "by node", spec: "nodeName: ip-10-0-0-1", want: noAddress},
		{name: "by the selector", spec: "nodeSelector: {kubernetes.io/os: windows}"},
		{name: "by the old label", spec: "nodeSelector: {beta.kubernetes.io/os: windows}"},
		{name: "by one that is not known", spec: `nodeSelector: {kubernetes.io/os: "$unknown"}`},
		{name: "by a selector that is not known", spec: `nodeSelector: "$unknown"`},
		{name: "not at all, which MK301 says", spec: "restartPolicy: Always"},
		{name: "in the node's network", spec: affinity + ", hostNetwork: true"},
		{name: "in one that is not known", spec: affinity + `, hostNetwork: "$unknown"`},
		{
			name: "as host processes",
			spec: affinity + ", hostNetwork: true, securityContext: {windowsOptions: {hostProcess: true}}",
		},
		{name: "by an unknown RuntimeClass", spec: affinity + ", runtimeClassName: elsewhere"},
		{name: "by that of the platform", spec: "runtimeClassName: windows-2022"},
		{
			name: "by one that selects Windows", spec: affinity + ", runtimeClassName: own",
			more: strings.ReplaceAll(class, "%", "kubernetes.io/os: windows"),
		},
		{
			name: "by one that does not", spec: affinity + ", runtimeClassName: own",
			more: strings.ReplaceAll(class, "%", "node.kubernetes.io/windows-build: 10.0.20348"), want: noAddress,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {os: {name: windows}, " + tt.spec + ", " +
				container + "}}\n" + tt.more
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			diffFindings(t, want, addressFindings(t, onEKS(), text))
			noCloud := onEKS()
			noCloud.Topology.Cloud = ""
			if found := addressFindings(t, noCloud, text); found != nil {
				t.Errorf("on another cluster: %v", found)
			}
		})
	}
	own := strings.ReplaceAll(container, "image:", "resources: {limits: {vpc.amazonaws.com/PrivateIPv4Address: "+
		"1}}, image:")
	if found := addressFindings(t, onEKS(), "{apiVersion: v1, kind: Pod, spec: {os: {name: windows}, "+affinity+
		", "+own+"}}"); found != nil {
		t.Errorf("pods that request an address: %v", found)
	}
	if found := addressFindings(t, onEKS(), "{apiVersion: v1, kind: Pod, spec: {os: {name: linux}, "+container+
		"}}"); found != nil {
		t.Errorf("Linux pods: %v", found)
	}
}

func TestWindowsPodsNeedIPAM(t *testing.T) {
	t.Parallel()
	const (
		web = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {os: {name: windows}, nodeSelector: " +
			"{kubernetes.io/os: windows}, containers: [{name: web, image: shop.example.com/web}]}}"
		noIPAM = "warning: spec.containers: these Windows pods get no IP addresses: nothing in this cluster assigns " +
			"them any: add the ConfigMap amazon-vpc-cni to kube-system with enable-windows-ipam: \"true\", or remove " +
			"windows-ipam from missingFeatures in the topology (MK872)"
		off = `error: data[enable-windows-ipam]: "false": disables the IP addresses of Windows pods: write "true", ` +
			`in quotes (MK871)`
		config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: amazon-vpc-cni, namespace: kube-system}, " +
			"data: %}\n"
	)
	for _, tt := range []struct {
		name, config  string
		want, missing []string // without missingFeatures in the topology, and with the feature there
	}{
		{name: "no ConfigMap", missing: []string{noIPAM}},
		{name: "on", config: config, want: nil, missing: nil},
		{
			name: "off", config: strings.ReplaceAll(config, "%", `{enable-windows-ipam: "false"}`), want: []string{off},
			missing: []string{off, noIPAM},
		},
		{
			name: "not said", config: strings.ReplaceAll(config, "%", "{enable-network-policy-controller: 'true'}"),
			missing: []string{noIPAM},
		},
		{name: "in capitals", config: strings.ReplaceAll(config, "%", "{enable-windows-ipam: 'TRUE'}")},
		{name: "not known", config: strings.ReplaceAll(config, "%", `"$unknown"`)},
		{name: "another one", config: "{apiVersion: v1, kind: ConfigMap, metadata: {name: amazon-vpc-cni, namespace: " +
			"shop}, data: {enable-windows-ipam: 'false'}}\n", missing: []string{noIPAM}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := web
			if tt.config != "" {
				text = strings.ReplaceAll(tt.config, "%", "{enable-windows-ipam: 'true'}") + "---\n" + web
			}
			diffFindings(t, tt.want, addressFindings(t, onEKS(), text))
			diffFindings(t, tt.missing, addressFindings(t, onEKS(topology.WindowsIPAM), text))
			linux := onEKS(topology.WindowsIPAM)
			linux.Topology.Pools = linux.Topology.Pools[:1]
			if found := addressFindings(t, linux, strings.TrimSuffix(text, web)); found != nil {
				t.Errorf("without Windows pools: %v", found)
			}
			noCloud := onEKS(topology.WindowsIPAM)
			noCloud.Topology.Cloud = ""
			if found := addressFindings(t, noCloud, text); found != nil {
				t.Errorf("on another cluster: %v", found)
			}
		})
	}
}
