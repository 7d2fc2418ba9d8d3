package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var systemRules = []engine.Rule{
	windowsPodsOnLinuxNodes, windowsPodsNotExcludedFromLinux, linuxPodsOnWindowsNodes, daemonSetPendingOnLinux,
	daemonSetReliesOnClass, podsOnBothSystems,
}

const selectWindows = "select kubernetes.io/os=windows"

var windowsPodsOnLinuxNodes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK301", Severity: rule.Error, Title: "Windows pods that can land on Linux nodes of the topology",
		Page: rulepages.Placement,
		Reason: "The scheduler considers only labels and taints, not os.name or the image. On a Linux node the pod " +
			"is refused, or its image is not found.",
		Fix:    selectWindows,
		Source: sources.WindowsGuide,
	},
	// MK870 has the same fix.
	Silences: append([]string{windowsPodsWithoutAddress.ID}, Nowhere...),
	Checks: []engine.Check{engine.On(subject.WindowsLanding, func(p *subject.Pods) []rule.Problem {
		linux := p.Landed().Linux
		if len(linux) == 0 {
			return nil
		}
		return []rule.Problem{{
			Path:   p.Path("nodeSelector"),
			Detail: "nothing keeps these Windows pods off the Linux " + subject.ListPools(linux),
		}}
	})},
}

var linuxPodsOnWindowsNodes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK304", Severity: rule.Error, Title: "Linux pods that can land on Windows nodes of the topology",
		Page: rulepages.Placement,
		Reason: "A Windows pool without a taint accepts every pod without a node selector. The Windows kubelet " +
			"refuses the pod, or finds no image for Windows.",
		Fix:    "select kubernetes.io/os=linux, or give the pool a taint",
		Source: sources.WindowsGuide,
	},
	Silences: Nowhere,
	Checks: []engine.Check{engine.On(subject.LinuxLanding, func(p *subject.Pods) []rule.Problem {
		windows := p.Landed().Windows
		if len(windows) == 0 {
			return nil
		}
		return []rule.Problem{{
			Path:   p.Path("nodeSelector"),
			Detail: "nothing keeps these Linux pods off the Windows " + subject.ListPools(windows),
		}}
	})},
}

var windowsPodsNotExcludedFromLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK302", Severity: rule.Warning, Page: rulepages.Placement,
		Title: "Windows pods, or pods that may be for Windows, that nothing keeps off Linux nodes",
		Reason: "The scheduler considers only labels and taints. Without a node selector, a node affinity or a " +
			"RuntimeClass that selects Windows nodes, only taints on all Linux nodes could keep the pods off them. A " +
			"zone, an instance type or an architecture does not distinguish Windows nodes. Pods may be for Windows " +
			"if the name of an image mentions it and nothing else states what they are for.",
		Source: sources.WindowsGuide,
	},
	Silences: append([]string{podsOnBothSystems.ID}, Nowhere...),
	Checks: []engine.Check{
		engine.On(subject.PodsOnAnyCluster, func(p *subject.Pods) []rule.Problem {
			if found := mentioningWindows(p); found != nil {
				return found
			}
			if !unselective(p) || pods.IsSet(p.Spec, "runtimeClassName") {
				return nil
			}
			detail := "nothing keeps these Windows pods off Linux nodes"
			if pods.IsSet(tree.Map(p.Spec["nodeSelector"]), "os") {
				detail += ": nodes have no label os unless it was added"
			}
			return []rule.Problem{{
				Path: p.Path("nodeSelector"), Detail: detail, Fix: selectWindows + ", or name a RuntimeClass",
			}}
		}),
		engine.On(subject.UnclearLanding, func(p *subject.Pods) []rule.Problem {
			if len(p.Landed().Linux) == 0 {
				return nil
			}
			return mentioningWindows(p)
		}),
	},
}

// mentioningWindows returns the problem of pods if the only known fact is that the name of an image mentions Windows,
// and nothing keeps them off Linux nodes.
func mentioningWindows(p *subject.Pods) []rule.Problem {
	if p.OS() != "" {
		return nil
	}
	for _, key := range []string{"os", "nodeName", "runtimeClassName"} {
		if pods.IsSet(p.Spec, key) {
			return nil
		}
	}
	isKnown := func(image platform.Image) bool { return image.OS != "" || image.Facts != nil }
	if selectsNodes(p) || slices.ContainsFunc(p.Target.Images, isKnown) {
		return nil
	}
	i := slices.IndexFunc(p.Containers, func(ctr pods.Container) bool {
		ref, _ := tree.Text(ctr.Spec["image"])
		return platform.MentionsWindows(ref)
	})
	if i < 0 {
		return nil
	}
	if a := p.Target.Annotation(p.Pods); a.Claim.OS != "" && len(a.Wrong) == 0 {
		return nil
	}
	return []rule.Problem{{
		Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
		Detail: "mentions Windows, but nothing says what the pods are for or keeps them off Linux nodes",
		Fix:    "select kubernetes.io/os=windows, or kubernetes.io/os=linux if the image is for Linux",
	}}
}

// unselective reports whether pods are for Windows and select no nodes themselves.
func unselective(p *subject.Pods) bool {
	return p.OS() == platform.WindowsOS && !pods.IsSet(p.Spec, "nodeName") && !selectsNodes(p)
}

