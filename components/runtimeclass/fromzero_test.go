package runtimeclass_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// scaled returns a pool of Windows Server 2022 whose autoscaler has a minimum number of nodes.
func scaled(name string, least int, labels map[string]string) topology.Pool {
	return topology.Pool{
		Name: name, Platform: platform.WindowsServer2022, Labels: labels,
		Autoscaling: topology.Autoscaling{Min: least, Max: 3},
	}
}

func TestClassSelectsLabelsThatTheAutoscalerHas(t *testing.T) {
	t.Parallel()
	var (
		labeled = map[string]string{"mixedkube.dev/platform": "windows-2022"}
		byBuild = selector("10.0.20348")
		byLabel = map[string]any{
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "mixedkube.dev/platform": "windows-2022",
		}
	)
	const (
		at     = `warning: scheduling.nodeSelector[node.kubernetes.io/windows-build]: "10.0.20348": `
		unlike = at + `a cluster autoscaler may not know this label while there are no nodes in pool a: `
	)
	for name, tt := range map[string]struct {
		pools    []topology.Pool
		fromZero bool
		want     map[string]any
		logged   []string
	}{
		"all pools have the label": {
			[]topology.Pool{scaled("a", 0, labeled), scaled("b", 1, labeled)}, true, byLabel, nil,
		},
		"not enabled": {
			[]topology.Pool{scaled("a", 0, labeled)},
			false, byBuild,
			[]string{unlike + `select mixedkube.dev/platform=windows-2022 instead (MK415)`},
		},
		"one pool has none": {
			[]topology.Pool{scaled("a", 0, labeled), scaled("b", 1, nil)},
			true, byBuild,
			[]string{unlike + `select mixedkube.dev/platform=windows-2022 instead (MK415)`},
		},
		"no pool has it": {
			[]topology.Pool{scaled("a", 0, nil)},
			true, byBuild,
			[]string{
				unlike + `give the pool a label of its own and select that instead, or keep a node with ` +
					`autoscaling.min ` +
					`(MK415)`,
			},
		},
		"another value": {
			[]topology.Pool{scaled("a", 1, map[string]string{"mixedkube.dev/platform": "windows-2019"})},
			true,
			byBuild, nil,
		},
		"no pool without nodes": {[]topology.Pool{scaled("a", 1, nil)}, true, byBuild, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := ofPools(append(tt.pools, linux)...)
			args.ScaleFromZero = tt.fromZero
			graph := mocktest.MustRun(t, newSet(args))
			class, err := graph.Get(classType, "windows-windows-2022")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, class.Plain()["scheduling"].(map[string]any)["nodeSelector"]); diff != "" {
				t.Errorf("selector (-want +got):\n%s", diff)
			}
			var logged []string
			for _, log := range graph.Logs() {
				logged = append(logged, log.Severity+": "+log.Message)
			}
			if diff := cmp.Diff(tt.logged, logged); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

// The class selects a label that all pools of the platform have: the autoscaler knows it before there are nodes.
func ExampleSetArgs_scaleFromZero() {
	labels := map[string]string{topology.LabelPlatform: "windows-2022"}
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{
			Name: "win22", Platform: platform.WindowsServer2022, Labels: labels,
			Autoscaling: topology.Autoscaling{Min: 0, Max: 5},
		},
		{Name: "wi22b", Platform: platform.WindowsServer2022, Labels: labels, Count: 2},
	}}
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster, ScaleFromZero: true})
		return err
	}, mocktest.Preview())
	for _, class := range graph.ByType("kubernetes:node.k8s.io/v1:RuntimeClass") {
		fmt.Println(class.Plain()["scheduling"].(map[string]any)["nodeSelector"])
	}
	fmt.Println(err)
	// Output:
	// map[kubernetes.io/arch:amd64 kubernetes.io/os:windows mixedkube.dev/platform:windows-2022]
	// <nil>
}
