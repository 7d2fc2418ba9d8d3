package plan_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// The plan of a cluster has its machines, its subnets and what is wrong with it.
func Example() {
	shop := plan.Cluster{
		Name: "shop", KubernetesVersion: "1.36",
		ControlPlane: plan.ControlPlane{Count: 2},
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5", Count: 1},
			{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 2},
		},
		Releases: bootstrap.KnownReleases(),
	}.WithDefaults()
	for _, machine := range shop.Machines() {
		fmt.Println(machine.Name, machine.Pool.Platform)
	}
	controlPlane, nodes := shop.Subnets()
	fmt.Println("subnets:", controlPlane, nodes)
	first := shop.Validate()[0]
	fmt.Println(first.Severity, first.Path, first.Rule)
	// Output:
	// control-plane-0 linux
	// control-plane-1 linux
	// linux-30g-0 linux
	// win22-7fh-0 windows-2022
	// win22-7fh-1 windows-2022
	// subnets: 10.240.0.0/27 10.240.0.128/25
	// error controlPlane.count MK641
}
