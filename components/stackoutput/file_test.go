package stackoutput_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestATopologyIsReadFromAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wrong := func(path, want string) {
		t.Helper()
		if _, err := stackoutput.ReadTopologyFile(path); err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	wrong("", "stackoutput.ReadTopologyFile: path: Required value: name a file with a topology")
	wrong(file, `stackoutput.ReadTopologyFile: topologyFile: Invalid value: "`+file+`": there is no such file: write `+
		`it `+
		"with mixedkube topology --live > "+file)
	write("pools:\n- {name: sys, platform: linx}\n")
	wrong(file, "stackoutput.ReadTopologyFile: topologyFile: "+filepath.ToSlash(file)+
		`:2: pools[0].platform: Invalid value: "linx": unknown platform: did you mean "linux"? a pool runs linux, `+
		"windows-2019, windows-2022 or windows-2025")
	write("pools:\n- {name: sys, platform: linux}\n- {name: win22, platform: windows-2022, count: 2}\n")
	got, err := stackoutput.ReadTopologyFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the topology (-want +got):\n%s", diff)
	}
}
