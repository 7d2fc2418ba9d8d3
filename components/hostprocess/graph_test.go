package hostprocess_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestTheWholeGraph(t *testing.T) {
	t.Parallel()
	tests := []struct{ file, program string }{
		{"kube-proxy-upstream-l3", "kube-proxy for upstream-l3"},
		{"kube-proxy-flannel-vxlan", "kube-proxy for flannel-vxlan"},
		{"kube-proxy-calico-vxlan", "kube-proxy for calico-vxlan"},
		{"kube-proxy-own-account", "kube-proxy with an account of its own"},
		{"flannel", "flannel"},
	}
	for _, tt := range tests {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			program := programs()[tt.program]
			golden.UpdateAndPreview(t, "testdata/"+tt.file,
				withoutScripts(mocktest.MustRun(t, program).String()),
				withoutScripts(mocktest.MustRun(t, program, mocktest.Preview()).String()))
		})
	}
}

// The files of the pods, one directory for each kind: tests of another module have
// Kubernetes' own code read them.
func TestTheFilesOfKubeProxy(t *testing.T) {
	t.Parallel()
	for _, kind := range kubeProxyKinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, programs()["kube-proxy for "+string(kind)])
			for name, text := range data(t, graph.MustGet(t, configMapType, "proxy-config")) {
				if strings.HasSuffix(name, ".json") {
					golden.Equal(t, path.Join("testdata/kube-proxy", string(kind), name), text)
				}
			}
		})
	}
}

// A value of a user in the text of a script would be code.
func TestScriptsAreTheSameInEveryCluster(t *testing.T) {
	t.Parallel()
	for name, program := range programs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := 0
			for _, r := range mocktest.MustRun(t, program).ByType(configMapType) {
				for key, text := range data(t, r) {
					if !strings.HasSuffix(key, ".ps1") {
						continue
					}
					found++
					want, err := os.ReadFile(filepath.Join("scripts", key))
					if err != nil {
						t.Fatal(err)
					}
					if strings.ReplaceAll(string(want), "\r\n", "\n") != text {
						t.Errorf("%s in the ConfigMap is not the file", key)
					}
				}
			}
			if found != 2 {
				t.Errorf("%d scripts, want 2", found)
			}
		})
	}
}

func TestPreflightFindsNothing(t *testing.T) {
	t.Parallel()
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win19", Platform: platform.WindowsServer2019, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win25", Platform: platform.WindowsServer2025, Count: 1, Size: "Standard_D4s_v5"},
	}}
	for name, program := range programs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked := 0
			for _, r := range mocktest.MustRun(t, program).ByType(daemonSetType) {
				checked++
				for _, f := range preflight.Check(r.Plain(), preflight.Options{Topology: cluster}) {
					t.Errorf("%s: %s", r.Name, f)
				}
			}
			if checked == 0 {
				t.Error("there is no DaemonSet")
			}
		})
	}
}

// Pods must be on all nodes of a system, and on no other.
func TestTheDaemonSetsLandOnAllNodesOfTheirSystem(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, programs()["flannel"])
	for name, os := range map[string]string{"network-linux": "linux", "network-windows": "windows"} {
		spec := graph.MustGet(t, daemonSetType,
			name).Plain()["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
		selector := spec["nodeSelector"].(map[string]any)
		if selector["kubernetes.io/os"] != os || spec["os"].(map[string]any)["name"] != os {
			t.Errorf("%s is for %v and selects %v", name, spec["os"], selector)
		}
		toleration := spec["tolerations"].([]any)[0].(map[string]any)
		if len(toleration) != 1 || toleration["operator"] != "Exists" {
			t.Errorf("%s tolerates %v only", name, toleration)
		}
	}
}

func TestChangesRollOutThePods(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, tt := range []struct {
		name, endpoint string
		kind           network.Kind
	}{
		{"first", endpoint, network.FlannelVXLAN},
		{"another endpoint", "10.0.0.4:6443", network.FlannelVXLAN},
		{"another kind", endpoint, network.CalicoVXLAN},
	} {
		graph := mocktest.MustRun(t,
			newKubeProxy(&hostprocess.KubeProxyArgs{Network: ofKind(tt.kind), Endpoint: pulumi.String(tt.endpoint)}))
		config := graph.MustGet(t, configMapType, "proxy-config").Plain()
		name := config["metadata"].(map[string]any)["name"].(string)
		template := graph.MustGet(t, daemonSetType,
			"proxy-daemonset").Plain()["spec"].(map[string]any)["template"].(map[string]any)
		volume := template["spec"].(map[string]any)["volumes"].([]any)[0].(map[string]any)["configMap"].(map[string]any)
		if volume["name"] != name {
			t.Errorf("%s: the pods have the ConfigMap %v, not %s", tt.name, volume["name"], name)
		}
		if other, ok := names[name]; ok {
			t.Errorf("%s has the ConfigMap of %s", tt.name, other)
		}
		names[name] = tt.name
		if config["immutable"] != true {
			t.Errorf("%s: the ConfigMap can be changed", tt.name)
		}
	}
}

func TestTheOptionsReachTheChildren(t *testing.T) {
	t.Parallel()
	const providerURN = "urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster"
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
		if err != nil {
			return err
		}
		if err := newKubeProxy(&hostprocess.KubeProxyArgs{
			Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String(endpoint),
			OwnServiceAccount: true,
		}, pulumi.Provider(provider))(ctx); err != nil {
			return err
		}
		return newFlannel(
			&hostprocess.FlannelArgs{Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String(endpoint)},
			pulumi.Provider(provider))(ctx)
	}, mocktest.Preview())
	children := 0
	for _, r := range graph.Resources() {
		if !r.Custom || r.Name == "cluster" {
			continue
		}
		children++
		if r.Provider != providerURN {
			t.Errorf("%s has the provider %q", r.Name, r.Provider)
		}
	}
	if children != 12 {
		t.Errorf("%d children, want 12", children)
	}
}
