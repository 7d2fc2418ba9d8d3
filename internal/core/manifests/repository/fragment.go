package repository

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// isFragment reports whether an object can only be a part of another one: it has directives of a strategic merge patch,
// which the API server refuses, or it is a workload that has neither a selector nor an image.
func isFragment(object map[string]any) bool {
	return hasKey(object, isDirective) || isWorkloadPart(object)
}

// directives are the keys of a strategic merge patch. Source: k8s.io/apimachinery, pkg/util/strategicpatch.
var directives = [...]string{"$patch", "$retainKeys"}

// listDirectives begin the keys of directives for a list.
var listDirectives = [...]string{"$setElementOrder/", "$deleteFromPrimitiveList/"}

// isDirective reports whether a key is a directive of a strategic merge patch.
func isDirective(key string) bool {
	return slices.Contains(directives[:], key) || slices.ContainsFunc(listDirectives[:], func(prefix string) bool {
		return strings.HasPrefix(key, prefix)
	})
}

// hasKey reports whether a value, or one in it, has such a key.
func hasKey(value any, is func(key string) bool) bool {
	for _, v := range tree.List(value) {
		if hasKey(v, is) {
			return true
		}
	}
	for key, v := range tree.Map(value) {
		if is(key) || hasKey(v, is) {
			return true
		}
	}
	return false
}

// workloads are the kinds that require a selector, and pods with its labels.
var workloads = []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"}

// isWorkloadPart reports whether an object is a workload without an image, or without both the selector and the labels of
// its pods, which its kind requires.
func isWorkloadPart(object map[string]any) bool {
	kind, _ := tree.Text(object["kind"])
	spec := tree.Map(object["spec"])
	template := tree.Map(spec["template"])
	of := group(object)
	switch {
	case tree.IsUnknown(object["spec"]):
		return false
	case of == "apps" && slices.Contains(workloads, kind):
		lacksLabels := tree.Map(template["metadata"])["labels"] == nil
		return spec["selector"] == nil && (lacksLabels || !hasImage(template["spec"]))
	case of == "batch" && kind == "Job":
	case of == "batch" && kind == "CronJob":
		template = tree.Map(tree.At(spec["jobTemplate"], "spec", "template"))
	case of == "" && kind == "Pod":
		template = object
	default:
		return false
	}
	return len(tree.List(tree.At(template["spec"], "containers"))) > 0 && !hasImage(template["spec"])
}

func hasImage(pod any) bool {
	for _, list := range [...]string{"containers", "initContainers"} {
		for _, container := range tree.List(tree.At(pod, list)) {
			if tree.Map(container)["image"] != nil {
				return true
			}
		}
	}
	return false
}
