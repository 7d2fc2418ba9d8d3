package workload

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

// Scheduling is the way in which a workload's pods find the nodes of their platform.
type Scheduling string

const (
	// ByRuntimeClass makes pods name the platform's RuntimeClass, as package runtimeclass creates it. It is the
	// default, which can also be written as "". Linux has no RuntimeClass, the DaemonSet controller does not look at
	// one, and the selector of another class is not known: such pods get node selector and tolerations instead of the
	// class, or in addition to it.
	ByRuntimeClass Scheduling = "ByRuntimeClass"
	// BySelector gives the pods node selector and tolerations of their own, for clusters without RuntimeClasses.
	BySelector Scheduling = "BySelector"
)

// validateCluster returns the mistakes in the topology, the scheduling and the platform, which a pool of the
// topology must run unless that is partial.
func (args common) validateCluster() field.ErrorList {
	var errs field.ErrorList
	if args.topology.IsSet() {
		errs = args.topology.Validate(field.NewPath("topology"))
	}
	if s := args.scheduling; s != "" && s != ByRuntimeClass && s != BySelector {
		errs = append(errs, field.Invalid(field.NewPath("scheduling"), string(s),
			"use ByRuntimeClass or BySelector"))
	}
	return append(errs, validatePlatform(args.platform, args.topology, field.NewPath("platform"))...)
}

func validatePlatform(p platform.Platform, t topology.Topology, path *field.Path) field.ErrorList {
	if p == "" {
		return field.ErrorList{field.Required(path,
			"set what the containers run on, for example platform.WindowsServer2022")}
	}
	if errs := topology.ValidatePlatform(p, path); len(errs) > 0 {
		return errs
	}
	return refusal.WithoutHost(t, p, path)
}
