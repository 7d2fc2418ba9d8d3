package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// run runs the program with hashes for all programs without one, after the change.
func run(t *testing.T, change func(hashes map[string]string), options ...mocktest.Option) (*mocktest.Graph, error) {
	t.Helper()
	config := mocktest.Config(configuration(t, change))
	return mocktest.Run(guard.Program(program), append(options, config, kubeadmtest.Azure())...)
}

// configuration returns the configuration of the program.
func configuration(t *testing.T, change func(hashes map[string]string)) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	for _, download := range bootstrap.KnownReleases().All() {
		if download.SHA256 == "" {
			hashes[download.URL] = strings.Repeat("5a", 32)
		}
	}
	change(hashes)
	text, err := json.Marshal(hashes)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"hashes":          string(text),
		"windowsPassword": "Correct-Horse-Battery-9",
		"sshPublicKey":    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIP52jdSyZr4+te1oqglikEEd93qrv7KRNe97iZXYvYHm someone",
	}
}

func TestTheMachines(t *testing.T) {
	t.Parallel()
	graph, err := run(t, func(map[string]string) {}, mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	images := map[string]any{}
	for _, machine := range graph.ByType("azure-native:compute:VirtualMachine") {
		storage := machine.Plain()["storageProfile"].(map[string]any)
		images[machine.Name] = storage["imageReference"].(map[string]any)["sku"]
	}
	want := map[string]any{
		"shop-control-plane-0": "server", "shop-linux-linux-30g-0": "server",
		"shop-win22-win22-7fh-0": "2022-datacenter-core-g2",
	}
	if diff := cmp.Diff(want, images); diff != "" {
		t.Errorf("images (-want +got):\n%s", diff)
	}
}

func TestAMissingHashStopsThePreview(t *testing.T) {
	t.Parallel()
	const url = "https://dl.k8s.io/v1.36.4/bin/windows/amd64/kubelet.exe"
	_, err := run(t, func(hashes map[string]string) { delete(hashes, url) }, mocktest.Preview())
	want := `mixedkube:kubeadm:Cluster "shop": releases.kubernetes[2].kubelet.windows.sha256: Required value: ` +
		"the node verifies kubelet for Windows with this hash: read it at " + url + ".sha256 (MK661)"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestUnusedHashStopsThePreview(t *testing.T) {
	t.Parallel()
	_, err := run(t, func(hashes map[string]string) {
		first := slices.Sorted(maps.Keys(hashes))[0]
		hashes[first+"x"] = hashes[first]
	}, mocktest.Preview())
	if err == nil || !strings.Contains(err.Error(), "no download has this address: did you mean") {
		t.Errorf("the error is %v", err)
	}
}
