package kubeadm_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// A preview reports all errors at once that would otherwise fail a machine after half an hour.
func ExampleNewCluster() {
	program := func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			ControlPlane:      kubeadm.ControlPlane{Count: 2},
			Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Size: "Standard_D4ps_v5"},
				{Name: "windows-2022", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Empty: true},
			},
			Network:      network.Network{Kind: network.CalicoVXLAN},
			Keys:         kubeadm.Keys{Secrets: []pulumi.StringInput{pulumi.String("c2VjcmV0")}},
			LinuxAdmin:   kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			WindowsAdmin: kubeadm.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9"), LicenseType: "none"},
		})
		return err
	}
	_, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	fmt.Println(err)
	// Output:
	// mixedkube:kubeadm:Cluster "shop":
	//   controlPlane.count: Invalid value: 2: must be 1, 3 or 5: etcd needs more than half of its members, so that an even number tolerates no more failures than one fewer (MK641)
	//   keys.secrets[0]: Invalid value: must be at least 32 characters, 12 of them different: make one with `openssl rand -base64 32` (MK654)
	//   pools[0].size: Invalid value: "Standard_D4ps_v5": an Arm64 size (the letter p), and the bootstrap is for amd64: use a size without p, for example Standard_D4s_v5 (MK645)
	//   pools[1].name: Invalid value: "windows-2022": the longest name of its machines is windows-2022-xxx-0, 18 characters, and the name of a Windows machine has at most 15: use a name of at most 9 (MK643)
	//   windowsAdmin.licenseType: Invalid value: "none": must be "Windows_Server", or empty (MK659)
}

// A small cluster without Windows needs only the known releases.
func ExampleNewCluster_linux() {
	program := func(ctx *pulumi.Context) error {
		cluster, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             []topology.Pool{{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5", Count: 2}},
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			Releases:          bootstrap.KnownReleases(),
		})
		if err != nil {
			return err
		}
		fmt.Println(len(cluster.Pools["linux"].Machines))
		return nil
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	for _, vm := range graph.ByType("azure-native:compute:VirtualMachine") {
		fmt.Println(vm.Name)
	}
	fmt.Println(err)
	// Output:
	// 2
	// shop-control-plane-0
	// shop-linux-linux-30g-0
	// shop-linux-linux-30g-1
	// <nil>
}
