package podnetwork

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/containernetworking/cni/libcni"
	"github.com/containernetworking/cni/pkg/version"
	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// call is the input of a plugin: the fields of its configuration that are not in its own part
// of the list.
type call struct {
	Plugin        string         `json:"-"`
	Type          string         `json:"type"`
	Name          string         `json:"name"`
	CNIVersion    string         `json:"cniVersion"`
	RuntimeConfig map[string]any `json:"runtimeConfig"`
}

// Container runtimes read the directory with the configurations and call the plugins that
// are named there, with the kubelet's data about a pod if the plugin requests it.
func TestRuntimesCallThePluginsOfTheConfigurations(t *testing.T) {
	var (
		ports   = map[string]any{"portMappings": []any{map[string]any{"hostPort": 80., "containerPort": 8080.}}}
		dns     = map[string]any{"dns": map[string]any{"servers": []any{"10.96.0.10"}}}
		both    = map[string]any{"portMappings": ports["portMappings"], "dns": dns["dns"]}
		bridged = []call{
			{"bridge", "bridge", "mixedkube", "1.0.0", nil},
			{"portmap", "portmap", "mixedkube", "1.0.0", ports},
		}
		windows = []call{{"win-bridge", "win-bridge", network.HNSNetwork, "1.0.0", both}}
	)
	tests := []struct {
		kind               network.Kind
		onLinux, onWindows []call
	}{
		{network.UpstreamL3, bridged, windows},
		{network.HostGateway, bridged, windows},
		{
			network.FlannelVXLAN,
			[]call{{"flannel", "flannel", "cbr0", "1.0.0", nil}, {"portmap", "portmap", "cbr0", "1.0.0", ports}},
			[]call{{"flannel", "flannel", "flannel.4096", "1.0.0", dns}},
		},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			n, p := planned(t, tt.kind)
			for i, want := range [][]call{tt.onLinux, tt.onWindows, tt.onLinux} {
				plugins := &recorder{}
				config := libcni.NewCNIConfigWithCacheDir([]string{"bin"}, t.TempDir(), plugins)
				_, err := config.AddNetworkList(context.Background(), loaded(t, n, p.Nodes[i]), &libcni.RuntimeConf{
					ContainerID: "pod", NetNS: "/ns", IfName: "eth0", CapabilityArgs: both,
				})
				if err != nil {
					t.Fatalf("%s: %v", p.Nodes[i].Name, err)
				}
				if diff := cmp.Diff(want, plugins.calls); diff != "" {
					t.Errorf("%s: calls (-want +got):\n%s", p.Nodes[i].Name, diff)
				}
			}
		})
	}
}

// The default DNS configuration of a Windows pod is where libcni looks for it.
func TestNameServersOnWindows(t *testing.T) {
	for _, kind := range []network.Kind{network.UpstreamL3, network.HostGateway} {
		n, p := planned(t, kind)
		conf := loaded(t, n, p.Nodes[1]).Plugins[0].Network
		if !slices.Equal(conf.DNS.Nameservers, []string{"10.96.0.10"}) || conf.IPAM.Type != "host-local" {
			t.Errorf("%s: name servers %q, IPAM %q", kind, conf.DNS.Nameservers, conf.IPAM.Type)
		}
	}
}

// loaded returns the only configuration of a directory with a node's file.
func loaded(t *testing.T, n network.Defaulted, p network.NodePlan) *libcni.NetworkConfigList {
	t.Helper()
	fileName, content, ok := n.CNIConfig(p)
	if !ok {
		t.Fatalf("%s has no configuration", p.Name)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := libcni.ConfFiles(dir, []string{".conflist"})
	if err != nil || len(files) != 1 {
		t.Fatalf("the directory has %q, %v", files, err)
	}
	list, err := libcni.NetworkConfFromFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// recorder stands in for the plugins.
type recorder struct {
	calls []call
}

func (r *recorder) ExecPlugin(_ context.Context, path string, stdin []byte, environment []string) ([]byte, error) {
	if !slices.Contains(environment, "CNI_COMMAND=ADD") {
		return nil, errors.New("only ADD is expected")
	}
	c := call{Plugin: filepath.Base(path)}
	if err := json.Unmarshal(stdin, &c); err != nil {
		return nil, err
	}
	r.calls = append(r.calls, c)
	return []byte(`{"cniVersion": "1.0.0", "ips": [{"address": "10.244.4.2/24"}]}`), nil
}

func (r *recorder) FindInPath(plugin string, paths []string) (string, error) {
	return filepath.Join(paths[0], plugin), nil
}

func (r *recorder) Decode(b []byte) (version.PluginInfo, error) {
	return new(version.PluginDecoder).Decode(b)
}
