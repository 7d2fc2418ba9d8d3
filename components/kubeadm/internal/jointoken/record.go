package jointoken

import (
	"slices"
	"strings"
)

// RecordOutput is the output of a cluster in which the state records the UID of the first node of
// each machine, by Azure's ID of this creation of the machine.
const RecordOutput = "joinedNodes"

// Types of resources as in URNs.
const (
	clusterType   = "mixedkube:kubeadm:Cluster"
	nodeType      = "kubernetes:core/v1:Node"
	jobType       = "kubernetes:batch/v1:Job"
	machineType   = "azure-native:compute:VirtualMachine"
	extensionType = "azure-native:compute:VirtualMachineExtension"
)

// Properties are those outputs of a resource in the state that matter here. Each may have any
// type, because the state has resources of other programs' authors too.
type Properties struct {
	JoinedNodes       any `pulumi:"joinedNodes"`
	VMID              any `pulumi:"vmId"`
	Metadata          any `pulumi:"metadata"`
	Status            any `pulumi:"status"`
	ProvisioningState any `pulumi:"provisioningState"`
}

// Record is what the state records of machines that have joined.
type Record struct {
	// first maps Azure's IDs to the UIDs of the first nodes.
	first map[string]string
	// creations are Azure's IDs of the virtual machines in the state.
	creations map[string]bool
	// nodes are the nodes in the state, and done the Jobs and extensions that have succeeded, by the
	// names of their resources.
	nodes map[string]node
	done  map[string]bool
}

type node struct{ name, uid string }

// NewRecord reads the outputs of all resources of a state, by URN.
func NewRecord(state map[string]Properties) Record {
	r := Record{
		first: map[string]string{}, creations: map[string]bool{}, nodes: map[string]node{}, done: map[string]bool{},
	}
	for urn, properties := range state {
		switch kind, resource := typeAndName(urn); kind {
		case clusterType:
			joined, _ := properties.JoinedNodes.(map[string]any)
			for vmID, uid := range joined {
				if uid, ok := uid.(string); ok && uid != "" {
					r.first[vmID] = uid
				}
			}
		case machineType:
			if vmID, ok := properties.VMID.(string); ok && vmID != "" {
				r.creations[vmID] = true
			}
		case nodeType:
			metadata, _ := properties.Metadata.(map[string]any)
			name, _ := metadata["name"].(string)
			uid, _ := metadata["uid"].(string)
			r.nodes[resource] = node{name, uid}
		case jobType:
			status, _ := properties.Status.(map[string]any)
			succeeded, _ := status["succeeded"].(float64)
			r.done[resource] = succeeded > 0
		case extensionType:
			r.done[resource] = properties.ProvisioningState == "Succeeded"
		}
	}
	return r
}

// typeAndName returns the type and the name of a resource from its URN.
func typeAndName(urn string) (kind, name string) {
	parts := strings.SplitN(urn, "::", 4)
	if len(parts) < 4 {
		return "", ""
	}
	return parts[2][strings.LastIndexByte(parts[2], '$')+1:], parts[3]
}

// Resources are the names of resources of a machine.
type Resources struct {
	// Node is its node, and Job waits for that. They are empty for a machine of the control plane.
	Node, Job string
	// Extension starts the bootstrap.
	Extension string
}

// Recorded returns the UID that an update has recorded for one creation of a machine, "" if none
// has.
func (r Record) Recorded(vmID string) string { return r.first[vmID] }

// Joined reports whether the state says that one creation of a machine has joined, and the UID of
// its first node, "" if the state does not have it.
//
// What an update could not record because it failed, and what a state without [RecordOutput] lacks,
// follows from the resources of the machine: its node, or the Job that has seen it Ready. A machine of
// the control plane has neither; its extension succeeds when it has joined, and it has the keys of the
// cluster, so that a token is of no use to it. If the bootstrap starts, these resources belong to an
// earlier creation of the machine, and do not count.
func (r Record) Joined(vmID string, of Resources, starts bool) (uid string, joined bool) {
	switch uid := r.first[vmID]; {
	case uid != "":
		return uid, true
	case starts || !r.creations[vmID]:
		return "", false
	case of.Node == "":
		return "", r.done[of.Extension]
	}
	uid = r.nodes[of.Node].uid
	return uid, uid != "" || r.done[of.Job]
}

// Retained returns what an update must record again: the machines that are in the state, even if the
// program no longer has them. Until they are deleted, a change may be reverted.
func (r Record) Retained() map[string]string {
	retained := map[string]string{}
	for vmID, uid := range r.first {
		if r.creations[vmID] {
			retained[vmID] = uid
		}
	}
	return retained
}

// Nodes returns the names of the nodes in the state whose resources have the names that a cluster
// gives them, sorted.
func (r Record) Nodes(resourceOf func(node string) string) []string {
	var names []string
	for resource, node := range r.nodes {
		if node.name != "" && resourceOf(node.name) == resource {
			names = append(names, node.name)
		}
	}
	slices.Sort(names)
	return names
}
