package kubeadm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const clusterType = "mixedkube:kubeadm:Cluster"

// joinedNodes returns the record of the first nodes, by the names of their machines.
func joinedNodes(t *testing.T, graph *mocktest.Graph) map[string]any {
	t.Helper()
	recorded, _ := mocktest.Plain(graph.MustGet(t, clusterType, "shop").Outputs)["joinedNodes"].(map[string]any)
	outputs := kubeadmtest.Outputs()
	byName := map[string]any{}
	for _, vm := range graph.ByType(machineType) {
		vmID := outputs(vm)["vmId"].StringValue()
		if uid, ok := recorded[vmID]; ok {
			byName[vm.Name] = uid
			delete(recorded, vmID)
		}
	}
	equal(t, "records of no machine", map[string]any{}, recorded)
	return byName
}

// nodesAre is Azure, with nodes whose UIDs are the names of their resources and a suffix.
func nodesAre(suffix string) mocktest.Option {
	outputs := kubeadmtest.Outputs()
	return mocktest.All(azure(), mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		if r.Type == nodeType {
			return resource.PropertyMap{"metadata": resource.NewProperty(resource.PropertyMap{
				"uid": resource.NewProperty(r.Name + suffix),
			})}
		}
		return outputs(r)
	}))
}

// The state records the first nodes of the machines of pools, and later updates keep the record.
func TestTheStateRecordsTheFirstNodes(t *testing.T) {
	t.Parallel()
	first := mocktest.MustRun(t, newCluster(small(nil)), nodesAre("-1"))
	want := map[string]any{
		"shop-linux-linux-30g-0": "shop-linux-linux-30g-0-node-1",
		"shop-win22-win22-7fh-0": "shop-win22-win22-7fh-0-node-1",
		"shop-win22-win22-7fh-1": "shop-win22-win22-7fh-1-node-1",
	}
	equal(t, "the first update", want, joinedNodes(t, first))
	for name, option := range modes {
		again := mocktest.MustRun(t, newCluster(small(nil)), append(option, nodesAre("-1"), mocktest.After(first))...)
		equal(t, name+": again", want, joinedNodes(t, again))
	}
}

// A machine that leaves the program keeps its record as long as it is in the state: deleting it may fail.
func TestTheRecordOutlivesTheProgram(t *testing.T) {
	t.Parallel()
	recorded := func(graph *mocktest.Graph) int {
		nodes, _ := mocktest.Plain(graph.MustGet(t, clusterType, "shop").Outputs)["joinedNodes"].(map[string]any)
		return len(nodes)
	}
	smaller := small(func(a *kubeadm.ClusterArgs) { a.Pools[1].Count = 1 })
	graph := mocktest.MustRun(t, newCluster(small(nil)), nodesAre(""))
	for i, want := range []int{3, 2} {
		graph = mocktest.MustRun(t, newCluster(smaller), nodesAre(""), mocktest.After(graph))
		equal(t, fmt.Sprintf("records after update %d", i+1), want, recorded(graph))
	}
}

// A node that something has registered again is an error, when the state has seen it: here its
// resource changes, as it does with a refresh.
func TestANodeThatRegistersAgain(t *testing.T) {
	t.Parallel()
	first := mocktest.MustRun(t, newCluster(small(nil)), nodesAre("-1"))
	changed := func(ctx *pulumi.Context) error {
		err := ctx.RegisterResourceTransform(func(_ context.Context, args *pulumi.ResourceTransformArgs,
		) *pulumi.ResourceTransformResult {
			if args.Type != nodeType {
				return nil
			}
			args.Props["metadata"].(pulumi.Map)["labels"] = pulumi.StringMap{"changed": pulumi.String("true")}
			return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
		})
		return errors.Join(err, newCluster(small(nil))(ctx))
	}
	_, err := mocktest.Run(changed, nodesAre("-2"), mocktest.After(first))
	if err == nil {
		t.Fatal("no error")
	}
	for machine, node := range map[string]string{
		"linux-30g-0": "shop-linux-linux-30g-0-node", "win22-7fh-0": "shop-win22-win22-7fh-0-node",
		"win22-7fh-1": "shop-win22-win22-7fh-1-node",
	} {
		want := "node " + machine + ` has the UID "` + node + `-2", but its machine has joined as the node with the ` +
			`UID "` + node + `-1", which the state records: the node was deleted and registered again. Do not trust ` +
			"the machine: create it again with `pulumi up --replace` and the URN of the virtual machine"
		if strings.Contains(err.Error(), want) {
			return // The SDK returns the first error that it meets.
		}
	}
	t.Errorf("the error is %v", err)
}
