package aks_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func newPool(args *aks.NodePoolArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "more", args)
		return err
	}
}

func TestAPoolOfAnotherCluster(t *testing.T) {
	t.Parallel()
	args := &aks.NodePoolArgs{
		ResourceGroupName: pulumi.String("group"),
		ClusterName:       mocktest.Unknown[pulumi.StringOutput](),
		KubernetesVersion: "v1.36",
		Pool: topology.Pool{
			Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 2,
		},
		PoolOptions: aks.PoolOptions{NodeSubnetID: pulumi.String(subnets + "windows")},
		Tags:        pulumi.StringMap{"team": pulumi.String("shop")},
	}
	graph := mocktest.MustRun(t, newPool(args), mocktest.Preview(), akstest.Azure())
	golden.Equal(t, "testdata/nodepool.golden", graph.String())
}

func TestTheErrorOfAPoolIsComplete(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(newPool(&aks.NodePoolArgs{
		KubernetesVersion: "1.31",
		Pool: topology.Pool{
			Name: "windows25", Platform: platform.WindowsServer2025, Mode: topology.System, Size: "Standard_D4ps_v6",
			MaxPods: 5,
		},
		Ignore: []string{"MK799"},
	}))
	golden.Equal(t, "testdata/wrong-nodepool.golden", brief(err.Error())+"\n")
}

func TestAPoolOfAClusterWithAnInvalidVersion(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(newPool(&aks.NodePoolArgs{
		ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("shop"), KubernetesVersion: "latest",
		Pool: topology.Pool{Name: "base", Platform: platform.Linux, Size: "Standard_D4s_v5"},
	}))
	const want = `mixedkube:aks:NodePool "more": kubernetesVersion: Invalid value: "latest": not a Kubernetes ` +
		`version: write 1.36 or 1.36.3`
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// Azure accepts no version older than the one that an auto-upgrade channel has moved the cluster to.
func TestAPoolOfAnotherClusterRequestsOnlyItsOwnVersion(t *testing.T) {
	t.Parallel()
	for own, want := range map[string]any{"": nil, "v1.35": "1.35"} {
		pool := win22
		pool.KubernetesVersion = own
		var made *aks.NodePool
		graph := mocktest.MustRun(t, func(ctx *pulumi.Context) (err error) {
			made, err = aks.NewNodePool(ctx, "more", &aks.NodePoolArgs{
				ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("shop"),
				KubernetesVersion: "v1.36", Pool: pool,
			})
			return err
		}, akstest.Azure())
		equal(t, "the requested version", want,
			graph.MustGet(t, poolType, "more-win22d").Plain()["orchestratorVersion"])
		registers := "1.36"
		if want != nil {
			registers = "1.35"
		}
		equal(t, "the version that the nodes register with", registers, made.Pool.KubernetesVersion)
	}
}

func TestTagsOfPoolsAreChecked(t *testing.T) {
	t.Parallel()
	gpu := topology.Pool{Name: "gpu", Platform: platform.Linux, Size: "Standard_NC4as_T4_v3", Count: 1}
	tags := pulumi.StringMap{"SkipGPUDriverInstall": pulumi.String("true")}
	_, err := mocktest.Run(newPool(&aks.NodePoolArgs{
		ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("shop"), Pool: gpu, Tags: tags,
	}))
	wantError(t, err, `mixedkube:aks:NodePool "more": tags.SkipGPUDriverInstall: … (MK878)`)
	_, err = mocktest.Run(joiningWith(aks.PoolArgs{Pool: gpu, Tags: tags}), akstest.Azure(unmanaged(nil)))
	wantError(t, err, `mixedkube:aks:NodePool "win22": tags.SkipGPUDriverInstall: … (MK878)`)
	_, err = mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", small(func(a *aks.ClusterArgs) {
			a.Pools, a.Tags = append(a.Pools, gpu), tags
		}))
		return err
	})
	wantError(t, err, `mixedkube:aks:Cluster "shop": tags.SkipGPUDriverInstall: … (MK878)`)
}
