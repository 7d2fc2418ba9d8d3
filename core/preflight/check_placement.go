package preflight

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/images"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// placed checks where the pods can land.
func (c *check) placed(p *judged) {
	wrong := c.nodeLabels(p)
	if wrong || len(p.target.Contradictions()) > 0 {
		return // everything is reported already
	}
	if c.context.Nodes == nil {
		c.onAnyCluster(p)
		return
	}
	if c.withoutPool(p) {
		return // it explains where the pods cannot run
	}
	answer, hidden := c.context.Place(p.Pods, &p.target)
	c.onTopology(p, answer, hidden)
	c.stranded(p)
}

var (
	windowsPodsNotExcludedFromLinux = rule.Rule{
		ID: "MK302", Severity: rule.Warning,
		Title: "Windows pods, or pods that may be for Windows, that nothing keeps off Linux nodes",
		Reason: "The scheduler considers only labels and taints. Without a node selector, a node affinity or a " +
			"RuntimeClass that selects Windows nodes, only taints on all Linux nodes could keep the pods off them. A " +
			"zone, an instance type or an architecture does not distinguish Windows nodes. Pods may be for Windows " +
			"if the name of an image mentions it and nothing else states what they are for.",
		Source: windowsGuide,
	}
	daemonSetReliesOnClass = rule.Rule{
		ID: "MK311", Severity: rule.Warning, Title: "a DaemonSet that relies on its RuntimeClass for placement",
		Reason: "The DaemonSet controller chooses nodes before the RuntimeClass is applied: it creates a pod for " +
			"every Linux node without a taint, which stays Pending forever, and none for Windows nodes with a taint.",
		Source: "https://github.com/kubernetes/kubernetes/issues/111590",
	}
)

// onAnyCluster reports findings that need no topology.
func (c *check) onAnyCluster(p *judged) {
	c.mentionedWindows(p)
	if p.target.OS() != platform.WindowsOS || pods.IsSet(p.Spec, "nodeName") || selectsNodes(p) {
		return
	}
	const fix = "select kubernetes.io/os=windows"
	if !pods.IsSet(p.Spec, "runtimeClassName") {
		detail := "nothing keeps these Windows pods off Linux nodes"
		if pods.IsSet(tree.Map(p.Spec["nodeSelector"]), "os") {
			detail += ": nodes have no label os unless it was added"
		}
		c.report(windowsPodsNotExcludedFromLinux,
			rule.Problem{Path: p.Path("nodeSelector"), Detail: detail, Fix: fix + ", or name a RuntimeClass"})
		return
	}
	if p.Kind == "DaemonSet" && p.leadsToWindows() {
		c.report(daemonSetReliesOnClass, rule.Problem{
			Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
			Detail: "the DaemonSet controller does not look at the RuntimeClass when it picks nodes",
			Fix:    fix + " and tolerate the nodes' taints in the pods themselves",
		})
	}
}

// mentionedWindows reports pods if the only known fact is that the name of an image mentions Windows, and nothing keeps
// them off Linux nodes.
func (c *check) mentionedWindows(p *judged) {
	for _, key := range []string{"os", "nodeName", "runtimeClassName"} {
		if pods.IsSet(p.Spec, key) {
			return
		}
	}
	isKnown := func(image platform.Image) bool { return image.OS != "" || image.Facts != nil }
	if p.target.OS() != "" || selectsNodes(p) || slices.ContainsFunc(p.target.Images, isKnown) {
		return
	}
	i := slices.IndexFunc(p.Containers, func(ctr pods.Container) bool {
		ref, _ := tree.Text(ctr.Spec["image"])
		return platform.MentionsWindows(ref)
	})
	if i < 0 {
		return
	}
	if a := p.target.Annotation(p.Pods); a.Claim.OS != "" && len(a.Wrong) == 0 {
		return
	}
	c.report(windowsPodsNotExcludedFromLinux, rule.Problem{
		Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
		Detail: "mentions Windows, but nothing says what the pods are for or keeps them off Linux nodes",
		Fix:    "select kubernetes.io/os=windows, or kubernetes.io/os=linux if the image is for Linux",
	})
}

