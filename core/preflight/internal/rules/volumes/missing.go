package volumes

import (
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var missingRules = []engine.Rule{mountWithoutVolume}

var mountWithoutVolume = engine.Rule{
	Rule: rule.Rule{
		ID: "MK172", Severity: rule.Error, Title: "a mount of a volume that the pod does not have",
		Page: rulepages.Volumes,
		Reason: "volumeMounts and volumeDevices name volumes of the same pod. The volumeClaimTemplates of a " +
			"StatefulSet are volumes, too. A container without an image is not checked: a tool merges it into another.",
		Fix:    "add the volume to the pod",
		Source: sources.APIValidation + ", ValidateVolumeMounts and ValidateVolumeDevices",
	},
	Checks: []engine.Check{engine.On(subject.ValidatedPods, func(p *subject.Pods) (found []rule.Problem) {
		names, all := volumeNames(p)
		if !all {
			return nil
		}
		for i := range p.Containers {
			ctr := &p.Containers[i]
			if ctr.Spec["image"] == nil {
				continue
			}
			for _, list := range [...]string{"volumeMounts", "volumeDevices"} {
				for j, v := range tree.List(ctr.Spec[list]) {
					if problem, missing := missingVolume(tree.Map(v)["name"], names); missing {
						problem.Path = p.In(ctr, list, j, "name")
						found = append(found, problem)
					}
				}
			}
		}
		return found
	})},
}

// missingVolume reports whether a mount names none of the volumes. Each name has whether it may be shown.
func missingVolume(name any, volumes map[string]bool) (rule.Problem, bool) {
	text, _ := tree.Text(name)
	if _, has := volumes[text]; has || !isVolumeName(text) {
		return rule.Problem{}, false
	}
	found := rule.Problem{Type: field.ErrorTypeNotFound, Value: name}
	if _, secret := name.(tree.Secret); !secret {
		if near, is := fielderrors.Nearest(text, shownNames(volumes)); is {
			found.Fix = "did you mean " + strconv.Quote(near) + "?"
		}
	}
	return found, true
}

// volumeNames returns the names of the volumes of pods, each with whether it may be shown. It returns false if one is
// not known, or is not valid: a program may replace it before the API server sees it.
func volumeNames(p *subject.Pods) (names map[string]bool, all bool) {
	names = map[string]bool{}
	add := func(v any) bool {
		text, _ := tree.Text(v)
		_, secret := v.(tree.Secret)
		names[text] = !secret
		return isVolumeName(text)
	}
	if tree.IsUnknown(p.Spec["volumes"]) {
		return nil, false
	}
	for _, v := range tree.List(p.Spec["volumes"]) {
		if !add(tree.Map(v)["name"]) {
			return nil, false
		}
	}
	if p.Kind != "StatefulSet" {
		return names, true
	}
	templates := tree.At(p.Object["spec"], "volumeClaimTemplates")
	for _, v := range tree.List(templates) {
		if !add(tree.At(v, "metadata", "name")) {
			return nil, false
		}
	}
	return names, !tree.IsUnknown(templates)
}

func isVolumeName(text string) bool { return len(validation.IsDNS1123Label(text)) == 0 }

func shownNames(volumes map[string]bool) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(volumes)) {
		if volumes[name] {
			names = append(names, name)
		}
	}
	return names
}
