package completion

import "github.com/mixedkube/mixedkube/internal/tree"

// Effect is what edits of an object do to the pods that it has in the cluster already.
type Effect int

const (
	// NewPods leaves them as they are: pods that the object makes later are completed.
	NewPods Effect = iota
	// Restarts rolls a new template out: its controller replaces the pods, one after the
	// other.
	Restarts
	// Replaces makes another object: Kubernetes does not change the pods of a Job, nor the
	// node selector of a Pod, so Pulumi deletes the object and runs a new one
	// (https://github.com/pulumi/pulumi-kubernetes/blob/master/provider/pkg/provider/diff.go).
	Replaces
)

// EffectOn returns what edits of the pods of an object do to those in the cluster.
func EffectOn(object map[string]any) Effect {
	switch kind, _ := tree.Text(object["kind"]); kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return Restarts
	case "Job", "Pod":
		return Replaces
	default:
		return NewPods
	}
}
