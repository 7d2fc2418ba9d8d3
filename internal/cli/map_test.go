package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

func TestGoldenFilesOfMap(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"help":         {"--help"},
		"nothing":      {},
		"no-pools":     {"testdata/map/deploy.yaml"},
		"missing":      {"--topology", "testdata/topology.yaml", "testdata/map/none.yaml", "testdata/map/broken.yaml"},
		"topology":     {"--topology", "testdata/topology-wrong.yaml", "testdata/map/deploy.yaml"},
		"two-clusters": {"--live", "--stack", "prod"},
		"of-the-directory": {
			"--topology", "testdata/topology.yaml", "--out", "-", "--exclude", "*.yaml", "testdata/map",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, filepath.Join("testdata/map", name+".golden"), "", append([]string{"map"}, args...)...)
		})
	}
}

// mapped runs map, and returns the file that it writes.
func mapped(t *testing.T, stdin, name string, args ...string) (picture, stderr string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	code, stdout, stderr := start(t, stdin, append([]string{"map", "--out", file}, args...)...)
	if code != passed || stdout != "" {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), strings.ReplaceAll(stderr, filepath.ToSlash(file), name)
}

// has fails for each text that a picture does not contain.
func has(t *testing.T, picture string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(picture, text) {
			t.Errorf("the picture has no %q", text)
		}
	}
}

func TestMapOfManifests(t *testing.T) {
	t.Parallel()
	args := []string{"--topology", "testdata/topology.yaml", "--title", "shop", "testdata/map/deploy.yaml"}
	page, messages := mapped(t, "", "map.html", args...)
	if want := "drawn: 2 pools, 2 workloads, 1 pending: map.html\n"; messages != want {
		t.Errorf("it says %q, want %q", messages, want)
	}
	has(t, page, "<!doctype html>", "<h1>shop</h1>", "from testdata/topology.yaml and testdata/map/deploy.yaml",
		`class="name">win22</h3>`, ">storefront</a>",
		"image mcr.microsoft.com/windows/servercore:ltsc2019 needs Windows Server 2019")
	picture, messages := mapped(t, "", "map.SVG", args...)
	if want := "drawn: 2 pools, 2 workloads, 1 pending: map.SVG\n"; messages != want {
		t.Errorf("it says %q, want %q", messages, want)
	}
	has(t, picture, "<svg xmlns=", ">storefront</text>")
	code, stdout, stderr := start(t, "", append([]string{"map", "-o", "-"}, args...)...)
	if code != passed || stdout != page || stderr != "" {
		t.Errorf("to standard output: exit %d, %d bytes, %s", code, len(stdout), stderr)
	}
}

const stateOfStack = `{"version": 3, "deployment": {"resources": [
	{"urn": "urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod", "type": "pulumi:pulumi:Stack", "outputs": {
		"topology": {"kubernetesVersion": "1.36",
			"pools": [{"name": "sys", "platform": "linux"},
				{"name": "win22", "platform": "windows-2022", "count": 3}]}}},
	{"urn": "urn:pulumi:prod::shop::kubernetes:apps/v1:Deployment::web", "type": "kubernetes:apps/v1:Deployment",
		"custom": true, "inputs": {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web-3f"},
			"spec": {"replicas": 2, "template": {"spec": {"nodeSelector": {"kubernetes.io/os": "windows"},
				"tolerations": [{"key": "os", "operator": "Exists"}],
				"containers": [{"name": "a", "image": "shop.example/a",
					"env": [{"name": "PASSWORD", "value": "in-clear-text"}]}]}}}}},
	{"urn": "urn:pulumi:prod::shop::kubernetes:batch/v1:Job::hidden", "type": "kubernetes:batch/v1:Job",
		"custom": true, "inputs": {"apiVersion": "batch/v1", "kind": "Job", "metadata": {
			"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
			"plaintext": "{\"name\": \"secret-name\"}"},
			"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "shop.example/a"}]}}}}},
	{"urn": "urn:pulumi:prod::shop::kubernetes:helm.sh/v3:Release::ingress", "type": "kubernetes:helm.sh/v3:Release",
		"custom": true, "inputs": {"chart": "ingress"}},
	{"urn": "urn:pulumi:prod::shop::kubernetes:core/v1:Pod::read", "type": "kubernetes:core/v1:Pod", "custom": true,
		"external": true, "inputs": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "read"},
			"spec": {"containers": []}}}
]}}`

func TestMapOfTheStateOfAStack(t *testing.T) {
	t.Parallel()
	page, messages := mapped(t, stateOfStack, "map.html", "-")
	if want := "drawn: 2 pools, 2 workloads, 0 pending: map.html\n"; messages != want {
		t.Errorf("it says %q, want %q", messages, want)
	}
	has(t, page, ">web-3f</a>", "2 pods", "the Helm release ingress.", ">without a name</th>")
	for _, hidden := range []string{"secret-name", "in-clear-text", ">read<"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the picture has %q", hidden)
		}
	}
	// The state can also provide only the pools.
	file := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(file, []byte(stateOfStack), 0o600); err != nil {
		t.Fatal(err)
	}
	page, _ = mapped(t, "", "map.html", "--topology", file, "testdata/map/deploy.yaml")
	has(t, page, ">storefront</a>", "3 nodes")
	if strings.Contains(page, "web-3f") {
		t.Error("what is in the file with the pools is drawn")
	}
}

