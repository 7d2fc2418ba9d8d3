package repository

import (
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// isFragment reports whether an object can only be a part of another one: it has directives of a strategic merge patch,
// which the API server refuses, or it is a workload that has neither a selector nor an image.
func isFragment(object map[string]any) bool {
	return hasDirective(object) || isWorkloadPart(object)
}

// directives are the keys of a strategic merge patch. Source: k8s.io/apimachinery, pkg/util/strategicpatch.
var directives = [...]string{"$patch", "$retainKeys"}

// listDirectives begin the keys of directives for a list.
var listDirectives = [...]string{"$setElementOrder/", "$deleteFromPrimitiveList/"}

// hasDirective reports whether a key of a value is a directive of a strategic merge patch.
func hasDirective(value any) bool {
	for _, v := range tree.List(value) {
		if hasDirective(v) {
			return true
		}
	}
	for key, v := range tree.Map(value) {
		for _, directive := range directives {
			if key == directive {
				return true
			}
		}
		for _, prefix := range listDirectives {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
		if hasDirective(v) {
			return true
		}
	}
	return false
}

// isWorkloadPart reports whether an object is a workload whose kind requires a selector and images, and that has neither.
func isWorkloadPart(object map[string]any) bool {
	kind, _ := tree.Text(object["kind"])
	spec := tree.Map(object["spec"])
	switch kind {
	case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
	default:
		return false
	}
	if group(object) != "apps" || spec["selector"] != nil || tree.IsUnknown(object["spec"]) {
		return false
	}
	for _, list := range [...]string{"containers", "initContainers"} {
		for _, container := range tree.List(tree.At(spec["template"], "spec", list)) {
			if tree.Map(container)["image"] != nil {
				return false
			}
		}
	}
	return true
}