// selectsNodes reports whether pods select nodes by a label that may distinguish Windows from Linux.
func selectsNodes(p *judged) bool {
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

// leadsToWindows reports whether the pods' RuntimeClass is known to select Windows.
func (p *judged) leadsToWindows() bool {
	for _, c := range p.target.Claims {
		if c.Source == pods.ByClass {
			return c.OS == platform.WindowsOS
		}
	}
	return false
}

// landings are the pools where pods land, grouped by what is wrong there.
type landings struct {
	// linux and windows are the pools where the scheduler places the pods. pending are the Linux pools for which a
	// DaemonSet's pods stay pending.
	linux, windows, pending []string
	// possible means that they may run on some pool, open that they may be scheduled on some pool, and reachable that
	// they get to a pool with their operating system.
	possible, open, reachable bool
}

func (c *check) onTopology(p *judged, answer placement.Placement, hidden bool) {
	os := p.target.OS()
	var l landings
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		poolOS := v.Pool.Platform.OS()
		l.possible = l.possible || v.Answer() != platform.No
		l.open = l.open || v.Schedules != platform.No
		l.reachable = l.reachable || v.Schedules != platform.No && (os == "" || poolOS == os)
		switch {
		case v.Schedules == platform.Yes && poolOS == platform.LinuxOS:
			l.linux = append(l.linux, v.Pool.Name)
		case v.Schedules == platform.Yes && poolOS == platform.WindowsOS:
			l.windows = append(l.windows, v.Pool.Name)
		case v.PendingPods && poolOS == platform.LinuxOS:
			l.pending = append(l.pending, v.Pool.Name)
		}
	}
	before := len(c.findings)
	switch os {
	case platform.WindowsOS:
		c.onLinuxPools(p, &l)
		c.onOtherRelease(p, answer)
	case platform.LinuxOS:
		c.onWindowsPools(p, &l)
	default:
		c.onBoth(p, &l)
		c.onOtherRelease(p, answer)
	}
	c.accountWithoutShares(p, answer)
	c.nearTolerations(p, answer, l.reachable)
	explained := c.imagesExplain(p) || slices.ContainsFunc(c.findings[before:], func(f Finding) bool {
		return f.Rule != daemonSetPendingOnLinux.ID && f.Rule != tolerationMissesPool.ID
	})
	switch {
	case explained:
	case p.Kind == "DaemonSet":
		// Pods without any node to run on do not fail on one.
		if os == platform.WindowsOS && !l.reachable {
			c.untolerated(p, answer)
		}
	case !l.possible && (!l.open || !c.imagesAreWrong(p)):
		c.nowhere(p, answer, hidden)
	}
	if os == platform.WindowsOS {
		c.onSeveralReleases(p, answer)
		c.fromZero(p, answer, hidden)
	}
}

var podsOnBothSystems = rule.Rule{
	ID: "MK314", Severity: rule.Warning, Title: "pods that can land on Linux and on Windows nodes of the topology",
	Reason: "Nothing states which operating system the pods are for, and they do not select nodes with one of them. " +
		"An image for one system does not start on the other, so they fail on some nodes, or after the next " +
		"rescheduling.",
	Source: windowsGuide,
}

// onBoth reports pods without a known operating system that can land on nodes of both.
func (c *check) onBoth(p *judged, l *landings) {
	if len(l.linux) == 0 {
		return
	}
	before := len(c.findings)
	c.mentionedWindows(p)
	if len(c.findings) > before || len(l.windows) == 0 || ofBothSystems(p.target.Images) {
		return
	}
	c.report(podsOnBothSystems, rule.Problem{
		Path: p.Path("nodeSelector"),
		Detail: "these pods can land on " + pools(l.linux) + " and on " + pools(l.windows) +
			", and nothing says which operating system they are for",
		Fix: "select kubernetes.io/os=linux or kubernetes.io/os=windows",
	})
}

// imagesAreWrong reports whether the images themselves are reported already, so that they need not be named as the
// reason why the pods cannot run.
func (c *check) imagesAreWrong(p *judged) bool {
	return slices.ContainsFunc(c.subjectOf(p).WrongImages(), func(w subject.WrongImage) bool { return !w.OnSome })
}

