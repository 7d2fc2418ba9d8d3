package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// acrossTexts returns the findings of some rules for all objects of a text, each alone and all together.
func acrossTexts(t *testing.T, options preflight.Options, text string, rules ...string) []string {
	t.Helper()
	objects := fromYAML(t, text)
	checker := preflight.New(options)
	across := acrossOf(t, options, objects)
	var got []string
	for i, o := range objects {
		for _, f := range preflight.Join(checker.Check(o), across[i]) {
			for _, rule := range rules {
				if f.Rule == rule {
					got = append(got, fmt.Sprintf("%d %s %s", i, f.Severity, f))
				}
			}
		}
	}
	return got
}

func TestSidecarsForLinux(t *testing.T) {
	t.Parallel()
	const windows = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}"
	// pod returns a Deployment whose pods have more metadata.
	pod := func(metadata, spec string) string {
		return "kind: Deployment\nmetadata: {name: shop, namespace: shop}\nspec: {template: {metadata: {" + metadata +
			"}, spec: {containers: [{name: shop, image: shop.example.com/shop}], " + spec + "}}}\n---\n"
	}
	namespace := func(metadata string) string {
		return "kind: Namespace\nmetadata: {name: shop, " + metadata + "}\n---\n"
	}
	istio := func(i int, value, by string) []string {
		return []string{fmt.Sprintf("%d warning spec.template.metadata.labels[sidecar.istio.io/inject]: %sthese "+
			"Windows pods get Istio's sidecar, which is for Linux, by %s: write \"false\" (MK550)", i, value, by)}
	}
	linkerd := func(i int, value, by string) []string {
		return []string{fmt.Sprintf("%d warning spec.template.metadata.annotations[linkerd.io/inject]: %sthese "+
			"Windows pods get Linkerd's proxy for Linux, by %s: write disabled, or name the proxy for Windows with "+
			"config.linkerd.io/proxy-image (MK551)", i, value, by)}
	}
	const inIstio, inLinkerd = "labels: {istio-injection: enabled}", "annotations: {linkerd.io/inject: enabled}"
	const byLabels = "the labels of the namespace shop"
	for _, tt := range []struct {
		name, objects string
		want          []string
	}{
		{"a label", pod("labels: {sidecar.istio.io/inject: 'true'}", windows), istio(0, `"true": `, "this label")},
		{"a label on Linux", pod("labels: {sidecar.istio.io/inject: 'true'}", "os: {name: linux}"), nil},
		{"a label that says no", pod("labels: {sidecar.istio.io/inject: 'false'}", windows), nil},
		{"the namespace", namespace(inIstio) + pod("", windows), istio(1, "", byLabels)},
		{"a revision", namespace("labels: {istio.io/rev: asm-1-27}") + pod("", windows), istio(1, "", byLabels)},
		{
			"a revision that is off", namespace("labels: {istio.io/rev: asm-1-27, istio-injection: disabled}") +
				pod("", windows), nil,
		},
		{
			"a label in the namespace", namespace(inIstio) + pod("labels: {sidecar.istio.io/inject: 'true'}", windows),
			istio(1, `"true": `, "this label"),
		},
		{
			"an annotation against the namespace", namespace(inIstio) +
				pod("annotations: {sidecar.istio.io/inject: 'false'}", windows), nil,
		},
		{
			"a namespace that Istio ignores", strings.NewReplacer("name: shop",
				"name: kube-system").Replace(namespace(inIstio)) +
				strings.Replace(pod("", windows), "namespace: shop", "namespace: kube-system", 1), nil,
		},
		{
			"another namespace", strings.Replace(namespace(inIstio), "name: shop", "name: bank", 1) + pod("", windows),
			nil,
		},
		{
			"host-process pods", namespace(inIstio) + pod("", windows+", hostNetwork: true, securityContext: "+
				"{windowsOptions: {hostProcess: true}}"), nil,
		},
		{"two namespaces of a name", namespace(inIstio) + namespace("labels: {}") + pod("", windows), nil},
		{"unknown labels", namespace(inIstio) + pod("labels: $unknown", windows), nil},
		{
			"Linkerd", pod("annotations: {linkerd.io/inject: enabled}", windows),
			linkerd(0, `"enabled": `, "this annotation"),
		},
		{
			"Linkerd in the namespace", namespace(inLinkerd) + pod("", windows),
			linkerd(1, "", "an annotation of the namespace shop"),
		},
		{
			"Linkerd is off in the pods", namespace(inLinkerd) + pod("annotations: {linkerd.io/inject: disabled}",
				windows),
			nil,
		},
		{
			"the proxy for Windows",
			namespace(inLinkerd) + pod("annotations: {config.linkerd.io/proxy-image: proxy-win}", windows), nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffFindings(t, tt.want, acrossTexts(t, v136, tt.objects, "MK550", "MK551"))
		})
	}
}

func TestNetworkPoliciesThatNothingEnforces(t *testing.T) {
	t.Parallel()
	bare := mixed(platform.WindowsServer2022)
	bare.Topology.MissingFeatures = []topology.Feature{topology.WindowsNetworkPolicies}
	const windows, linux = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}",
		"os: {name: linux}, nodeSelector: {kubernetes.io/os: linux}"
	policy := func(selector string) string {
		return "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: shop, namespace: " +
			"shop}\nspec: {podSelector: " + selector + "}\n---\n"
	}
	const found = "0 warning spec.podSelector: selects Windows pods (%s), for which nothing enforces it: install " +
		"an engine that does and remove windows-network-policies from missingFeatures in the topology, or keep these " +
		"pods apart by other means (MK806)"
	const ownPods = "{matchLabels: {app: shop}}"
	for _, tt := range []struct {
		name    string
		options preflight.Options
		objects string
		want    []string
	}{
		{"Windows " +
			"pods", bare, policy(ownPods) + deploy("web", windows), []string{fmt.Sprintf(found, "Deployment/web")}},
		{"all pods", bare, policy("{}") + deploy("web", windows), []string{fmt.Sprintf(found, "Deployment/web")}},
		{
			"many", bare, policy("{}") + deploy("a", windows) + deploy("b", windows) + deploy("c", windows) +
				deploy("d", windows),
			[]string{fmt.Sprintf(found, "Deployment/a, Deployment/b, Deployment/c and others")},
		},
		{"Linux pods", bare, policy(ownPods) + deploy("web", linux), nil},
		{"other pods", bare, policy("{matchLabels: {app: bank}}") + deploy("web", windows), nil},
		{"an engine", mixed(platform.WindowsServer2022), policy(ownPods) + deploy("web", windows), nil},
		{"an unknown selector", bare, policy("$unknown") + deploy("web", windows), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffFindings(t, tt.want, acrossTexts(t, tt.options, tt.objects, "MK806"))
		})
	}
}
