package preflight

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// hostProcessFields reports what the API server refuses in host-process containers and in the ports of pods in the
// node's network, for any operating system.
func (c *check) hostProcessFields(p *judged) {
	if p.HostProcess() {
		c.hostProcessPods(p)
	}
	if on, _ := tree.Bool(p.Spec["hostNetwork"]); on {
		c.hostPorts(p)
	}
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

var (
	hostProcessDiffers = rule.Rule{
		ID: "MK160", Severity: rule.Error, Title: "hostProcess differs between pod and container",
		Reason: "hostProcess applies to a pod as a whole, so the two must not contradict each other.",
		Source: apiValidation + hostProcessIn,
	}
	hostProcessMixed = rule.Rule{
		ID: "MK161", Severity: rule.Error, Title: "only some containers are host-process containers",
		Reason: "Host-process containers run in the node's own namespaces, so a pod cannot mix them with other " +
			"containers. Init and ephemeral containers count.",
		Source: apiValidation + hostProcessIn,
	}
	hostProcessWithoutHostNetwork = rule.Rule{
		ID: "MK162", Severity: rule.Error, Title: "a host-process pod without the node's network",
		Reason: "Host-process containers use the network of the node, so hostNetwork must be true.",
		Source: apiValidation + hostProcessIn,
	}
)

// hostProcessPods checks pods with a host-process container. A container counts as neither host-process nor other if it
// is unknown which one it is.
func (c *check) hostProcessPods(p *judged) {
	ofPod := hostProcessOf(p.Spec, p.Security, p.Windows)
	var on, off int
	for i := range p.Containers {
		ctr := &p.Containers[i]
		own := hostProcessOf(ctr.Spec, ctr.Security, ctr.Windows)
		if ofPod.set && ofPod.known && own.set && own.known && own.on != ofPod.on {
			c.report(hostProcessDiffers, rule.Problem{
				Path: p.windowsOption(ctr, "hostProcess"), Type: field.ErrorTypeInvalid, Value: own.value,
				Detail: fmt.Sprintf("pod hostProcess value must be identical if both are specified, was %v",
					ofPod.value),
				Fix: "set it on the pod only",
			})
		}
		effective := own
		if own.known && !own.set {
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
	if on == 0 {
		return
	}
	if off > 0 {
		c.report(hostProcessMixed, rule.Problem{
			Path: p.Path(), Type: field.ErrorTypeInvalid, Value: "",
			Detail: "If pod contains any hostProcess containers then all containers must be HostProcess containers",
			Fix:    "set securityContext.windowsOptions.hostProcess on the pod",
		})
	}
	network := p.Spec["hostNetwork"]
	if network == nil {
		network = false
	}
	if shared, known := tree.Bool(network); known && !shared {
		c.report(hostProcessWithoutHostNetwork, rule.Problem{
			Path: p.Path("hostNetwork"), Type: field.ErrorTypeInvalid, Value: network,
			Detail: "hostNetwork must be true if pod contains any hostProcess containers",
			Fix:    "set hostNetwork: true",
		})
	}
}

var hostPortDiffers = rule.Rule{
	ID: "MK163", Severity: rule.Error, Title: "hostPort differs from containerPort in the node's network",
	Reason: "With hostNetwork a port of a container is a port of the node. If hostPort is not set or 0, the API " +
		"server sets it.",
	Source: apiValidation + ", validatePodHostNetworkDeps",
}

// hostPorts checks the ports of pods in the node's network. The API server checks only regular containers, and sets a
// host port that is missing or 0.
func (c *check) hostPorts(p *judged) {
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
			c.report(hostPortDiffers, rule.Problem{
				Path: p.In(ctr, "ports", j, "hostPort"), Type: field.ErrorTypeInvalid, Value: port["hostPort"],
				Detail: "must match `containerPort` when `hostNetwork` is true",
				Fix:    "remove it",
			})
		}
	}
}
