package support_test

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A topology shows which pools stand in the way of a newer version of Kubernetes.
func ExampleCheckTopology() {
	shop := topology.Topology{
		KubernetesVersion: "1.37", Cloud: topology.AKS,
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux},
			{Name: "win22", Platform: platform.WindowsServer2022},
			{Name: "win25", Platform: platform.WindowsServer2025},
		},
	}
	for _, finding := range support.CheckTopology(shop, time.Now(), 0) {
		fmt.Println(finding)
	}
	// Output:
	// pools[1].platform: "windows-2022": AKS has Windows2022 nodes up to Kubernetes 1.36, not for 1.37: use windows-2025 (MK712)
}
