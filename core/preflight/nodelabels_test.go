package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/topology"
)

func TestUnknownOperatingSystems(t *testing.T) {
	t.Parallel()
	image := container("shop.example.com/shop:1.4")
	selects := func(values string) string {
		return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
			"[{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [" + values + "]}]}]}}}\n" + image
	}
	const fix = ": matches no node: the values are linux and windows: write one of them (MK318)"
	runPodCases(t, []podCase{
		{
			name: "short", spec: "nodeSelector: {kubernetes.io/os: win}\n" + image,
			want: []string{`error spec.nodeSelector[kubernetes.io/os]: "win"` + fix},
		},
		{
			name: "an unreplaced variable",
			spec: "nodeSelector: {kubernetes.io/os: $NODE_SELECTOR_OS}\n" + image,
			want: []string{`error spec.nodeSelector[kubernetes.io/os]: "$NODE_SELECTOR_OS"` + fix},
		},
		{
			name: "a word in place of a value",
			spec: "nodeSelector: {kubernetes.io/os: REPLACE_ME}\n" + image,
			want: []string{
				`warning spec.nodeSelector[kubernetes.io/os]: "REPLACE_ME": matches no node: the values are ` +
					`linux and windows: put a value in place of the placeholder first (MK318)`,
			},
		},
		{
			name: "in an affinity", spec: selects("win, win10"),
			want: []string{
				`error spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.` +
					`nodeSelectorTerms[0].matchExpressions[0].values[0]: "win"` + fix,
			},
		},
		{name: "one of several is right", spec: selects("win, windows")},
		{name: "of the kubelets of others", spec: "nodeSelector: {kubernetes.io/os: darwin}\n" + image},
		{name: "not known", spec: "nodeSelector: {kubernetes.io/os: $unknown}\n" + image},
	})
}

func TestReleaseFromLabelsOfAzure(t *testing.T) {
	t.Parallel()
	sku := func(value string) string { return "nodeSelector: {kubernetes.azure.com/os-sku: " + value + "}\n" }
	const image2022 = "mcr.microsoft.com/windows/servercore:ltsc2022"
	runPodCases(t, []podCase{
		{
			name: "an image of another release", spec: sku("Windows2019") + container(image2022), options: v136,
			want: []string{"error spec.containers[0].image: … (MK201)"},
		},
		{
			name: "a Linux SKU", spec: sku("AzureLinux") + container(image2022), options: v136,
			want: []string{`error spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2022": is a ` +
				`Windows image, but the node selector kubernetes.azure.com/os-sku=AzureLinux makes these Linux pods: ` +
				`use a Linux image (MK202)`},
		},
		{
			name: "against the label of Kubernetes", options: v136,
			spec: "nodeSelector: {kubernetes.azure.com/os-sku: Windows2022, kubernetes.io/os: linux}\n" +
				container("shop.example.com/shop:1.4"),
			want: []string{`error spec.nodeSelector[kubernetes.azure.com/os-sku]: "Windows2022": says Windows, but ` +
				`the node selector kubernetes.io/os=linux says Linux: make them agree, or remove one (MK207)`},
		},
		{name: "the same release", spec: sku("Windows2022") + container(image2022), options: v136},
		{name: "an unknown SKU", spec: sku("Flatcar") + container("shop.example.com/shop:1.4"), options: v136},
	})
}

func TestLabelsOfAKSThatAreDeprecated(t *testing.T) {
	t.Parallel()
	pod := func(label string) map[string]any {
		return object(t, inPod("windows", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
			"{nodeSelectorTerms: [{matchExpressions: [{key: "+label+", operator: Exists}]}]}}}", ""))
	}
	const key = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]." +
		"matchExpressions[0].key: AKS plans to remove "
	wantFindings(t, pod("agentpool"), on(topology.AKS), "MK320",
		key+"agentpool: use kubernetes.azure.com/agentpool (MK320)")
	wantFindings(t, pod("kubernetes.azure.com/scalesetpriority"), on(topology.AKS), "MK320",
		key+"kubernetes.azure.com/scalesetpriority: use kubernetes.azure.com/priority (MK320)")
	wantFindings(t, pod("kubernetes.azure.com/agentpool"), on(topology.AKS), "MK320")
	wantFindings(t, pod("agentpool"), on(topology.EKS), "MK320")
}
