package plan_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
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
	for _, finding := range shop.Validate() {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
}
