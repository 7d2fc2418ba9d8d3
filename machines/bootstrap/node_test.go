package bootstrap

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Together the public and the secret files are all files, for each node and each way to join.
func TestPublicAndSecretFiles(t *testing.T) {
	t.Parallel()
	certificates := joinWith(t, testCertificates(t))
	for _, kind := range network.Kinds() {
		for _, version := range testVersions {
			for _, c := range []Cluster{testCluster(kind, version), localEndpoint(testCluster(kind, version))} {
				for _, node := range c.Nodes {
					joins := []Join{testJoin(node.Name)}
					if node.ControlPlane {
						joins = append(joins, certificates)
					}
					if node.Name == "cp-1" {
						joins = append(joins, Join{})
					}
					for _, j := range joins {
						checkSplit(t, c, node.Name, j)
					}
				}
			}
		}
	}
}

func checkSplit(t *testing.T, c Cluster, node string, j Join) {
	t.Helper()
	all, err := NodeFiles(c, node, j)
	if err != nil {
		t.Fatal(err)
	}
	public, err := PublicFiles(c, node)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := SecretFiles(c, node, j)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range public {
		if file.Secret || strings.Contains(file.Content, testToken) || strings.Contains(file.Content, "PRIVATE KEY") {
			t.Errorf("%s is public", file.Path)
		}
	}
	if slices.ContainsFunc(secret, func(f File) bool { return !f.Secret }) || len(secret) == 0 || len(public) == 0 {
		t.Errorf("%s: %d public files and %d secret ones", node, len(public), len(secret))
	}
	got := slices.Concat(public, secret)
	slices.SortFunc(got, byPath)
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("%s of %s (-want +got):\n%s", node, c.Network.Kind, diff)
	}
}

func TestPublicFilesReportsErrors(t *testing.T) {
	t.Parallel()
	c := testCluster(network.HostGateway, "1.36")
	_, err := PublicFiles(c, "linux-3")
	want := `cluster.nodes: Invalid value: "linux-3": unknown node: did you mean "linux-1"? (use cp-1, cp-2, ` +
		`linux-1, linux-2, win2019-1, win2022-1 or win2025-1)`
	if diff := cmp.Diff(want, message(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.Endpoint = ""
	if _, err := PublicFiles(c, "cp-1"); !strings.HasPrefix(message(err), "cluster.endpoint: Required value: ") {
		t.Error(err)
	}
	files, err := SecretFiles(testCluster(network.HostGateway, "1.36"), "win2022-1", Join{Token: testToken})
	want = "join.caCertHashes: Required value: without it the node would trust any server that answers: give the " +
		"hash that `kubeadm token create --print-join-command` shows"
	if diff := cmp.Diff(want, message(err)); diff != "" || len(files) > 0 {
		t.Errorf("%d files (-want +got):\n%s", len(files), diff)
	}
}

// The control plane and the node are enough for all but the routes of nodes, and what
// those routes reach without masquerading.
func TestFilesWithoutTheOtherNodes(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		whole := testCluster(kind, "1.36")
		for i, node := range whole.Nodes {
			part := whole
			part.Nodes = slices.Clone(whole.Nodes[:2])
			if i >= len(part.Nodes) {
				part.Nodes = append(part.Nodes, node)
			}
			want, err := NodeFiles(whole, node.Name, testJoin(node.Name))
			if err != nil {
				t.Fatal(err)
			}
			got, err := NodeFiles(part, node.Name, testJoin(node.Name))
			if err != nil {
				t.Fatalf("%s, %s: %v", kind, node.Name, err)
			}
			if kind == network.HostGateway {
				want, got = withoutRoutes(want), withoutRoutes(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", kind, node.Name, diff)
			}
		}
	}
}

func withoutRoutes(files []File) []File {
	return slices.DeleteFunc(files, func(f File) bool {
		return f.Path == linuxConfig+"/network/routes.tsv" || f.Path == windowsSettings
	})
}
