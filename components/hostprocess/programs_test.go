package hostprocess_test

import (
	"encoding/json"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// windowsNode returns the files of a Windows node of a flannel cluster.
func windowsNode(t *testing.T) map[string]string {
	t.Helper()
	releases := bootstrap.KnownReleases()
	fillHashes(reflect.ValueOf(&releases).Elem())
	files, err := bootstrap.NodeFiles(bootstrap.Cluster{
		Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "win22", Platform: platform.WindowsServer2022},
		}},
		Network: ofKind(network.FlannelVXLAN),
		Nodes: []bootstrap.Node{
			{Name: "cp-1", Pool: "sys", Address: netip.MustParseAddr("10.0.0.4"), ControlPlane: true},
			{Name: "win-1", Pool: "win22", Address: netip.MustParseAddr("10.0.0.5")},
		},
		Releases: releases,
	}, "win-1", bootstrap.Join{
		Token:        "tests0.notarealtoken000",
		CACertHashes: []string{"sha256:" + strings.Repeat("5a", 32)},
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Path] = f.Content
	}
	return texts
}

// fillHashes gives each download without a hash one: those of Windows are published where
// they cannot be looked up.
func fillHashes(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			fillHashes(v.Index(i))
		}
	case reflect.Struct:
		if d, ok := reflect.TypeAssert[*bootstrap.Download](v.Addr()); ok && d.SHA256 == "" {
			d.SHA256 = strings.Repeat("a", 64)
			return
		}
		for _, field := range v.Fields() {
			fillHashes(field)
		}
	default:
	}
}

// The scripts look for programs where the bootstrap of a node puts them.
func TestTheProgramsAreWhereTheBootstrapPutsThem(t *testing.T) {
	t.Parallel()
	files := windowsNode(t)
	var settings struct {
		Programs []struct{ Path string }
		Archives []struct{ Name, Into string }
	}
	if err := json.Unmarshal([]byte(files["C:/mixedkube/node.json"]), &settings); err != nil {
		t.Fatal(err)
	}
	dirs := []string{path.Dir(settings.Programs[0].Path)}
	for _, a := range settings.Archives {
		if a.Name == "cni-plugins" {
			dirs = append(dirs, a.Into)
		}
	}
	program := regexp.MustCompile(`'(C:\\[^']*)\\([a-z-]+)\.exe'`)
	var found []string
	for _, name := range []string{"kube-proxy.ps1", "flannel.ps1"} {
		text, err := os.ReadFile(filepath.Join("scripts", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range program.FindAllStringSubmatch(string(text), -1) {
			found = append(found, match[2])
			if dir := strings.ReplaceAll(match[1], `\`, "/"); !slices.Contains(dirs, dir) {
				t.Errorf("%s has %s in %s, and the bootstrap knows %v", name, match[2], dir, dirs)
			}
		}
	}
	if want := []string{"kube-proxy", "host-local", "flanneld", "flannel"}; !slices.Equal(found, want) {
		t.Errorf("programs %v, want %v", found, want)
	}
}

// Two different files with one name would take turns.
func TestFlannelWritesTheCNIConfigurationOfTheBootstrap(t *testing.T) {
	t.Parallel()
	want, ok := windowsNode(t)["C:/etc/cni/net.d/10-flannel.conflist"]
	if !ok {
		t.Fatal("the bootstrap writes none")
	}
	graph := mocktest.MustRun(t, programs()["flannel"])
	got := data(t, graph.MustGet(t, configMapType, "network-windows-config"))["cni-conf.json"]
	if diff := cmp.Diff(want, strings.ReplaceAll(got, "\n", "\r\n")); diff != "" {
		t.Errorf("what the script writes (-bootstrap +flannel):\n%s", diff)
	}
}
