package mutate

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// withoutClaims decides about pods without any claim: they are for Linux if the policy assumes it.
func (d *decider) withoutClaims(out Decision) Decision {
	out.Outcome = Unknown
	image, _ := pods.Agreed(d.images)
	out.ImagesDiffer = image.OS != ""
	out.ImagesOfBoth = len(d.images) > 0 && !slices.ContainsFunc(d.images, func(i platform.Image) bool {
		return len(i.Facts.For(platform.LinuxOS)) == 0 || len(i.Facts.For(platform.WindowsOS)) == 0
	})
	if !d.policy.AssumeLinux || out.ImagesDiffer {
		return out
	}
	edits := append(d.missingLabels(topology.NodeSelector(platform.Linux)),
		d.tolerations([]platform.Platform{platform.Linux})...)
	if out.NotLinux = d.notLinux(edits); out.NotLinux != "" {
		return out
	}
	out.OS, out.Platform, out.Source = platform.LinuxOS, platform.Linux, ByAssumption
	out = d.completed(out, edits)
	out.Outcome = AssumedLinux
	return out
}

// notLinux returns why pods without any claim must not be assumed to be for Linux, "" if they may.
// The edits are the edits for Linux.
func (d *decider) notLinux(edits []Edit) string {
	if hint := windowsHint(d.Pods); hint != "" {
		return hint
	}
	if class := d.Spec["runtimeClassName"]; class != nil {
		name, _ := class.(string) // a secret one is not shown
		return strings.TrimSpace("the RuntimeClass "+name) + " may be for Windows"
	}
	taken := d.with(edits)
	target := d.Target(taken, nil)
	target.Images = target.CertainImages()
	if !d.CanLandOn(platform.Linux, taken, &target) {
		return "no Linux pool can run them"
	}
	return ""
}

// with returns the pods after edits.
func (d *decider) with(edits []Edit) *pods.Pods {
	for _, p := range pods.ReadObject(Apply(d.object.Tree, edits)).All() {
		if p.Prefix == d.Prefix {
			return p
		}
	}
	return d.Pods
}
