package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	istioOnWindows = rule.Rule{
		ID: "MK550", Severity: rule.Warning, Title: "Istio's sidecar in Windows pods",
		Reason: "Istio has no proxy for Windows, and its webhook ignores the operating system: it adds Linux " +
			"containers to the pods, which then never start. Pods of a namespace with the label " +
			"istio-injection=enabled, or istio.io/rev, are injected unless their own label sidecar.istio.io/inject " +
			"is \"false\"; pods in the network of the node never are.",
		Source: "injectRequired in https://github.com/istio/istio/blob/master/pkg/kube/inject/inject.go, " +
			"https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/, " +
			"https://github.com/istio/istio/issues/27893, https://github.com/istio/istio/issues/39788",
	}
	linkerdOnWindows = rule.Rule{
		ID: "MK551", Severity: rule.Warning, Title: "Linkerd's proxy for Linux in Windows pods",
		Reason: "The image of Linkerd's proxy is for Linux, and its webhook also adds it to Windows pods, which then " +
			"never start. Buoyant publishes an image for Windows, to be set in the annotation " +
			"config.linkerd.io/proxy-image. Pods in the network of the node are never injected.",
		Source: "https://linkerd.io/2/features/proxy-injection/, https://github.com/linkerd/linkerd2/issues/2882, " +
			"https://docs.buoyant.io/buoyant-enterprise-linkerd/latest/features/windows-containers",
	}
)

// Labels and annotations that the webhooks read.
const (
	istioInject    = "sidecar.istio.io/inject" // a label, formerly an annotation
	istioInjection = "istio-injection"
	istioRevision  = "istio.io/rev"
	linkerdInject  = "linkerd.io/inject"
	linkerdImage   = "config.linkerd.io/proxy-image"
)

// istioIgnores are the namespaces where Istio injects nothing: IgnoredNamespaces in
// pkg/kube/inject/inject.go.
var istioIgnores = []string{"kube-system", "kube-public", "kube-node-lease", "local-path-storage"}

// sidecars checks pods that request a proxy themselves.
func (c *check) sidecars(p *judged) {
	labels, annotations := tree.Map(p.Metadata["labels"]), tree.Map(p.Metadata["annotations"])
	if value := labels[istioInject]; isText(value, "true") {
		c.reportIstio(p, value, "this label")
	}
	if value := annotations[linkerdInject]; isText(value, "enabled", "ingress") {
		c.reportLinkerd(p, value, "this annotation")
	}
}

// sidecarsOf checks pods that get a proxy because their namespace requests it.
func (c *check) sidecarsOf(p *judged, namespace map[string]any) {
	name, _ := tree.Text(namespace["name"])
	labels := tree.Map(namespace["labels"])
	podLabels := tree.Map(p.Metadata["labels"])
	injected := isText(labels[istioInjection], "enabled") ||
		labels[istioRevision] != nil && !tree.IsUnknown(labels[istioRevision]) && labels[istioInjection] == nil
	// An annotation with this name has the same effect.
	if injected && !slices.Contains(istioIgnores, name) && podLabels[istioInject] == nil &&
		tree.Map(p.Metadata["annotations"])[istioInject] == nil &&
		p.KnowsMetadata() {
		c.reportIstio(p, nil, "the labels of the namespace "+name)
	}
	if isText(tree.Map(namespace["annotations"])[linkerdInject], "enabled", "ingress") &&
		tree.Map(p.Metadata["annotations"])[linkerdInject] == nil && p.KnowsMetadata() {
		c.reportLinkerd(p, nil, "an annotation of the namespace "+name)
	}
}

func (c *check) reportIstio(p *judged, value any, by string) {
	if !ownNetworkOnWindows(p) {
		return
	}
	c.report(istioOnWindows, rule.Problem{
		Path: p.Prefix + "metadata.labels[" + istioInject + "]", Value: value,
		Detail: "these Windows pods get Istio's sidecar, which is for Linux, by " + by, Fix: `write "false"`,
	})
}

func (c *check) reportLinkerd(p *judged, value any, by string) {
	annotations := tree.Map(p.Metadata["annotations"])
	if !ownNetworkOnWindows(p) || annotations[linkerdImage] != nil {
		return
	}
	c.report(linkerdOnWindows, rule.Problem{
		Path: p.Prefix + "metadata.annotations[" + linkerdInject + "]", Value: value,
		Detail: "these Windows pods get Linkerd's proxy for Linux, by " + by,
		Fix:    "write disabled, or name the proxy for Windows with " + linkerdImage,
	})
}

// isText reports whether a value is one of some texts. It returns false for a secret, which would be shown otherwise.
func isText(v any, texts ...string) bool {
	s, _ := v.(string)
	return s != "" && slices.Contains(texts, s)
}
