package advice_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/advice"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

// A preview shows where the pods of a component can land.
func ExampleLanding() {
	checker := preflight.New(preflight.Options{Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}})
	web := pods.ReadObject(map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web"},
		"spec": map[string]any{
			"runtimeClassName": "windows-2022",
			"containers":       []any{map[string]any{"name": "web", "image": "shop.example.com/web"}},
		},
	})
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		fmt.Println(advice.Landing(ctx, checker, web, "web"))
		return nil
	}, mocktest.Preview())
	fmt.Println(err)
	// Output:
	// where the pods can land:
	//   web → win22 (2 nodes)
	// <nil>
}
