package mutate

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// forLinux returns edits that select Linux nodes, unless the pods or their RuntimeClass select nodes. Pods that select
// Linux nodes get only the tolerations for taints that all Linux pods may have: a taint of a dedicated pool is not
// theirs. The DaemonSet controller does not use RuntimeClasses.
func (d *decider) forLinux() []Edit {
	switch {
	case d.class.OS != "" && d.Kind != "DaemonSet":
		return nil
	case d.selected.OS != "":
		return tolerate(d.Pods, d.Topology.SystemTolerations(platform.Linux))
	}
	return append(d.missingLabels(topology.NodeSelector(platform.Linux)),
		d.tolerations([]platform.Platform{platform.Linux})...)
}

// forWindows adds the fields that the pods do not have yet. The claimed release is empty if the claims have none.
func (d *decider) forWindows(out Decision, claimed platform.Platform) Decision {
	if d.class.OS != "" && d.Kind != "DaemonSet" {
		out.Platform = d.class.Release
		return d.completed(out, d.addressed(nil)) // the class has everything else
	}
	windows := d.WindowsPlatforms()
	release := claimed
	guess := release == "" && len(windows) == 1 && !d.anyRelease() && d.selected.OS == "" && d.Kind != "DaemonSet"
	if guess {
		release = windows[0]
	}
	if release == "" && !d.anyRelease() {
		release = d.onlyRelease(windows)
	}
	hosts := d.hosts(release, windows)
	if len(hosts) == 0 && release != "" && release == d.marked && !d.tellRelease() {
		// Nothing else would report that the pods land on nodes of another release.
		hosts = []platform.Platform{release}
	}
	out.Guessed = guess
	if !guess || !d.tellRelease() {
		out.Images = release // a mark does not have to keep what the images tell in another cluster
	}
	if len(hosts) == 0 {
		// Preflight reports that no pool runs the images. A selector for the release would
		// stay when the images are changed.
		release = ""
	}
	edits := d.addressed(d.bySelector(hosts, windows))
	name := topology.RuntimeClassName(release)
	if len(edits) > 0 && d.policy.RuntimeClasses && name != "" && d.Kind != "DaemonSet" &&
		d.Spec["runtimeClassName"] == nil && d.Has("runtimeClassName") {
		edits = []Edit{{Path: d.at("runtimeClassName"), Value: name}} // the class has these edits
	}
	out.Platform = hostOf(release, hosts)
	if d.anyRelease() && claimed == "" && release == "" {
		out.Unselected = d.unselected(windows)
	}
	return d.completed(out, edits)
}

// hosts returns the releases of the nodes that run the pods, nil if they need not be selected: the release does not
// matter, no pool of the cluster runs them, or all do. The release is that of the images, or one that all of them
// run on.
func (d *decider) hosts(release platform.Platform, windows []platform.Platform) []platform.Platform {
	runs := d.Topology.Candidates()
	switch {
	case d.selected.Release != "":
		runs = []platform.Platform{d.selected.Release}
	case release != "":
		runs = d.Topology.Hosts(release)
	case d.anyRelease() || d.Matching != platform.Relaxed:
		return nil
	}
	if d.Matching == platform.Relaxed && !d.anyRelease() {
		// If no release runs all images, preflight reports them.
		if all := slices.DeleteFunc(slices.Clone(runs), d.refusedBy); len(all) > 0 {
			runs = all
		}
	}
	listed := slices.ContainsFunc(runs, func(host platform.Platform) bool { return slices.Contains(windows, host) })
	switch {
	case release == "" && len(runs) == len(d.Topology.Candidates()):
		return nil
	case listed, d.Topology.Partial && release == d.Platform:
		return runs
	default:
		return nil
	}
}

// refusedBy reports whether an image does not run on nodes of a release.
func (d *decider) refusedBy(host platform.Platform) bool {
	return slices.ContainsFunc(d.images, func(image platform.Image) bool {
		return platform.CanRun(host, image, d.Matching) == platform.No
	})
}

// hostOf returns the platform of pods on some hosts: their release if it is among these, or the only host.
func hostOf(release platform.Platform, hosts []platform.Platform) platform.Platform {
	switch {
	case slices.Contains(hosts, release):
		return release
	case len(hosts) == 1:
		return hosts[0]
	default:
		return ""
	}
}

// onlyRelease returns the only release of the cluster whose nodes run the images, if their registry has them for
// several releases; "" if nodes of several releases run them.
func (d *decider) onlyRelease(windows []platform.Platform) platform.Platform {
	if !slices.ContainsFunc(d.images, func(i platform.Image) bool { return i.Facts != nil && i.TellsRelease() }) {
		return ""
	}
	running := slices.DeleteFunc(slices.Clone(windows), d.refusedBy)
	if len(running) != 1 || len(windows) == 1 {
		return ""
	}
	return running[0]
}

// addressed adds the node selector that EKS needs to assign an IP address to Windows pods, if neither
// the pods nor their RuntimeClass have it: see preflight's rule MK870.
func (d *decider) addressed(edits []Edit) []Edit {
	label := d.at("nodeSelector", corev1.LabelOSStable)
	switch {
	case d.Topology.Cloud != topology.EKS,
		pods.SelectsWindows(tree.Map(d.Spec["nodeSelector"])),
		d.ClassName() != "" && (d.target.Class == nil || pods.SelectsWindows(d.target.Class.Selector)),
		slices.ContainsFunc(edits, func(e Edit) bool { return slices.Equal(e.Path, label) }):
		return edits
	}
	if shared, _ := tree.Bool(d.Spec["hostNetwork"]); shared || d.HostProcess() {
		return edits
	}
	return append(d.missingLabels(map[string]string{corev1.LabelOSStable: string(platform.WindowsOS)}), edits...)
}