// landingChecks are the checks of images whose findings tell more than that pods run nowhere.
var landingChecks = engine.New[*subject.Pods](slices.DeleteFunc(images.Rules(), func(r engine.Rule) bool {
	return !slices.Contains(r.Silences, subject.FitsNoPool)
})...)

// imagesExplain reports whether a rule about images tells why pods run nowhere.
func (c *check) imagesExplain(p *judged) bool {
	return len(landingChecks.Find(c.subjectOf(p), c.minor)) > 0
}

var (
	windowsPodsOnLinuxNodes = rule.Rule{
		ID: "MK301", Severity: rule.Error, Title: "Windows pods that can land on Linux nodes of the topology",
		Reason: "The scheduler considers only labels and taints, not os.name or the image. On a Linux node the pod " +
			"is refused, or its image is not found.",
		Source: windowsGuide,
	}
	daemonSetPendingOnLinux = rule.Rule{
		ID: "MK310", Severity: rule.Error, Title: "a DaemonSet that leaves pods pending on Linux nodes of the topology",
		Reason: "The DaemonSet controller chooses nodes before the RuntimeClass is applied: it creates a pod for " +
			"every Linux node, which the scheduler then refuses, because the class's node selector has been merged " +
			"into it by then.",
		Source: "https://github.com/kubernetes/kubernetes/issues/111590",
	}
)

func (c *check) onLinuxPools(p *judged, l *landings) {
	const fix = "select kubernetes.io/os=windows"
	if len(l.linux) > 0 {
		c.report(windowsPodsOnLinuxNodes, rule.Problem{
			Path: p.Path("nodeSelector"), Detail: "nothing keeps these Windows pods off the Linux " + pools(l.linux),
			Fix: fix,
		})
	}
	if len(l.pending) > 0 && p.leadsToWindows() {
		c.report(daemonSetPendingOnLinux, rule.Problem{
			Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
			Detail: "the DaemonSet controller does not look at the RuntimeClass: a pod stays pending for each node " +
				"of the Linux " + pools(l.pending),
			Fix: fix + " in the pods themselves too",
		})
	}
}

var linuxPodsOnWindowsNodes = rule.Rule{
	ID: "MK304", Severity: rule.Error, Title: "Linux pods that can land on Windows nodes of the topology",
	Reason: "A Windows pool without a taint accepts every pod without a node selector. The Windows kubelet refuses " +
		"the pod, or finds no image for Windows.",
	Source: windowsGuide,
}

func (c *check) onWindowsPools(p *judged, l *landings) {
	if len(l.windows) > 0 {
		c.report(linuxPodsOnWindowsNodes, rule.Problem{
			Path: p.Path("nodeSelector"), Detail: "nothing keeps these Linux pods off the Windows " + pools(l.windows),
			Fix: "select kubernetes.io/os=linux, or give the pool a taint",
		})
	}
}

var podsFitNoPool = rule.Rule{
	ID: "MK303", Severity: rule.Error, Title: "pods that fit no pool of the topology",
	Reason: "No node of the topology accepts the pods: they stay Pending forever. A DaemonSet gets no pods: it is " +
		"reported if a component has its platform as an argument. It is a warning if the topology is partial.",
	Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
}

