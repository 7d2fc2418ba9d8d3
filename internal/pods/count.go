package pods

import "github.com/mixedkube/mixedkube/internal/tree"

// counts say where an object of a kind has the number of its pods.
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

// Count is how many pods the object wants at a time, of a DaemonSet on each node. It is 1
// where it does not say, as in Kubernetes, and where it is not known; a template is of none.
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
