package preflight

import (
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// runForGood are the kinds of workloads whose pods run until they are deleted.
var runForGood = []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"}

// windowOption returns the path of a field of windowsOptions.
func (p *judged) windowsOption(ctr *pods.Container, name string) string {
	if ctr == nil {
		return p.Path("securityContext", "windowsOptions", name)
	}
	return p.In(ctr, "securityContext", "windowsOptions", name)
}

// userOf returns the effective runAsUserName of a container. It returns false, false if it may be set but is unknown.
func (p *judged) userOf(ctr *pods.Container) (v any, known bool) {
	if tree.IsUnknown(ctr.Spec["securityContext"]) || tree.IsUnknown(ctr.Security["windowsOptions"]) {
		return nil, false
	}
	if v := ctr.Windows["runAsUserName"]; v != nil {
		return v, !tree.IsUnknown(v)
	}
	if tree.IsUnknown(p.Spec["securityContext"]) || tree.IsUnknown(p.Security["windowsOptions"]) {
		return nil, false
	}
	v = p.Windows["runAsUserName"]
	return v, !tree.IsUnknown(v)
}
