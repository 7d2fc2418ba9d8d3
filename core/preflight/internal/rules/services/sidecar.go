package services

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var sidecarRules = []engine.Rule{istioOnWindows, linkerdOnWindows, identityProxyOnWindows}

// istioIgnores are the namespaces where Istio injects nothing: IgnoredNamespaces in pkg/kube/inject/inject.go.
var istioIgnores = []string{"kube-system", "kube-public", "kube-node-lease", "local-path-storage"}

// injectable are the pods that get a proxy, which those in the network of the node never do.
var injectable = &engine.Scope[*subject.Pods]{
	Within: subject.SeparateWindowsPods, Name: "Windows pods", Has: (*subject.Pods).OwnNetworkOnWindows,
}

var istioOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK550", Severity: rule.Warning, Title: "Istio's sidecar in Windows pods", Page: rulepages.AddOns,
		Reason: "Istio has no proxy for Windows, and its webhook ignores the operating system: it adds Linux " +
			"containers to the pods, which then never start. Pods of a namespace with the label " +
			"istio-injection=enabled, or istio.io/rev, are injected unless their own label sidecar.istio.io/inject " +
			"is \"false\"; pods in the network of the node never are.",
		Fix: `write "false"`,
		Source: "injectRequired in https://github.com/istio/istio/blob/master/pkg/kube/inject/inject.go, " +
			"https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/, " +
			"https://github.com/istio/istio/issues/27893, https://github.com/istio/istio/issues/39788",
	},
	Checks: []engine.Check{
		engine.On(injectable, func(p *subject.Pods) []rule.Problem {
			value := tree.At(p.Metadata["labels"], collection.IstioInject)
			if !isText(value, "true") {
				return nil
			}
			return istioIn(p, value, "this label")
		}),
		engine.On(collection.WindowsPodsWithNamespace, istioByNamespace),
	},
}

func istioByNamespace(p *collection.Pods) []rule.Problem {
	namespace := p.Namespace().Metadata
	name, _ := tree.Text(namespace["name"])
	labels := tree.Map(namespace["labels"])
	injected := isText(labels[collection.IstioInjection], "enabled") ||
		labels[collection.IstioRevision] != nil && !tree.IsUnknown(labels[collection.IstioRevision]) &&
			labels[collection.IstioInjection] == nil
	// An annotation with the name of the label has the same effect.
	decides := tree.Map(p.Metadata["labels"])[collection.IstioInject] != nil ||
		tree.Map(p.Metadata["annotations"])[collection.IstioInject] != nil || !p.KnowsMetadata()
	if !injected || decides || slices.Contains(istioIgnores, name) || !p.OwnNetworkOnWindows() {
		return nil
	}
	return istioIn(p.Pods, nil, "the labels of the namespace "+name)
}

func istioIn(p *subject.Pods, value any, by string) []rule.Problem {
	return []rule.Problem{{
		Path: p.Prefix + "metadata.labels[" + collection.IstioInject + "]", Value: value,
		Detail: "these Windows pods get Istio's sidecar, which is for Linux, by " + by,
	}}
}

var linkerdOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK551", Severity: rule.Warning, Title: "Linkerd's proxy for Linux in Windows pods",
		Page: rulepages.AddOns,
		Reason: "The image of Linkerd's proxy is for Linux, and its webhook also adds it to Windows pods, which then " +
			"never start. Buoyant publishes an image for Windows, to be set in the annotation " +
			"config.linkerd.io/proxy-image. Pods in the network of the node are never injected.",
		Fix: "write disabled, or name the proxy for Windows with " + collection.LinkerdImage,
		Source: "https://linkerd.io/2/features/proxy-injection/, https://github.com/linkerd/linkerd2/issues/2882, " +
			"https://docs.buoyant.io/buoyant-enterprise-linkerd/latest/features/windows-containers",
	},
	Checks: []engine.Check{
		engine.On(injectable, func(p *subject.Pods) []rule.Problem {
			value := tree.At(p.Metadata["annotations"], collection.LinkerdInject)
			if !isText(value, "enabled", "ingress") {
				return nil
			}
			return linkerdIn(p, value, "this annotation")
		}),
		engine.On(collection.WindowsPodsWithNamespace, linkerdByNamespace),
	},
}

func linkerdByNamespace(p *collection.Pods) []rule.Problem {
	namespace := p.Namespace().Metadata
	decides := tree.Map(p.Metadata["annotations"])[collection.LinkerdInject] != nil || !p.KnowsMetadata()
	if decides || !isText(tree.At(namespace["annotations"], collection.LinkerdInject), "enabled", "ingress") ||
		!p.OwnNetworkOnWindows() {
		return nil
	}
	name, _ := tree.Text(namespace["name"])
	return linkerdIn(p.Pods, nil, "an annotation of the namespace "+name)
}

func linkerdIn(p *subject.Pods, value any, by string) []rule.Problem {
	if tree.Map(p.Metadata["annotations"])[collection.LinkerdImage] != nil {
		return nil
	}
	return []rule.Problem{{
		Path: p.Prefix + "metadata.annotations[" + collection.LinkerdInject + "]", Value: value,
		Detail: "these Windows pods get Linkerd's proxy for Linux, by " + by,
	}}
}

// The label and the annotation of Microsoft Entra Workload ID. Its webhook gets only pods with the label.
const (
	usesIdentity  = "azure.workload.identity/use"
	identityProxy = "azure.workload.identity/inject-proxy-sidecar"
)

var identityProxyOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK552", Severity: rule.Warning, Title: "the proxy of workload identity in Windows pods",
		Page: rulepages.AddOns,
		Reason: "The proxy and the init container before it are for programs on Linux that used pod identities. The " +
			"webhook of workload identity also adds them to Windows pods, which then never start, because the images " +
			"are for Linux (no match for platform in manifest). Without them, workload identity works in Windows pods.",
		Fix: "remove it, and get tokens with a library of Azure Identity",
		Source: "https://github.com/Azure/azure-workload-identity/issues/1017, " +
			"https://github.com/Azure/azure-workload-identity/blob/main/pkg/webhook/webhook.go, " +
			"https://learn.microsoft.com/azure/aks/workload-identity-overview#pod-annotations",
	},
	Checks: []engine.Check{engine.On(injectable, func(p *subject.Pods) []rule.Problem {
		value := tree.Map(p.Metadata["annotations"])[identityProxy]
		if !isText(value, "true") || !isText(tree.Map(p.Metadata["labels"])[usesIdentity], "true") {
			return nil
		}
		return []rule.Problem{{
			Path: p.Prefix + "metadata.annotations[" + identityProxy + "]", Value: value,
			Detail: "these Windows pods get the proxy of workload identity, which is for Linux",
		}}
	})},
}

// isText reports whether a value is one of some texts. It returns false for a secret, which would be shown otherwise.
func isText(v any, texts ...string) bool {
	s, _ := v.(string)
	return s != "" && slices.Contains(texts, s)
}