// unselected returns the release of the images if there are nodes of another one, otherwise "".
func (d *decider) unselected(windows []platform.Platform) platform.Platform {
	image, agreed := pods.Agreed(d.images)
	if !agreed || !slices.ContainsFunc(windows, func(p platform.Platform) bool { return p != image.Release }) {
		return ""
	}
	return image.Release
}

// bySelector returns the missing parts of the selection of the hosts, or of all Windows nodes if there are none, and
// the missing tolerations.
func (d *decider) bySelector(hosts, windows []platform.Platform) []Edit {
	var edits []Edit
	switch {
	case len(hosts) == 0 && d.selected.OS == "":
		edits = d.missingLabels(map[string]string{corev1.LabelOSStable: string(platform.WindowsOS)})
	case len(hosts) > 0 && !d.selectsAmong(hosts):
		edits = d.selecting(hosts)
	}
	if len(hosts) > 0 {
		windows = hosts
	}
	return append(edits, d.tolerations(windows)...)
}

// selectsAmong reports whether the pods select nodes of some of the hosts only, or of one release, which preflight
// compares with the images.
func (d *decider) selectsAmong(hosts []platform.Platform) bool {
	switch {
	case d.selected.Release != "":
		return true
	case d.selected.OS == "":
		return false
	case d.Topology.Partial:
		return d.RequiresBuilds(builds(hosts))
	}
	selected := d.SelectedReleases(d.Pods)
	return len(selected) < len(d.Topology.Candidates()) &&
		!slices.ContainsFunc(selected, func(p platform.Platform) bool { return !slices.Contains(hosts, p) })
}

func builds(hosts []platform.Platform) []string {
	builds := make([]string, len(hosts))
	for i, host := range hosts {
		builds[i] = host.Build()
	}
	return builds
}

// selecting returns the missing parts of the selection of the hosts.
func (d *decider) selecting(hosts []platform.Platform) []Edit {
	selection := d.Topology.Select(hosts...)
	if len(selection.Builds) > 0 && (!d.Has("affinity") || !d.MayRequire(ofBuilds(selection.Builds))) {
		selection = topology.Selection{Selector: topology.NodeSelector(d.listed(hosts))}
	}
	return d.selection(selection)
}

// selection returns the missing parts of a selection.
func (d *decider) selection(of topology.Selection) []Edit {
	edits := d.missingLabels(of.Selector)
	if len(of.Builds) == 0 {
		return edits
	}
	terms, expressions := d.at(requiredTerms...), []any{ofBuilds(of.Builds)}
	if len(d.RequiredTerms()) == 0 {
		return append(edits, Edit{Path: terms, Value: []any{map[string]any{"matchExpressions": expressions}}})
	}
	// The terms are alternatives: each has to select the builds.
	return append(edits, Edit{Path: append(terms, tree.Each, "matchExpressions"), Value: expressions})
}

// onEachNode selects all nodes of the policy's platforms.
func (d *decider) onEachNode() []Edit {
	edits := d.selection(topology.SelectEach(d.policy.Platforms...))
	return append(edits, tolerate(d.Pods, d.Topology.AgentTolerations(d.policy.Platforms...))...)
}

// listed returns the oldest of the hosts that has a pool.
func (d *decider) listed(hosts []platform.Platform) platform.Platform {
	i := slices.IndexFunc(hosts, func(host platform.Platform) bool { return len(d.Topology.PoolsOf(host)) > 0 })
	return hosts[max(i, 0)]
}

var requiredTerms = []string{
	"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms",
}

// ofBuilds returns the expression of a node affinity that selects nodes with any of these Windows builds.
func ofBuilds(builds []string) map[string]any {
	values := make([]any, len(builds))
	for i, build := range builds {
		values[i] = build
	}
	return map[string]any{
		"key": topology.LabelWindowsBuild, "operator": string(corev1.NodeSelectorOpIn), "values": values,
	}
}

// tolerations returns the tolerations for the pools of platforms that the pods do not have yet.
func (d *decider) tolerations(platforms []platform.Platform) []Edit {
	return tolerate(d.Pods, d.Topology.TolerationsOf(platforms...))
}

// tolerate returns the edit that adds the tolerations of taints that the pods do not tolerate
// permanently, nil if they tolerate all of them.
func tolerate(p *pods.Pods, needed []corev1.Toleration) []Edit {
	have := p.LastingTolerations()
	var missing []any
	var added []corev1.Toleration
	for _, t := range needed {
		taint := &corev1.Taint{Key: t.Key, Value: t.Value, Effect: t.Effect}
		if !slices.Contains(added, t) && !placement.Tolerates(have, taint) {
			added = append(added, t)
			missing = append(missing, plain(t))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []Edit{{Path: append(p.SpecPath(), "tolerations"), Value: missing}}
}

// missingLabels returns edits for the labels of a node selector that the pods do not have.
func (d *decider) missingLabels(selector map[string]string) []Edit {
	have := tree.Map(d.Spec["nodeSelector"])
	var edits []Edit
	for _, label := range slices.Sorted(maps.Keys(selector)) {
		if have[label] == nil {
			edits = append(edits, Edit{Path: d.at("nodeSelector", label), Value: selector[label]})
		}
	}
	return edits
}

func plain(t corev1.Toleration) map[string]any {
	m := map[string]any{
		"key": t.Key, "operator": string(cmp.Or(t.Operator, corev1.TolerationOpEqual)),
		"effect": string(t.Effect),
	}
	if t.Value != "" {
		m["value"] = t.Value
	}
	return m
}
