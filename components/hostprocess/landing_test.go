package hostprocess_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestAPreviewReportsWhereTheAgentsCanLand(t *testing.T) {
	t.Parallel()
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}
	partial := cluster
	partial.Partial = true
	agent := func(t topology.Topology, platforms ...platform.Platform) *hostprocess.DaemonSetArgs {
		return &hostprocess.DaemonSetArgs{
			User: hostprocess.LocalService, Topology: t, Platforms: platforms,
			Pods: corev1.PodSpecArgs{Containers: agentContainers},
		}
	}
	guarded := func(program pulumi.RunFunc) pulumi.RunFunc {
		return guard.Program(func(ctx *pulumi.Context) error {
			if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
				return err
			}
			return program(ctx)
		})
	}
	const (
		where = "info agent: where the pods can land:\n  kube-system/agent → win22 (2 nodes)"
		lacks = `warning agent: platforms[1]: "windows-2025": no pool of the topology runs it, only linux, ` +
			`windows-2022; the topology is partial, so another pool may: add the pool, or use one of these`
	)
	both := []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025}
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		option  mocktest.Option
		want    []string
	}{
		"with a topology":    {newDaemonSet(agent(cluster)), mocktest.Preview(), []string{where}},
		"without a topology": {newDaemonSet(agent(topology.Topology{})), mocktest.Preview(), nil},
		"in an update":       {newDaemonSet(agent(cluster)), mocktest.All(), nil},
		"the guard says it": {
			guarded(newDaemonSet(agent(cluster))), mocktest.Preview(),
			[]string{"info the stack: where the pods can land:\n  kube-system/agent → win22 (2 nodes)"},
		},
		"for a platform that another pool may run": {
			newDaemonSet(agent(partial, both...)), mocktest.Preview(), []string{where, lacks},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, l := range mocktest.MustRun(t, tt.program, tt.option).Logs() {
				about := "the stack"
				if l.URN != "" {
					about = l.URN.Name()
				}
				got = append(got, l.Severity+" "+about+": "+l.Message)
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("logs (-want +got):\n%s", diff)
			}
		})
	}
}
