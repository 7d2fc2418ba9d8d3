package kubeadm

import (
	"context"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/jointoken"
	"github.com/mixedkube/mixedkube/internal/components/stackstate"
)

// stateRecord is what the state records of machines that have joined, or why it cannot be read.
type stateRecord struct {
	jointoken.Record

	err error
}

// readRecord returns what the state records before this update changes it, a [stateRecord]. It has
// nothing to read for a new cluster, which the [origin] of its keys tells: before the first update
// there may be no state.
func readRecord(ctx *pulumi.Context, first pulumi.Output) pulumi.Output {
	return pulumi.Unsecret(first.ApplyT(func(value any) stateRecord {
		if ctx.RunningWithMocks() || value.(origin).isNew {
			return stateRecord{}
		}
		state, err := stackstate.Read[jointoken.Properties](ctx)
		return stateRecord{jointoken.NewRecord(state), err}
	}))
}

// recordOf waits for a [stateRecord] in a hook.
func recordOf(ctx context.Context, output pulumi.Output) (jointoken.Record, error) {
	var record stateRecord
	if err := valueOf(ctx, output, &record); err != nil {
		return jointoken.Record{}, err
	}
	return record.Record, record.err
}

// joined are the machines of the pools and their nodes, for the record in the state.
type joined struct {
	tokens *tokens
	// record is a [stateRecord].
	record   pulumi.Output
	machines []any
}

// firstNode is the first node of one creation of a machine.
type firstNode struct{ vmID, uid string }

// add adds a machine whose node exists.
func (j *joined) add(m machine, vm *compute.VirtualMachine, node *corev1.Node) {
	values := pulumi.All(j.record, vm.VmId, node.Metadata.Uid())
	j.machines = append(j.machines, values.ApplyT(func(values []any) (firstNode, error) {
		record, vmID := values[0].(stateRecord), values[1].(string)
		now, _ := values[2].(*string)
		first := record.Recorded(vmID)
		switch {
		case record.err != nil:
			return firstNode{}, record.err
		case now == nil || j.tokens.waitsFor(m):
			// The resource of the node is that of an earlier machine, if nothing has waited for this one.
			return firstNode{}, nil
		case first != "" && first != *now:
			return firstNode{}, jointoken.AnotherNodeError{Node: m.Name, First: first, Now: *now}
		}
		return firstNode{vmID, *now}, nil
	}))
}

// nodes returns the UIDs of the first nodes by Azure's IDs of their machines.
func (j *joined) nodes() pulumi.StringMapOutput {
	return pulumi.All(append([]any{j.record}, j.machines...)...).ApplyT(func(values []any) map[string]string {
		nodes := values[0].(stateRecord).Retained()
		for _, value := range values[1:] {
			if first := value.(firstNode); first.uid != "" {
				nodes[first.vmID] = first.uid
			}
		}
		return nodes
	}).(pulumi.StringMapOutput)
}
