package bootstrap

import (
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// containerd is what is used of config.toml, version 3.
type containerd struct {
	Version int
	Plugins struct {
		Images struct {
			PinnedImages map[string]string `toml:"pinned_images"`
			Registry     struct {
				ConfigPath string `toml:"config_path"`
			} `toml:"registry"`
		} `toml:"io.containerd.cri.v1.images"`
		Runtime struct {
			CNI struct {
				BinDirs []string `toml:"bin_dirs"`
				ConfDir string   `toml:"conf_dir"`
			} `toml:"cni"`
			Containerd struct {
				DefaultRuntimeName string `toml:"default_runtime_name"`
				Runtimes           map[string]struct {
					RuntimeType          string         `toml:"runtime_type"`
					PodAnnotations       []string       `toml:"pod_annotations"`
					ContainerAnnotations []string       `toml:"container_annotations"`
					Options              map[string]any `toml:"options"`
				} `toml:"runtimes"`
			} `toml:"containerd"`
		} `toml:"io.containerd.cri.v1.runtime"`
	} `toml:"plugins"`
}

func TestContainerdsConfigurationIsTOML(t *testing.T) {
	pauses := map[string]bool{}
	for _, n := range nodes(t) {
		var config containerd
		content := n.file(t, "config.toml").Content
		meta, err := toml.Decode(content, &config)
		if err != nil {
			t.Fatalf("%s: %v\n%s", n, err, content)
		}
		if unknown := meta.Undecoded(); len(unknown) > 0 {
			t.Errorf("%s: %v is where containerd does not look for it", n, unknown)
		}
		pauses[config.Plugins.Images.PinnedImages["sandbox"]] = true
		runtime := config.Plugins.Runtime
		want := []any{3, []string{"/opt/cni/bin"}, "/etc/cni/net.d", "runc", map[string]any{"SystemdCgroup": true}}
		if n.windows {
			want = []any{
				3,
				[]string{"C:/opt/cni/bin"},
				"C:/etc/cni/net.d", "runhcs-wcow-process",
				map[string]any{"ScrubLogs": true},
			}
		}
		name := runtime.Containerd.DefaultRuntimeName
		got := []any{
			config.Version, runtime.CNI.BinDirs, runtime.CNI.ConfDir, name,
			runtime.Containerd.Runtimes[name].Options,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", n, diff)
		}
		hypervisor := runtime.Containerd.Runtimes["runhcs-wcow-hypervisor"].Options["SandboxIsolation"]
		if n.windows != (hypervisor == int64(1)) {
			t.Errorf("%s isolates by a hypervisor: %v", n, hypervisor)
		}
	}
	if diff := cmp.Diff(map[string]bool{"registry.k8s.io/pause:3.10.1": true, "registry.k8s.io/pause:3.10.2": true},
		pauses); diff != "" {
		t.Error(diff)
	}
}