// nowhere reports pods that fit no pool. It names the pool that they come closest to.
func (c *check) nowhere(p *judged, answer placement.Placement, hidden bool) {
	nearest, ok := answer.Nearest(p.target.OS(), p.target.LikelyRelease())
	if !ok {
		return
	}
	reasons := nearest.Reasons()
	if c.imagesAreWrong(p) {
		reasons = slices.DeleteFunc(reasons, func(r placement.Reason) bool { return r.Container != "" })
	}
	detail, fix := "fits no pool of the topology", ""
	switch {
	case hidden || len(reasons) == 0:
	case reasons[0].Kind == placement.KindRuntimeClass:
		// It applies to all pools, and the other reasons follow from it.
		detail, fix = detail+": "+reasons[0].Text, reasons[0].Fix
	default:
		var texts, fixes []string
		seen := map[string]bool{} // a pool can have many taints
		for _, reason := range reasons {
			texts = append(texts, reason.Text)
			if !seen[reason.Fix] {
				seen[reason.Fix] = true
				fixes = append(fixes, reason.Fix)
			}
		}
		detail += "; the nearest is " + nearest.Pool.Name + " (" + strings.Join(texts, "; ") + ")"
		fix = strings.Join(fixes, ", and ")
		if host := nearest.Pool.Platform; c.refused(p, host) {
			fix += c.relaxing([]platform.Platform{host}, p.target.Images...)
		}
		if slices.ContainsFunc(reasons, func(r placement.Reason) bool { return r.Label == labelBuild }) {
			fix += c.movingPins(p)
		}
	}
	c.noPool(rule.Problem{Path: p.Path(), Detail: detail, Fix: fix})
}

// movingPins returns, for the end of a fix, whether mixedkube can move a build that pods select and no pool has.
func (c *check) movingPins(p *judged) string {
	if mark, _ := pods.ReadPlaced(c.object); slices.Contains(mark.Labels, labelBuild) {
		return "; mixedkube wrote this selector, and moves it with adopt (Place in programs) if a pool runs the images"
	} else if len(mark.Labels) > 0 {
		return "" // people wrote the build later
	}
	pin := c.context.Pin(p.Pods, &p.target)
	if pin == nil {
		return ""
	}
	if pin.Earlier {
		return ", or move it with MovePins (adopt --move-pins): an earlier version of mixedkube wrote the node selector"
	}
	selector := tree.Map(p.Spec["nodeSelector"])
	release, _ := pods.ExactBuild(pin.Build)
	for key, value := range topology.NodeSelector(release) {
		if have, _ := tree.Text(selector[key]); have != value {
			return "" // somebody else wrote it
		}
	}
	return "; MovePins (adopt --move-pins) leaves it: it is not the whole node selector that mixedkube writes for " +
		"these images"
}

// refused reports whether nodes of a release do not run an image of the pods.
func (c *check) refused(p *judged, host platform.Platform) bool {
	return host.IsWindows() && p.releaseMatters() == platform.Yes &&
		slices.ContainsFunc(p.target.Images, func(image platform.Image) bool {
			return platform.CanRun(host, image, c.matching(host)) == platform.No
		})
}

// noPool reports that no pool of the topology runs the pods. Others may if the topology is partial.
func (c *check) noPool(found rule.Problem) {
	broken := podsFitNoPool
	if c.context.Topology.Partial {
		broken.Severity = rule.Warning
	}
	c.report(broken, found)
}

var daemonSetWithoutToleration = rule.Rule{
	ID: "MK312", Severity: rule.Error, Title: "a DaemonSet that does not tolerate the taint of its pools",
	Reason: "The DaemonSet controller creates no pod for a node whose taint the pod template does not tolerate, " +
		"whatever the RuntimeClass tolerates: there are no pods, and no error.",
	Source: "pkg/controller/daemon/daemon_controller.go of Kubernetes 1.36.3, NodeShouldRunDaemonPod; " +
		"https://github.com/kubernetes/kubernetes/issues/111590",
}

// untolerated reports a DaemonSet that only taints keep off all of its pools.
func (c *check) untolerated(p *judged, answer placement.Placement) {
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		if v.Pool.Platform.OS() != platform.WindowsOS || v.Runs == platform.No {
			continue
		}
		if taints, only := c.onlyTaints(p, v); only {
			c.report(daemonSetWithoutToleration, rule.Problem{
				Path: p.Path("tolerations"),
				Detail: "the DaemonSet controller creates no pods for the nodes of pool " + v.Pool.Name +
					", whose taint the pods do not tolerate",
				Fix: "tolerate " + strings.Join(taints, ", and ") + " in the pods themselves",
			})
			return
		}
	}
}

// pools lists names of pools: "pool a", "pools a and b", "pools a, b and c".
func pools(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return "pool " + names[0]
	}
	return "pools " + strings.Join(names[:last], ", ") + " and " + names[last]
}
