package mutate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Effect is what edits of an object do to its existing pods in the cluster.
type Effect int

const (
	// NewPods leaves them unchanged: only pods that the object creates later are completed.
	NewPods Effect = iota
	// Restarts rolls out a new template: the controller replaces the pods, one after the
	// other.
	Restarts
	// Replaces creates a new object: Kubernetes does not change the pods of a Job, nor the
	// node selector of a Pod, so Pulumi deletes the object and runs a new one
	// (https://github.com/pulumi/pulumi-kubernetes/blob/master/provider/pkg/provider/diff.go).
	Replaces
)

// EffectOn returns what edits of the pods of an object do to its pods in the cluster.
func EffectOn(object map[string]any) Effect {
	switch pods.KindOf(object) {
	case "Deployment", "StatefulSet", "DaemonSet", pods.Rollout, pods.RunnerDeployment, pods.RunnerSet,
		pods.KnativeService, pods.KnativeConfiguration:
		return Restarts
	case "Job", "Pod":
		return Replaces
	default:
		return NewPods
	}
}

// IgnoreChanges returns the property paths for Pulumi's option of the same name if edits would
// replace an object that exists in the cluster without them. With these paths, an existing
// object stays unchanged, and an object that is created, or replaced for another reason, gets
// the edits.
func IgnoreChanges(object map[string]any, edits []Edit) []string {
	if EffectOn(object) != Replaces {
		return nil
	}
	edited := Apply(object, edits)
	var paths []string
	for _, e := range edits {
		paths = append(paths, propertyPath(changed(object, edited, e.Path)))
	}
	return slices.Compact(paths)
}

// changed returns the path of the value that an edit adds or removes: a key that the object does not have before or
// after the edits, with everything below it. The engine can ignore a key of a map, but not an element of a
// list, so a list is ignored as a whole.
func changed(before, after any, path []string) []string {
	for i, key := range path {
		if key == tree.Each {
			return path[:i]
		}
		if before, after = tree.Map(before)[key], tree.Map(after)[key]; before == nil || after == nil {
			return path[:i+1]
		}
	}
	return path
}

// unquoted matches a key that needs no quotes in a property path:
// https://www.pulumi.com/docs/iac/concepts/resources/options/ignorechanges/.
var unquoted = regexp.MustCompile(`^\w+$`)

func propertyPath(keys []string) string {
	var path strings.Builder
	for i, key := range keys {
		switch {
		case !unquoted.MatchString(key):
			path.WriteString(`["` + key + `"]`)
		case i > 0:
			path.WriteString("." + key)
		default:
			path.WriteString(key)
		}
	}
	return path.String()
}
