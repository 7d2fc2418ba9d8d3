package jointoken_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/jointoken"
)

const (
	inCluster = "urn:pulumi:dev::shop::mixedkube:kubeadm:Cluster$"
	inPool    = inCluster + "mixedkube:kubeadm:NodePool$"
	cluster   = "urn:pulumi:dev::shop::mixedkube:kubeadm:Cluster::shop"
	worker    = inPool + "azure-native:compute:VirtualMachine::shop-win22-win22-abc-0"
	node      = inPool + "kubernetes:core/v1:Node::shop-win22-win22-abc-0-node"
	job       = inPool + "kubernetes:batch/v1:Job::shop-win22-win22-abc-0-ready"
	server    = inCluster + "azure-native:compute:VirtualMachine::shop-control-plane-1"
	extension = inCluster + "azure-native:compute:VirtualMachineExtension::shop-control-plane-1-bootstrap"
)

func nodeProperties(name, uid string) jointoken.Properties {
	return jointoken.Properties{Metadata: map[string]any{"name": name, "uid": uid}}
}

// The record survives a refresh, which changes what the state has of a node.
func TestMachinesThatHaveJoined(t *testing.T) {
	t.Parallel()
	type state = map[string]jointoken.Properties
	recorded := jointoken.Properties{JoinedNodes: map[string]any{"1": "a"}}
	earlier := jointoken.Properties{JoinedNodes: map[string]any{"0": "z"}}
	done := jointoken.Properties{Status: map[string]any{"succeeded": 1.0}}
	vm := jointoken.Properties{VMID: "1"}
	for name, test := range map[string]struct {
		state  state
		uid    string
		joined bool
		// starts is whether it has joined for an update that starts the bootstrap.
		starts bool
	}{
		"a new cluster":                 {nil, "", false, false},
		"a machine that has not joined": {state{cluster: {}, worker: vm}, "", false, false},
		"a machine that has joined": {
			state{cluster: recorded, worker: vm, node: nodeProperties("win22-abc-0", "a"), job: done}, "a", true, true,
		},
		"a node that has registered again, after a refresh": {
			state{cluster: recorded, worker: vm, node: nodeProperties("win22-abc-0", "b")}, "a", true, true,
		},
		"a node that has deleted itself, after a refresh": {state{cluster: recorded, worker: vm}, "a", true, true},
		"a machine whose other resources are deleted":     {state{cluster: recorded, worker: vm}, "a", true, true},
		"a state before there was a record": {
			state{cluster: {}, worker: vm, node: nodeProperties("win22-abc-0", "a")}, "a", true, false,
		},
		"such a state, whose node has deleted itself": {state{cluster: {}, worker: vm, job: done}, "", true, false},
		"such a state, with a Job that has not succeeded": {
			state{cluster: {}, worker: vm, job: {Status: map[string]any{"failed": 1.0}}}, "", false, false,
		},
		"an update that failed after the machine had joined": {
			state{cluster: earlier, worker: vm, node: nodeProperties("win22-abc-0", "a")}, "a", true, false,
		},
		"another creation of the machine": {
			state{cluster: earlier, worker: {VMID: "0"}, node: nodeProperties("win22-abc-0", "z"), job: done},
			"", false, false,
		},
		"the node of another cluster": {
			state{
				worker: vm,
				inPool + "kubernetes:core/v1:Node::blog-win22-win22-abc-0-node": nodeProperties("win22-abc-0", "a"),
			}, "", false, false,
		},
		"the output of another component": {
			state{"urn:pulumi:dev::shop::other:index:Cluster::x": recorded, worker: vm}, "", false, false,
		},
		"properties of other types": {
			state{
				"urn:pulumi:dev::shop::other:index:Thing::x": {VMID: 1.0, Metadata: "a", Status: 1.0}, "x": recorded,
				cluster: {JoinedNodes: map[string]any{"1": 2.0}}, worker: {VMID: true}, node: {Metadata: []any{"a"}},
				job: {Status: "succeeded"},
			}, "", false, false,
		},
	} {
		record := jointoken.NewRecord(test.state)
		of := jointoken.Resources{
			Node: "shop-win22-win22-abc-0-node", Job: "shop-win22-win22-abc-0-ready",
			Extension: "shop-win22-win22-abc-0-bootstrap",
		}
		uid, joined := record.Joined("1", of, false)
		equal(t, name+": UID", test.uid, uid)
		equal(t, name+": has joined", test.joined, joined)
		_, joined = record.Joined("1", of, true)
		equal(t, name+": has joined when the bootstrap starts", test.starts, joined)
	}
}

func TestServersThatHaveJoined(t *testing.T) {
	t.Parallel()
	type state = map[string]jointoken.Properties
	for name, test := range map[string]struct {
		state state
		want  bool
	}{
		"not yet":          {state{server: {VMID: "1"}}, false},
		"yes":              {state{server: {VMID: "1"}, extension: {ProvisioningState: "Succeeded"}}, true},
		"it has failed":    {state{server: {VMID: "1"}, extension: {ProvisioningState: "Failed"}}, false},
		"another creation": {state{server: {VMID: "0"}, extension: {ProvisioningState: "Succeeded"}}, false},
	} {
		record := jointoken.NewRecord(test.state)
		uid, joined := record.Joined("1", jointoken.Resources{Extension: "shop-control-plane-1-bootstrap"}, false)
		equal(t, name, test.want, joined)
		equal(t, name+": UID", "", uid)
		_, joined = record.Joined("1", jointoken.Resources{Extension: "shop-control-plane-1-bootstrap"}, true)
		equal(t, name+", when the bootstrap starts", false, joined)
	}
}

// An update that removes a machine from the program may fail before it deletes the machine.
func TestRecordsStayAsLongAsTheMachines(t *testing.T) {
	t.Parallel()
	record := jointoken.NewRecord(map[string]jointoken.Properties{
		cluster: {JoinedNodes: map[string]any{"1": "a", "2": "b"}}, worker: {VMID: "1"},
	})
	equal(t, "retained", map[string]string{"1": "a"}, record.Retained())
}

func TestNodesOfACluster(t *testing.T) {
	t.Parallel()
	record := jointoken.NewRecord(map[string]jointoken.Properties{
		node: nodeProperties("win22-abc-0", "a"),
		inPool + "kubernetes:core/v1:Node::shop-old-old-abc-0-node":     nodeProperties("old-abc-0", "b"),
		inPool + "kubernetes:core/v1:Node::blog-win22-win22-abc-0-node": nodeProperties("win22-abc-0", "c"),
		inPool + "kubernetes:core/v1:Node::shop-odd-node":               {},
	})
	equal(t, "nodes", []string{"old-abc-0", "win22-abc-0"}, record.Nodes(func(node string) string {
		return map[string]string{
			"win22-abc-0": "shop-win22-win22-abc-0-node", "old-abc-0": "shop-old-old-abc-0-node", "": "shop-odd-node",
		}[node]
	}))
}
