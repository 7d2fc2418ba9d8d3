package aks_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/golden"
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
	golden.Equal(t, "testdata/nodepool.preview.golden", graph.String())
}

func TestAPoolSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(newPool(&aks.NodePoolArgs{
		KubernetesVersion: "1.31",
		Pool: topology.Pool{
			Name: "windows25", Platform: platform.WindowsServer2025, Mode: topology.System, Size: "Standard_D4ps_v6",
			MaxPods: 5,
		},
		Ignore: []string{"MK799"},
	}))
	golden.Equal(t, "testdata/wrong-nodepool.golden", err.Error()+"\n")
}

func TestAPoolOfAClusterWhoseVersionIsNone(t *testing.T) {
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