var daemonSetReliesOnClass = engine.Rule{
	Rule: rule.Rule{
		ID: "MK311", Severity: rule.Warning, Title: "a DaemonSet that relies on its RuntimeClass for placement",
		Page: rulepages.Taints,
		Reason: "The DaemonSet controller chooses nodes before the RuntimeClass is applied: it creates a pod for " +
			"every Linux node without a taint, which stays Pending forever, and none for Windows nodes with a taint.",
		Fix:    selectWindows + " and tolerate the nodes' taints in the pods themselves",
		Source: "https://github.com/kubernetes/kubernetes/issues/111590",
	},
	Checks: []engine.Check{engine.On(subject.PodsOnAnyCluster, func(p *subject.Pods) []rule.Problem {
		if p.Kind != "DaemonSet" || !unselective(p) || !pods.IsSet(p.Spec, "runtimeClassName") || !p.LeadsToWindows() {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
			Detail: "the DaemonSet controller does not look at the RuntimeClass when it picks nodes",
		}}
	})},
}

var daemonSetPendingOnLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK310", Severity: rule.Error, Page: rulepages.Taints,
		Title: "a DaemonSet that leaves pods pending on Linux nodes of the topology",
		Reason: "The DaemonSet controller chooses nodes before the RuntimeClass is applied: it creates a pod for " +
			"every Linux node, which the scheduler then refuses, because the class's node selector has been merged " +
			"into it by then.",
		Fix:    selectWindows + " in the pods themselves too",
		Source: "https://github.com/kubernetes/kubernetes/issues/111590",
	},
	Checks: []engine.Check{engine.On(subject.WindowsLanding, func(p *subject.Pods) []rule.Problem {
		pending := p.Landed().Pending
		if len(pending) == 0 || !p.LeadsToWindows() {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
			Detail: "the DaemonSet controller does not look at the RuntimeClass: a pod stays pending for each node " +
				"of the Linux " + subject.ListPools(pending),
		}}
	})},
}

var podsOnBothSystems = engine.Rule{
	Rule: rule.Rule{
		ID: "MK314", Severity: rule.Warning, Page: rulepages.Placement,
		Title: "pods that can land on Linux and on Windows nodes of the topology",
		Reason: "Nothing states which operating system the pods are for, and they do not select nodes with one of " +
			"them. An image for one system does not start on the other, so they fail on some nodes, or after the " +
			"next rescheduling.",
		Fix:    "select kubernetes.io/os=linux or kubernetes.io/os=windows",
		Source: sources.WindowsGuide,
	},
	Silences: Nowhere,
	Checks: []engine.Check{engine.On(subject.UnclearLanding, func(p *subject.Pods) []rule.Problem {
		l := p.Landed()
		if len(l.Linux) == 0 || len(l.Windows) == 0 || p.RequiresSeveralOS() || ofBothSystems(p.Target.Images) {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("nodeSelector"),
			Detail: "these pods can land on " + subject.ListPools(l.Linux) + " and on " + subject.ListPools(l.Windows) +
				", and nothing says which operating system they are for",
		}}
	})},
}

// ofBothSystems reports whether all images exist for Linux and for Windows, according to their registries.
func ofBothSystems(all []platform.Image) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(image platform.Image) bool {
		return len(image.Facts.For(platform.LinuxOS)) == 0 || len(image.Facts.For(platform.WindowsOS)) == 0
	})
}

// selectsNodes reports whether pods select nodes by a label that may distinguish Windows from Linux.
func selectsNodes(p *subject.Pods) bool {
	if tree.IsUnknown(p.Spec["nodeSelector"]) ||
		tree.IsUnknown(tree.At(p.Spec["affinity"], "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
			"nodeSelectorTerms")) {
		return true
	}
	for label := range tree.Map(p.Spec["nodeSelector"]) {
		if mayTellOS(label) {
			return true
		}
	}
	// The terms are alternatives: all of them must select such a label.
	terms := p.RequiredTerms()
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(v any) bool { return !termMayTellOS(v) })
}

// termMayTellOS counts unknown terms as ones that may.
func termMayTellOS(v any) bool {
	term := tree.Map(v)
	if term == nil || tree.IsUnknown(term["matchExpressions"]) || pods.IsSet(term, "matchFields") {
		return true
	}
	return slices.ContainsFunc(tree.List(term["matchExpressions"]), func(v any) bool {
		label, known := tree.Text(tree.Map(v)["key"])
		return !known || mayTellOS(label)
	})
}

// bothHave are labels that Windows and Linux nodes have with the same values. A label os is more likely a mistake for
// kubernetes.io/os than such a label.
var bothHave = []string{
	corev1.LabelArchStable, topology.LabelBetaArch, "os",
	corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone,
	corev1.LabelFailureDomainBetaRegion,
	corev1.LabelInstanceTypeStable, corev1.LabelInstanceType,
	"karpenter.sh/capacity-type", "eks.amazonaws.com/capacityType", "cloud.google.com/gke-spot",
	"kubernetes.azure.com/scalesetpriority",
}

// mayTellOS reports whether a label may distinguish Windows nodes from Linux nodes.
func mayTellOS(label string) bool { return !slices.Contains(bothHave, label) }
