package subject

import "github.com/mixedkube/mixedkube/internal/core/value/tree"

// completes are the kinds whose pods the API server validates, with a field that each object of the kind has, so that
// an object without it is part of another one.
var completes = map[string][]string{
	"Pod": nil, "PodTemplate": nil, "ReplicationController": nil,
	"Deployment": {"selector"}, "ReplicaSet": {"selector"}, "StatefulSet": {"selector"}, "DaemonSet": {"selector"},
	"CronJob": {"schedule"}, "Job": {"template", "spec", "restartPolicy"},
}

// Validated reports whether the API server validates the pods unchanged: it does not know the pods of custom
// resources, and an object that a tool merges into another one lacks what its kind requires.
func (p *Pods) Validated() bool {
	keys, validated := completes[p.Kind]
	return validated && (keys == nil || tree.At(p.Object["spec"], keys...) != nil)
}
