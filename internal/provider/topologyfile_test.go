package provider

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// written returns the path of a file with a text.
func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const topologyText = `kubernetesVersion: "1.36"
pools:
- {name: sys, platform: linux}
- {name: win22, platform: windows-2022, count: 2, taints: ["os=windows:NoSchedule"]}
`

// TestATopologyFileIsTheTopology compares every component that takes a topology with the same one in a file.
func TestATopologyFileIsTheTopology(t *testing.T) {
	t.Parallel()
	all, file, compared := good(t), written(t, topologyText), 0
	inline := args{"kubernetesVersion": "1.36", "pools": list{
		args{"name": "sys", "platform": "linux"},
		args{"name": "win22", "platform": "windows-2022", "count": 2, "taints": list{"os=windows:NoSchedule"}},
	}}
	for _, c := range Components() {
		if !takesTopology(c.Args) {
			continue
		}
		compared++
		t.Run(c.Token(), func(t *testing.T) {
			t.Parallel()
			graphOf := func(key string, value any) string {
				in := maps.Clone(all[c.Token()])
				delete(in, topologyKey)
				in[key] = value
				graph, err := preview(t, c.Token(), in)
				if err != nil {
					t.Fatal(err)
				}
				var logs strings.Builder
				for _, log := range graph.Logs() {
					logs.WriteString(log.Message + "\n")
				}
				return graph.String() + logs.String()
			}
			if diff := cmp.Diff(graphOf(topologyKey, inline), graphOf(topologyFileKey, file)); diff != "" {
				t.Errorf("resources and log (-topology +topologyFile):\n%s", diff)
			}
		})
	}
	if compared < 15 {
		t.Errorf("only %d components take a topology", compared)
	}

	tolerations := func(key string, value any) resource.PropertyMap {
		got, err := call(t, "mixedkube:topology:tolerations", resource.NewPropertyMapFromMap(map[string]any{
			"platform": "windows-2022", key: value,
		}))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want, got := tolerations(topologyKey, inline).Mappable(), tolerations(topologyFileKey, file).Mappable()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the function (-topology +topologyFile):\n%s", diff)
	}
}

// TestAWrongTopologyFile checks that mistakes of the file are among those of the component.
func TestAWrongTopologyFile(t *testing.T) {
	t.Parallel()
	const missing = "no-such-directory/cluster.yaml"
	twice := written(t, "pools:\n- {name: sys, platform: linux}\n- {name: sys, platform: windows-2022}\n")
	for name, tt := range map[string]struct {
		in   args
		want string
	}{
		"there is none": {
			args{topologyFileKey: missing},
			`topologyFile: Invalid value: "` + missing + `": there is no such file: write it with mixedkube topology ` +
				"--live > " + missing,
		},
		"the topology is set as well": {
			args{topologyFileKey: twice, topologyKey: args{"pools": list{args{"name": "sys", "platform": "linux"}}}},
			"topologyFile: Forbidden: the topology is set as well: remove one of them",
		},
		"two pools have one name": {
			args{topologyFileKey: twice},
			"topologyFile: " + filepath.ToSlash(twice) + `:3: pools[1].name: Duplicate value: "sys": pools[0] has ` +
				`this ` +
				"name already: give each pool a name of its own",
		},
		"a number": {args{topologyFileKey: 3}, "topologyFile: Invalid value: must be the path of a file"},
		"empty":    {args{topologyFileKey: ""}, "topologyFile: Invalid value: must be the path of a file"},
		"an output": {
			args{topologyFileKey: mocktest.Unknown[pulumi.StringOutput]()},
			"topologyFile: Invalid value: " + mustBePlain,
		},
		"with another mistake": {
			args{topologyFileKey: missing, "schedulingg": "ByLuck"},
			"  topologyFile: Invalid value: \"" + missing + `": there is no such file: write it with mixedkube ` +
				`topology ` +
				"--live > " + missing,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := maps.Clone(good(t)[deployment])
			maps.Copy(in, tt.in)
			_, err := preview(t, deployment, in)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error:\n%v\nwithout:\n%s", err, tt.want)
			}
			if _, more := tt.in["schedulingg"]; more && !strings.Contains(err.Error(), "\n  schedulingg: ") {
				t.Errorf("error without the other mistake:\n%v", err)
			}
		})
	}
	_, err := call(t, "mixedkube:topology:tolerations", resource.NewPropertyMapFromMap(map[string]any{
		"platform": "windows-2022", topologyFileKey: missing,
	}))
	if err == nil || !strings.Contains(err.Error(), "topologyFile: Invalid value: ") {
		t.Errorf("the function: %v", err)
	}
	// An argument of this name does not exist without a topology.
	_, err = preview(t, "mixedkube:gmsa:CredentialSpec", with(good(t)["mixedkube:gmsa:CredentialSpec"],
		[]string{topologyFileKey}, missing).(args))
	if err == nil || !strings.Contains(err.Error(), topologyFileKey) {
		t.Errorf("a component without a topology: %v", err)
	}
}
