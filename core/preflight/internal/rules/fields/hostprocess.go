package fields

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// hostProcessRules are about what the API server refuses in host-process containers and in the ports of pods in the
// node's network, for any operating system.
var hostProcessRules = []engine.Rule{
	hostProcessDiffers, hostProcessMixed, hostProcessWithoutHostNetwork, hostPortDiffers,
}

// setting is a hostProcess field of the pod or of a container.
type setting struct {
	value any
	// set is true if there is a value, known if the value is known, and on if the value is true.
	set, known, on bool
}

// hostProcessOf reads the setting of a pod or a container, the owner.
func hostProcessOf(owner, security, windows map[string]any) setting {
	if tree.IsUnknown(owner["securityContext"]) || tree.IsUnknown(security["windowsOptions"]) {
		return setting{}
	}
	v := windows["hostProcess"]
	if v == nil {
		return setting{known: true}
	}
	on, known := tree.Bool(v)
	return setting{value: v, set: true, known: known, on: on}
}

func hostProcessOfContainer(ctr *pods.Container) setting {
	return hostProcessOf(ctr.Spec, ctr.Security, ctr.Windows)
}

// countHostProcess returns how many containers are host-process containers, and how many are others. A container counts
// as neither if it is unknown which one it is.
func countHostProcess(p *subject.Pods) (on, off int) {
	ofPod := hostProcessOf(p.Spec, p.Security, p.Windows)
	for i := range p.Containers {
		effective := hostProcessOfContainer(&p.Containers[i])
		if effective.known && !effective.set {
			effective = ofPod
		}
		switch {
		case !effective.known:
		case effective.on:
			on++
		default:
			off++
		}
	}
	return on, off
}

var hostProcessDiffers = engine.Rule{
	Rule: rule.Rule{
		ID: "MK160", Severity: rule.Error, Title: "hostProcess differs between pod and container",
		Page:   rulepages.HostProcess,
		Reason: "hostProcess applies to a pod as a whole, so the two must not contradict each other.",
		Fix:    "set it on the pod only",
		Source: sources.APIValidation + sources.HostProcessIn,
	},
	Checks: []engine.Check{engine.On(subject.HostProcessPods, func(p *subject.Pods) []rule.Problem {
		ofPod := hostProcessOf(p.Spec, p.Security, p.Windows)
		if !ofPod.set || !ofPod.known {
			return nil
		}
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			if own := hostProcessOfContainer(ctr); own.set && own.known && own.on != ofPod.on {
				found = append(found, rule.Problem{
					Path: p.OptionPath(ctr, "hostProcess"), Type: field.ErrorTypeInvalid, Value: own.value,
					Detail: fmt.Sprintf("pod hostProcess value must be identical if both are specified, was %v",
						ofPod.value),
				})
			}
		}
		return found
	})},
}

var hostProcessMixed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK161", Severity: rule.Error, Title: "only some containers are host-process containers",
		Page: rulepages.HostProcess,
		Reason: "Host-process containers run in the node's own namespaces, so a pod cannot mix them with other " +
			"containers. Init and ephemeral containers count.",
		Fix:    "set securityContext.windowsOptions.hostProcess on the pod",
		Source: sources.APIValidation + sources.HostProcessIn,
	},
	Checks: []engine.Check{engine.On(subject.HostProcessPods, func(p *subject.Pods) []rule.Problem {
		if on, off := countHostProcess(p); on == 0 || off == 0 {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path(), Type: field.ErrorTypeInvalid, Value: "",
			Detail: "If pod contains any hostProcess containers then all containers must be HostProcess containers",
		}}
	})},
}

var hostProcessWithoutHostNetwork = engine.Rule{
	Rule: rule.Rule{
		ID: "MK162", Severity: rule.Error, Title: "a host-process pod without the node's network",
		Page:   rulepages.HostProcess,
		Reason: "Host-process containers use the network of the node, so hostNetwork must be true.",
		Fix:    "set hostNetwork: true",
		Source: sources.APIValidation + sources.HostProcessIn,
	},
	Checks: []engine.Check{engine.On(subject.HostProcessPods, func(p *subject.Pods) []rule.Problem {
		network := p.Spec["hostNetwork"]
		if network == nil {
			network = false
		}
		if shared, known := tree.Bool(network); !known || shared {
			return nil
		}
		if on, _ := countHostProcess(p); on == 0 {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("hostNetwork"), Type: field.ErrorTypeInvalid, Value: network,
			Detail: "hostNetwork must be true if pod contains any hostProcess containers",
		}}
	})},
}

var podsInHostNetwork = &engine.Scope[*subject.Pods]{
	Name: "pods in the node's network", Has: func(p *subject.Pods) bool { return isTrue(p.Spec["hostNetwork"]) },
}

var hostPortDiffers = engine.Rule{
	Rule: rule.Rule{
		ID: "MK163", Severity: rule.Error, Title: "hostPort differs from containerPort in the node's network",
		Page: rulepages.HostProcess,
		Reason: "With hostNetwork a port of a container is a port of the node. If hostPort is not set or 0, the API " +
			"server sets it.",
		Fix:    "remove it",
		Source: sources.APIValidation + ", validatePodHostNetworkDeps",
	},
	Checks: []engine.Check{engine.On(podsInHostNetwork, otherHostPorts)},
}

// otherHostPorts checks only regular containers, like the API server.
func otherHostPorts(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if ctr.List != "containers" {
			continue
		}
		for j, v := range tree.List(ctr.Spec["ports"]) {
			port := tree.Map(v)
			host, ok := tree.Int(port["hostPort"])
			if !ok || host == 0 {
				continue
			}
			inside, known := tree.Int(port["containerPort"])
			if host == inside || !known && pods.IsSet(port, "containerPort") {
				continue
			}
			found = append(found, rule.Problem{
				Path: p.In(ctr, "ports", j, "hostPort"), Type: field.ErrorTypeInvalid, Value: port["hostPort"],
				Detail: "must match `containerPort` when `hostNetwork` is true",
			})
		}
	}
	return found
}
