package kubeadmtest_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// A unit test runs a program that creates a cluster, without Azure, and looks at what the program registers.
func Example() {
	program := func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             []topology.Pool{{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5", Count: 2}},
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			Releases:          bootstrap.KnownReleases(),
		})
		return err
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(graph.ByType("azure-native:compute:VirtualMachine")), "machines")
	// Output:
	// 3 machines
}
