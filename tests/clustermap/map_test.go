package clustermap

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/tests/internal/browser"
)

func TestMain(m *testing.M) {
	code := m.Run()
	browser.End()
	os.Exit(code)
}

// draw runs mixedkube map, and returns the picture.
func draw(t *testing.T, extension string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "map"+extension)
	var stdout, stderr bytes.Buffer
	args = append([]string{"map", "--out", file, "--title", "shop"}, args...)
	if code := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("mixedkube %s: exit %d: %s", strings.Join(args, " "), code, &stderr)
	}
	return file
}

// small draws a cluster of three pools, large one of a hundred.
func small(t *testing.T, extension string) string {
	t.Helper()
	return draw(t, extension, "--topology", "testdata/cluster.yaml", "testdata/shop.yaml")
}

func large(t *testing.T, extension string) string {
	t.Helper()
	platforms := []string{"linux", "linux", "windows-2022", "windows-2022", "windows-2019", "windows-2025"}
	sizes := []string{"Standard_D4s_v5", "Standard_D8s_v5", "Standard_E8s_v5", "Standard_D16s_v5", "x"}
	var cluster strings.Builder
	cluster.WriteString("kubernetesVersion: \"1.36\"\npools:\n")
	for i := range 100 {
		fmt.Fprintf(&cluster, "- {name: %s-%02d, platform: %s, count: %d, size: %s, labels: {pool: p%d}}\n",
			strings.Replace(platforms[i%6], "windows-20", "win", 1), i, platforms[i%6], 1+i*7%9, sizes[i*3%5], i)
	}
	var objects strings.Builder
	names := []string{"api", "worker", "web", "cache", "gateway", "import", "export"}
	teams := []string{"shop", "billing", "search", "identity", "logistics"}
	for i := range 300 {
		selector := fmt.Sprintf("pool: p%d", i*11%100)
		switch {
		case i%29 == 7:
			selector = "pool: nowhere"
		case i%12 == 0:
			selector = "kubernetes.io/os: linux"
		}
		fmt.Fprintf(&objects, `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s-%d, namespace: %s}
spec:
  replicas: %d
  template:
    spec:
      nodeSelector: {%s}
      tolerations: [{key: os, value: windows}]
      containers: [{name: a, image: example.com/a, resources: {requests: {cpu: %dm, memory: %dMi}}}]
`, names[i%7], i, teams[i%5], 1+i%5, selector, 100+i%7*150, 128+i%5*512)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"cluster.yaml": cluster.String(), "objects.yaml": objects.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return draw(t, extension, "--title", "production-westeurope", "--topology", filepath.Join(dir, "cluster.yaml"),
		filepath.Join(dir, "objects.yaml"))
}