// cluster is a cluster in kubectl's output.
const cluster = `{"apiVersion": "v1", "kind": "List", "items": [
	{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "sys-0", "labels": {"kubernetes.io/os": "linux",
		"agentpool": "sys"}}, "status": {"capacity": {"cpu": "4", "memory": "16Gi"}, "allocatable": {"cpu": "3860m",
		"memory": "13Gi"}, "nodeInfo": {"kubeletVersion": "v1.36.3"}}},
	{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "win-0", "labels": {"kubernetes.io/os": "windows",
		"agentpool": "win", "node.kubernetes.io/windows-build": "10.0.20348"}}, "status": {"nodeInfo": {
		"kubeletVersion": "v1.36.3"}}},
	{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 2, "template":
		{"spec": {"containers": [{"name": "a", "image": "shop.example/a"}]}}}},
	{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web-1", "ownerReferences": [
		{"kind": "Deployment", "name": "web", "controller": true}]},
		"spec": {"template": {"spec": {"containers": []}}}},
	{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-1-a", "ownerReferences": [{"kind": "ReplicaSet",
		"name": "web-1", "controller": true}]}, "spec": {"nodeName": "sys-0", "containers": [{"name": "a", "image":
		"shop.example/a", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]}, "status": {"phase": "Running"}},
	{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-1-b", "ownerReferences": [{"kind": "ReplicaSet",
		"name": "web-1", "controller": true}]}, "spec": {"containers": [{"name": "a", "image": "shop.example/a"}]},
		"status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
		"message": "0/2 nodes are available: 2 Insufficient cpu."}]}}
]}`

func TestMapOfWhatKubectlPrints(t *testing.T) {
	t.Parallel()
	page, messages := mapped(t, cluster, "map.html", "-")
	if !strings.HasSuffix(messages, "drawn: 2 pools, 1 workload, 1 pending: map.html\n") {
		t.Errorf("it says %q", messages)
	}
	has(t, page, "1 of 2 pods waits: 0/2 nodes are available: 2 Insufficient cpu.", "<b>1</b> of 3.86", ">Is on<")
}

// Nothing is written if there is an error, and an existing file stays.
func TestNoPartialMapIsWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "map.html")
	if err := os.WriteFile(file, []byte("the last one"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := start(t, "", "map", "--out", file, "--topology", "testdata/topology.yaml",
		"testdata/map/deploy.yaml", "testdata/map/none.yaml")
	text, err := os.ReadFile(file)
	if code != unusable || err != nil || string(text) != "the last one" {
		t.Errorf("exit %d: %s; the file has %d bytes", code, stderr, len(text))
	}
	code, _, stderr = start(t, "", "map", "--out", filepath.Join(file, "no-directory"), "--topology",
		"testdata/topology.yaml", "testdata/map/deploy.yaml")
	if code != unusable || !strings.Contains(stderr, "no-directory") {
		t.Errorf("into what is not a directory: exit %d: %s", code, stderr)
	}
	code, _, stderr = start(t, "", "map", "-o", file+".pdf", "--topology", "testdata/topology.yaml",
		"testdata/map/deploy.yaml")
	want := "--out " + filepath.ToSlash(file) + ".pdf: the picture is HTML or SVG: end the name in .html, .htm or " +
		".svg\n"
	if _, err := os.Stat(file + ".pdf"); code != unusable || stderr != want || err == nil {
		t.Errorf("as a PDF: exit %d: %q, want %q", code, stderr, want)
	}
}

// withKubectl puts a kubectl on PATH that prints a cluster, and records its arguments.
func withKubectl(t *testing.T) (arguments func() string) {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>%[1]s/arguments\ncase \"$*\" in\n*/version*) "+
		"echo '{\"gitVersion\": \"v1.37.0\"}' ;;\n*) cat %[1]s/cluster.json ;;\nesac\n", dir)
	for name, text := range map[string]string{"kubectl": script, "cluster.json": cluster} {
		if err := executable.Write(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() string {
		text, err := os.ReadFile(filepath.Join(dir, "arguments"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

//nolint:paralleltest // it sets PATH
func TestMapOfALiveCluster(t *testing.T) {
	arguments := withKubectl(t)
	page, messages := mapped(t, "", "map.html", "--context", "prod")
	if !strings.HasSuffix(messages, "drawn: 2 pools, 1 workload, 1 pending: map.html\n") {
		t.Errorf("it says %q", messages)
	}
	has(t, page, "<h1>prod</h1>", "Kubernetes 1.37.0, from the cluster of the context prod", ">Is on<")
	if want := "--context=prod get nodes,pods,deployments.apps,"; !strings.Contains(arguments(), want) {
		t.Errorf("kubectl gets %s, want %s", arguments(), want)
	}
	// With a path, only the pools are from the cluster.
	page, messages = mapped(t, "", "map.html", "--live", "testdata/map/deploy.yaml")
	if !strings.HasSuffix(messages, "drawn: 2 pools, 2 workloads, 1 pending: map.html\n") {
		t.Errorf("it says %q", messages)
	}
	has(t, page, ">storefront</a>", ">Lands on<")
}
