package pods

import "github.com/mixedkube/mixedkube/internal/core/value/tree"

// counts has the keys of the number of pods in an object of a kind.
var counts = map[string][]string{
	"Deployment":            {"spec", "replicas"},
	"ReplicaSet":            {"spec", "replicas"},
	"StatefulSet":           {"spec", "replicas"},
	"ReplicationController": {"spec", "replicas"},
	"Job":                   {"spec", "parallelism"},
	"CronJob":               {"spec", "jobTemplate", "spec", "parallelism"},
	"PodTemplate":           nil,
	Rollout:                 {"spec", "replicas"},
	RunnerDeployment:        {"spec", "replicas"},
	RunnerSet:               {"spec", "replicas"},
}

// Count returns how many pods the object has at a time; for a DaemonSet, on each node. It is 1
// if the field is not set, like in Kubernetes, and if it is not known. A PodTemplate has none.
func (p *Pods) Count() int {
	keys, counted := counts[p.Kind]
	if !counted {
		return 1
	}
	if keys == nil {
		return 0
	}
	if n, ok := tree.Int(tree.At(p.Object, keys...)); ok && n >= 0 {
		return int(n)
	}
	return 1
}
