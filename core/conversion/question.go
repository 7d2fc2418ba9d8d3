package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// findings returns the findings of preflight, after the questions if there are any.
func (it *item) findings(found []preflight.Finding) []Finding {
	it.Done = it.Done.Judged(found)
	all := it.questions()
	for _, f := range found {
		all = append(all, it.finding(f, false))
	}
	return all
}

// questions returns the questions about the object, and what is not a finding of preflight.
func (it *item) questions() (all []Finding) {
	for _, f := range uncompleted(it) {
		all = append(all, it.finding(f, true))
	}
	if it.Done == Unknown && it.decision.Outcome != mutate.Misannotated {
		all = append(all, it.finding(question(it), true))
	}
	if it.decision.Pin != nil {
		all = append(all, it.finding(pinned(it.decision.Pin), true))
	}
	if it.decision.Unselected != "" {
		all = append(all, it.finding(unselected(it), false))
	}
	return all
}

func (it *item) finding(f preflight.Finding, isQuestion bool) Finding {
	return Finding{
		Finding: f, File: it.File, Line: it.doc.Line(f.Path),
		Kind: it.Kind, Namespace: it.Namespace, Name: it.Name, Question: isQuestion,
	}
}

// pinned asks about a build that no pool has, and that is not known to be mixedkube's.
func pinned(pin *pods.Pin) preflight.Finding {
	f := preflight.Finding{
		Severity: preflight.Warning, Path: pin.Path, Value: pin.Build,
		Detail: "no pool has this build of Windows, and others run the images",
		Fix:    "change or remove it: it is not the whole node selector that mixedkube writes for these images",
	}
	if pin.Earlier {
		f.Fix = "move it with MovePins (--move-pins): an earlier version of mixedkube wrote the node selector"
	}
	return f
}

// unselected explains why host-process pods do not select the release of their images. Source of the advice:
// https://github.com/containerd/containerd/issues/7431 and its fix, https://github.com/containerd/containerd/pull/8101.
func unselected(o *item) preflight.Finding {
	release := o.decision.Unselected
	return preflight.Finding{
		Severity: preflight.Info, Path: o.pods.Pods.Path(),
		Detail: fmt.Sprintf(
			"host-process containers run on any Windows release, so the pods are not led to that of their images, %s",
			release,
		),
		Fix: fmt.Sprintf("if an image is an index whose entries have an os.version, which containerd pulls on "+
			"matching nodes only, select %s=%s or use another image",
			topology.LabelWindowsBuild, release.Build()),
	}
}

// question asks what the pods are for.
func question(o *item) preflight.Finding {
	f := preflight.Finding{
		Severity: preflight.Warning, Path: o.pods.Pods.Path(),
		Fix: fmt.Sprintf("specify it with the annotation %s: linux or, for example, %s", preflight.PlatformAnnotation,
			platform.WindowsServer2022),
	}
	switch images := imagesOf(o.pods.Pods); {
	case len(images) == 0:
		f.Detail = "nothing indicates whether the pods are for Linux or for Windows"
	case o.decision.ImagesDiffer:
		f.Detail = "the images contradict each other (" + strings.Join(images, ", ") + ")"
	case o.decision.ImagesOfBoth:
		f.Detail = "nothing indicates whether the pods are for Linux or for Windows, and the images are published " +
			"for both (" + strings.Join(images, ", ") + ")"
	case slices.ContainsFunc(images, func(ref string) bool { return platform.FromImage(ref).ByTag }):
		f.Detail = "only the tag of an image says what the pods are for, and images for Windows have such tags, too (" +
			strings.Join(images, ", ") + ")"
	default:
		f.Detail = "nothing indicates whether the pods are for Linux or for Windows, nor do the images (" +
			strings.Join(images, ", ") + ")"
	}
	if o.decision.NotLinux != "" {
		f.Detail += ", and they are not assumed to be Linux pods: " + o.decision.NotLinux
	}
	return f
}

// imagesOf returns the images of a pod, each once, without those that are secret.
func imagesOf(p *pods.Pods) []string {
	var images []string
	for i := range p.Containers {
		v := p.Containers[i].Spec["image"]
		if _, secret := v.(tree.Secret); secret {
			continue
		}
		if image, _ := tree.Text(v); image != "" && !slices.Contains(images, image) {
			images = append(images, image)
		}
	}
	return images
}
