package stackoutput_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

// One stack creates the cluster and exports its topology. The stacks that deploy to the cluster read it.
func Example() {
	infrastructure, err := mocktest.Run(func(ctx *pulumi.Context) error {
		ctx.Export("topology", stackoutput.Topology(topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux},
			{Name: "win22", Platform: platform.WindowsServer2022},
		}}))
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	apps := func(ctx *pulumi.Context) error {
		reference, err := pulumi.NewStackReference(ctx, "organization/infrastructure/prod", nil)
		if err != nil {
			return err
		}
		cluster, err := stackoutput.ReadTopology(reference, "topology")
		for _, pool := range cluster.Pools {
			fmt.Println(pool.Name, pool.Platform)
		}
		return err
	}
	_, err = mocktest.Run(apps, mocktest.Preview(), mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{"outputs": resource.NewProperty(infrastructure.Exports())}
	}))
	fmt.Println(err)
	// Output:
	// sys linux
	// win22 windows-2022
	// <nil>
}
