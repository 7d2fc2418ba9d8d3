package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGoldenFilesOfTopology(t *testing.T) {
	t.Parallel()
	eks, err := os.ReadFile("testdata/topology/eks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"eks":            {"testdata/topology/eks.yaml"},
		"eks.json":       {"--format", "json", "--k8s", "v1.35.0-eks-7f9249a", "-"},
		"stdin":          {},
		"wrong":          {"testdata/topology/eks.yaml", "testdata/topology/none.json", "testdata/topology/wrong.yaml"},
		"unknown":        {"testdata/topology/unknown.yaml"},
		"no-nodes":       {"testdata/topology/pods.yaml"},
		"format.unknown": {"--format", "xml", "testdata/topology/eks.yaml"},
		"k8s.wrong":      {"--k8s", "latest", "testdata/topology/eks.yaml"},
		"k8s.nonsense":   {"--k8s", "banana", "testdata/topology.yaml"},
		"k8s.another":    {"--k8s", "1.35", "testdata/topology.yaml"},
		"k8s.same":       {"--k8s", "v1.36.3", "testdata/topology.yaml"},
		"k8s.added":      {"--k8s", "v1.36.3", "testdata/topology/unversioned.yaml"},
		"nothing":        {"testdata/topology/nothing.json"},
		"nothing.else":   {"testdata/topology/nothing.yaml"},
		"nothing.empty":  {"testdata/topology/empty.yaml"},
		"misspelled":     {"testdata/topology/misspelled.yaml"},
		"help":           {"-h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, filepath.Join("testdata/topology", name+".golden"), string(eks),
				append([]string{"topology"}, args...)...)
		})
	}
}

// The --topology flag of other commands reads the output of this command, in both formats.
func TestCheckReadsWhatTopologyWrites(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"yaml", "json"} {
		code, stdout, stderr := start(t, "", "topology", "--format", format, "testdata/topology/eks.yaml")
		if code != passed {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		file := filepath.Join(t.TempDir(), "cluster."+format)
		if err := os.WriteFile(file, []byte(stdout), 0o600); err != nil {
			t.Fatal(err)
		}
		const pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {os: {name: windows}, nodeSelector: " +
			"{eks.amazonaws.com/nodegroup: gpu-win}, containers: [{name: a, image: shop.example/a, resources: " +
			"{limits: " +
			"{memory: 1Gi}}}]}}"
		code, stdout, stderr = start(t, pod, "check", "--topology", file, "-")
		if code != failed || !strings.Contains(stdout, "(MK870)") || !strings.Contains(stdout, "(MK872)") {
			t.Errorf("of %s: exit %d, %s%s", format, code, stdout, stderr)
		}
	}
}
