package plan_test

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// The rules of AKS need no Azure: they look at a pool as a program describes it.
func Example() {
	today := time.Date(2025, time.June, 1, 0, 0, 0, 0, time.UTC)
	pool := topology.Pool{Name: "windows", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", MaxPods: 300}
	completed := plan.Pool{KubernetesVersion: "1.34", Pool: pool.WithDefaults("1.34"), Today: today}
	for _, finding := range plan.CheckPool(completed) {
		fmt.Println(finding.Severity, finding.Path, finding.Rule)
	}

	pool.Name, pool.MaxPods = "win22", 50
	fmt.Println("in Azure the pool is called", plan.PoolName(pool, nil))
	pool.Size = "Standard_D8s_v5"
	fmt.Println("with another size it is another pool,", plan.PoolName(pool, nil))
	// Output:
	// error pool.maxPods MK731
	// error pool.name MK702
	// in Azure the pool is called win220
	// with another size it is another pool, win22z
}
