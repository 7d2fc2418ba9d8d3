package workload

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Scheduling is the way in which a workload's pods find the nodes of their
// platform.
type Scheduling int

const (
	// ByRuntimeClass names the platform's RuntimeClass, as package runtimeclass
	// makes it. It is the default. Linux has no RuntimeClass, and what another
	// class selects is not known: such workloads are scheduled by selector as
	// well.
	ByRuntimeClass Scheduling = iota
	// BySelector gives the pods node selector and tolerations of their own, for
	// clusters without RuntimeClasses.
	BySelector
)

// requirements are what a pod needs to land on the nodes of its platform:
// either the RuntimeClass, or node selector and tolerations.
type requirements struct {
	os               string
	runtimeClassName string // "" where pods are scheduled by selector only
	nodeSelector     map[string]string
	tolerations      []corev1.Toleration
}

// require derives a pod's requirements. A topology is not needed; with one, the
// platform must have a pool in it, and tolerations match its pools' taints.
func require(p platform.Platform, scheduling Scheduling, t topology.Topology) (requirements, field.ErrorList) {
	var errs field.ErrorList
	given := t.Given()
	if !given {
		// Without a topology, pools are taken to have the default taint.
		t.Pools = []topology.Pool{{Platform: p}}
	}
	t = t.WithDefaults()
	if given {
		errs = t.Validate(field.NewPath("topology"))
	}
	if scheduling != ByRuntimeClass && scheduling != BySelector {
		errs = append(errs, field.Invalid(field.NewPath("scheduling"), int(scheduling), "use workload.ByRuntimeClass or workload.BySelector"))
	}
	if errs = append(errs, validatePlatform(p, t, field.NewPath("platform"))...); len(errs) > 0 {
		return requirements{}, errs
	}
	r := requirements{os: string(p.OS()), nodeSelector: topology.NodeSelector(p), tolerations: t.Tolerations(p)}
	if scheduling == ByRuntimeClass {
		r.runtimeClassName = topology.RuntimeClassName(p)
	}
	return r, nil
}

func validatePlatform(p platform.Platform, t topology.Topology, path *field.Path) field.ErrorList {
	if p == "" {
		return field.ErrorList{field.Required(path, "say what the containers run on, for example platform.WindowsServer2022")}
	}
	if errs := topology.ValidatePlatform(p, path); len(errs) > 0 {
		return errs
	}
	if len(t.Pools) > 0 && len(t.PoolsOf(p)) == 0 {
		return field.ErrorList{field.Invalid(path, p.String(), fmt.Sprintf(
			"no pool of the topology runs it, only %s: add a pool, or use one of these", joinNames(t.Platforms())))}
	}
	return nil
}

func joinNames(platforms []platform.Platform) string {
	names := make([]string, len(platforms))
	for i, p := range platforms {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}
