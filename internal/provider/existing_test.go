package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// existingCluster is an existing cluster in a program in another language.
type existingCluster struct {
	pulumi.ResourceState

	ResourceGroupName pulumi.StringOutput `pulumi:"resourceGroupName"`
	ClusterName       pulumi.StringOutput `pulumi:"clusterName"`
	Topology          pulumi.AnyOutput    `pulumi:"topology"`
}

// TestAWindowsPoolInAnExistingCluster adds a pool that the cluster's component creates, and a pool that names the
// cluster by its outputs. The topology has the pools that are declared with the cluster.
func TestAWindowsPoolInAnExistingCluster(t *testing.T) {
	t.Parallel()
	pool := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}
	typed := func(ctx *pulumi.Context) error {
		cluster, err := aks.Existing(ctx, existing.Name, &aks.ExistingArgs{ResourceGroupName: "shop"})
		if err != nil {
			return err
		}
		if _, err := cluster.NewNodePool(ctx, "win22", &aks.PoolArgs{Pool: pool}); err != nil {
			return err
		}
		if _, err := aks.NewNodePool(ctx, "other", &aks.NodePoolArgs{
			ResourceGroupName: cluster.ResourceGroupName, ClusterName: cluster.ClusterName, Pool: pool,
		}); err != nil {
			return err
		}
		_, err = runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster.Topology()},
			pulumi.DependsOn([]pulumi.Resource{cluster}))
		return err
	}
	untyped := func(ctx *pulumi.Context) error {
		poolArgs := args{"name": "win22", "platform": "windows-2022", "size": "Standard_D4s_v5"}
		var cluster existingCluster
		if err := ctx.RegisterRemoteComponentResource("mixedkube:aks:ExistingCluster", existing.Name,
			asInput(args{"resourceGroupName": "shop", "pools": args{"win22": args{"pool": poolArgs}}}).(pulumi.Map),
			&cluster); err != nil {
			return err
		}
		if _, err := register(ctx, "mixedkube:aks:NodePool", "other", pulumi.Map{
			"resourceGroupName": cluster.ResourceGroupName, "clusterName": cluster.ClusterName,
			"pool": asInput(poolArgs),
		}); err != nil {
			return err
		}
		_, err := register(ctx, "mixedkube:runtimeclass:Set", "windows", pulumi.Map{"topology": cluster.Topology})
		return err
	}
	for way, option := range map[string]mocktest.Option{"preview": mocktest.Preview(), "update": mocktest.All()} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			want := mocktest.MustRun(t, typed, option, akstest.Azure(existing))
			got := mocktest.MustRun(t, untyped, option, akstest.Azure(existing), served(t))
			// Dependencies on the cluster differ: in Go its outputs depend on nothing.
			if diff := cmp.Diff(registered(want), registered(got)); diff != "" {
				t.Errorf("what is registered (-Go +plugin):\n%s", diff)
			}
			if len(got.ByType("kubernetes:node.k8s.io/v1:RuntimeClass")) != 1 {
				t.Errorf("no RuntimeClass for the pool:\n%s", got)
			}
		})
	}
}

// registered returns the inputs of resources by their URNs.
func registered(graph *mocktest.Graph) map[string]any {
	found := map[string]any{}
	for _, r := range graph.Resources() {
		found[string(r.URN)] = r.Plain()
	}
	return found
}
