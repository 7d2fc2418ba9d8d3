package akstest_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A unit test with the mocks of Pulumi's SDK gets the answers of Azure from here.
func ExampleAzure() {
	program := func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{
					Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5",
					Upgrade: topology.Upgrade{MaxUnavailable: "1"},
				},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
		})
		return err
	}
	mocks := mocktest.Mocks(akstest.Azure()) // or kubeadmtest.Azure()
	err := pulumi.RunErr(guard.Program(program), pulumi.WithMocks("shop", "dev", mocks))
	fmt.Println(err)
	// Output:
	// 1 error occurred:
	// 	* mixedkube:aks:Cluster "shop": pools[0].upgrade.maxUnavailable: "1": a system pool must keep all of its nodes during an upgrade: remove it, and use maxSurge (MK734)
}

// This test checks that a change replaces no pool, and shows a change that does: a pool of another size is another
// pool.
func ExampleMade() {
	cluster := func(size string, count int) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
				KubernetesVersion: "1.35",
				Pools: []topology.Pool{
					{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
					{Name: "win22", Platform: platform.WindowsServer2022, Count: count, Size: size},
				},
				WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
			})
			return err
		}
	}
	earlier, err := mocktest.Run(cluster("Standard_D4s_v5", 2), akstest.Azure())
	if err != nil {
		fmt.Println(err)
	}
	changes := func(program pulumi.RunFunc) mocktest.Changes {
		graph, err := mocktest.Run(program, mocktest.Preview(), mocktest.After(earlier),
			akstest.Azure(akstest.Made(earlier)...))
		if err != nil {
			fmt.Println(err)
		}
		return graph.Changes().OfType("azure-native:containerservice:AgentPool")
	}

	more := changes(cluster("Standard_D4s_v5", 5))
	fmt.Println("more nodes:", len(more.Removed()), "pools go")
	fmt.Print(more)

	larger := changes(cluster("Standard_D8s_v5", 2))
	fmt.Println("another size:", len(larger.Removed()), "pool goes")
	fmt.Print(larger)
	// Output:
	// more nodes: 0 pools go
	// ~ azure-native:containerservice:AgentPool "shop-win22d": update
	//     count: 2 → 5
	// another size: 1 pool goes
	// + azure-native:containerservice:AgentPool "shop-win223": create
	// - azure-native:containerservice:AgentPool "shop-win22d": delete
}
