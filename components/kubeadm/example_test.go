package kubeadm_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// A small cluster without Windows needs only the known releases.
func ExampleNewCluster() {
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

// A preview reports all errors at once that would otherwise fail a machine after half an hour.
func ExampleNewCluster_errors() {
	program := func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			ControlPlane:      kubeadm.ControlPlane{Count: 2},
			Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5", FIPS: true},
				{Name: "win22", Platform: platform.WindowsServer2022, Empty: true},
			},
			Network:      network.Network{Kind: network.CalicoVXLAN},
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
	//   pools[0].fips: Invalid value: true: a virtual machine has it only if its image has it: leave it out, and set an image that has it (MK646)
	//   pools[1].size: Required value: the size of the virtual machines, Standard_D4s_v5 for example (MK644)
	//   windowsAdmin.licenseType: Invalid value: "none": must be "Windows_Server", or empty (MK659)
}

// The machines of a Windows pool come from a version of the image, which you raise each month.
func ExampleImage() {
	program := func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}},
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			WindowsAdmin:      kubeadm.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
			Releases:          releases(), // with the hashes of the programs for Windows
			PoolOptions: map[string]kubeadm.PoolOptions{
				"win22": {Image: kubeadm.Image{Version: "20348.1906.230803"}},
			},
		})
		return err
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	for _, vm := range graph.ByType("azure-native:compute:VirtualMachine") {
		image := vm.Plain()["storageProfile"].(map[string]any)["imageReference"].(map[string]any)
		fmt.Println(vm.Name, image["sku"], image["version"])
	}
	fmt.Println(err)
	// Output:
	// shop-control-plane-0 server latest
	// shop-win22-win22-iyl-0 2022-datacenter-core-g2 20348.1906.230803
	// <nil>
}

// Azure installs updates on the machines of a pool, and does not restart them.
func ExamplePatching() {
	program := func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}},
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			WindowsAdmin:      kubeadm.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
			Releases:          releases(), // with the hashes of the programs for Windows
			PoolOptions: map[string]kubeadm.PoolOptions{
				"win22": {Patching: kubeadm.Patching{Mode: kubeadm.AutomaticByPlatform}},
			},
		})
		return err
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	for _, vm := range graph.ByType("azure-native:compute:VirtualMachine") {
		if windows, ok := vm.Plain()["osProfile"].(map[string]any)["windowsConfiguration"].(map[string]any); ok {
			fmt.Println(windows["patchSettings"])
		}
	}
	fmt.Println(err)
	// Output:
	// map[automaticByPlatformSettings:map[rebootSetting:Never] patchMode:AutomaticByPlatform]
	// <nil>
}

// The kubelets of a pool keep memory for Windows. A value that is too small is an error.
func ExamplePoolOptions() {
	program := func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}},
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			WindowsAdmin:      kubeadm.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
			Releases:          releases(), // with the hashes of the programs for Windows
			PoolOptions: map[string]kubeadm.PoolOptions{"win22": {Kubelet: bootstrap.KubeletOptions{
				SystemReserved:          map[string]string{"memory": "3Gi"},
				EvictionHard:            map[string]string{"memory.available": "1Gi"},
				EvictionSoft:            map[string]string{"memory.available": "2Gi"},
				EvictionSoftGracePeriod: map[string]string{"memory.available": "1m30s"},
			}}},
		})
		return err
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	fmt.Println(len(graph.ByType("azure-native:compute:VirtualMachine")), "machines,", err)
	// Output:
	// 2 machines, <nil>
}

// A public address forwards ports to node ports of all machines of the pools.
func ExampleServicePort() {
	program := func(ctx *pulumi.Context) error {
		cluster, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             []topology.Pool{{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5"}},
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
			Releases:          bootstrap.KnownReleases(),
			ServicePorts: []kubeadm.ServicePort{
				{Port: 80, NodePort: 30080},
				{Port: 443, NodePort: 30443, Sources: []string{"203.0.113.0/24"}}, // by default all addresses
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("address", cluster.ServiceAddress)
		return nil
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
	for _, balancer := range graph.ByType("azure-native:network:LoadBalancer") {
		for _, rule := range balancer.Plain()["loadBalancingRules"].([]any) {
			r := rule.(map[string]any)
			fmt.Println(balancer.Name, r["name"], r["frontendPort"], "to", r["backendPort"])
		}
	}
	fmt.Println(err)
	// Output:
	// shop-internal api-server 6443 to 6443
	// shop-public api-server 6443 to 6443
	// shop-services service-80 80 to 30080
	// shop-services service-443 443 to 30443
	// <nil>
}
