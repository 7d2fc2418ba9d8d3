package mutate

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/placement"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// forLinux returns edits that select Linux nodes, unless the pods or their RuntimeClass select nodes.
// The DaemonSet controller does not use RuntimeClasses.
func (d *decider) forLinux() []Edit {
	if d.selected.OS != "" || d.class.OS != "" && d.Kind != "DaemonSet" {
		return nil
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
	if release == "" && len(windows) == 1 && !d.anyRelease() && d.selected.OS == "" && d.Kind != "DaemonSet" {
		release = windows[0]
	}
	if release == "" && !d.anyRelease() {
		release = d.onlyRelease(windows)
	}
	perhaps := d.Topology.Partial && release == d.Platform
	if len(d.Topology.PoolsOf(release)) == 0 && !perhaps {
		// Preflight reports that no pool runs the images. A selector for the release would
		// stay when the images are changed.
		release = ""
	}
	edits := d.addressed(d.bySelector(release, windows))
	name := topology.RuntimeClassName(release)
	if len(edits) > 0 && d.policy.RuntimeClasses && name != "" && d.Kind != "DaemonSet" &&
		d.Spec["runtimeClassName"] == nil && d.Has("runtimeClassName") {
		edits = []Edit{{Path: d.at("runtimeClassName"), Value: name}} // the class has these edits
	}
	out.Platform = release
	if d.anyRelease() && claimed == "" && release == "" {
		out.Unselected = d.unselected(windows)
	}
	return d.completed(out, edits)
}

// onlyRelease returns the only release of the cluster whose nodes run the images, if their registry has them for
// several releases; "" if nodes of several releases run them.
func (d *decider) onlyRelease(windows []platform.Platform) platform.Platform {
	if !slices.ContainsFunc(d.images, func(i platform.Image) bool { return i.Facts != nil && i.TellsRelease() }) {
		return ""
	}
	running := slices.DeleteFunc(slices.Clone(windows), func(host platform.Platform) bool {
		return slices.ContainsFunc(d.images, func(image platform.Image) bool {
			return platform.CanRun(host, image, d.Matching) == platform.No
		})
	})
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

// bySelector returns the missing labels of the node selector, and the missing tolerations.
func (d *decider) bySelector(release platform.Platform, windows []platform.Platform) []Edit {
	selector := map[string]string{}
	switch {
	case release != "" && d.selected.Release == "":
		selector = topology.NodeSelector(release)
	case release == "" && d.selected.OS == "":
		selector = map[string]string{corev1.LabelOSStable: string(platform.WindowsOS)}
	}
	if release != "" {
		windows = []platform.Platform{release}
	}
	return append(d.missingLabels(selector), d.tolerations(windows)...)
}

// tolerations returns the tolerations for the pools of platforms that the pods do not have yet.
func (d *decider) tolerations(platforms []platform.Platform) []Edit {
	var needed []corev1.Toleration
	for _, p := range platforms {
		needed = append(needed, d.Topology.LikelyTolerations(p)...)
	}
	return Tolerate(d.Pods, needed)
}

// Tolerate returns the edit that adds the tolerations of taints that the pods do not tolerate
// permanently, nil if they tolerate all of them.
func Tolerate(p *pods.Pods, needed []corev1.Toleration) []Edit {
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
