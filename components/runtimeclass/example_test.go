package runtimeclass_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

// A cluster with two pools of Windows nodes gets two classes.
func ExampleNewSet() {
	program := func(ctx *pulumi.Context) error {
		_, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{
			Topology: topology.Topology{Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux},
				{Name: "win19", Platform: platform.WindowsServer2019},
				{Name: "win22", Platform: platform.WindowsServer2022},
			}},
		})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	for _, class := range graph.ByType("kubernetes:node.k8s.io/v1:RuntimeClass") {
		fmt.Println(class.Name, class.Plain()["metadata"], class.Plain()["handler"])
	}
	fmt.Println(err)
	// Output:
	// windows-windows-2019 map[name:windows-2019] runhcs-wcow-process
	// windows-windows-2022 map[name:windows-2022] runhcs-wcow-process
	// <nil>
}
