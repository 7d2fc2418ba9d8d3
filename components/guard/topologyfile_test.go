package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// The findings are the same with the topology in a file, which any program of the Pulumi project can read.
func TestATopologyFromAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args guard.Args) (guard.Report, error) {
		return reported(t, args, func(ctx *pulumi.Context) error {
			_, err := pod(ctx, "web", windows(withHostPID))
			return err
		}, mocktest.Preview())
	}

	_, err := run(guard.Args{TopologyFile: file, Place: true})
	diffError(t, err, `guard: topologyFile: Invalid value: "`+file+`": there is no such file: write it with `+
		"mixedkube topology --live > "+file)
	write("pools:\n- {name: sys, platform: linux}\n- {name: sys, platform: windows-2022}\n")
	_, err = run(guard.Args{TopologyFile: file, Baseline: "nowhere.yaml"})
	diffError(t, err, "guard:\n"+
		`  baseline: Invalid value: "nowhere.yaml": there is no such file: write it with `+
		"MIXEDKUBE_BASELINE=write pulumi preview\n"+
		"  topologyFile: "+filepath.ToSlash(file)+`:3: pools[1].name: Duplicate value: "sys": `+
		"pools[0] has this name already: give each pool a name of its own")
	write("pools:\n- {name: sys, platform: linux}\n- {name: win22, platform: windows-2022}\n")
	_, err = run(guard.Args{TopologyFile: file, Topology: mixed})
	diffError(t, err, "guard: topologyFile: Forbidden: the topology is set as well: remove one of them")

	texts := func(args guard.Args) (texts []string) {
		found, err := run(args)
		if err == nil {
			t.Errorf("%+v: the mistake is not found", args)
		}
		for _, f := range found.Findings {
			texts = append(texts, f.String())
		}
		for _, l := range found.Landings {
			texts = append(texts, l.Text)
		}
		return texts
	}
	write(`{"kubernetesVersion": "1.36", "pools": [` +
		`{"name": "linux", "platform": "linux"}, {"name": "win22", "platform": "windows-2022"}]}`)
	want := texts(guard.Args{Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}})
	if diff := cmp.Diff(want, texts(guard.Args{TopologyFile: file})); diff != "" {
		t.Errorf("the report (-want +from the file):\n%s", diff)
	}
	if len(want) < 2 {
		t.Errorf("the report has only %q", want)
	}
}
