package bootstrap

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestFilesOfLinuxNodes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cluster Cluster
		node    string
	}{
		"first-flannel-1.36":          {testCluster(network.FlannelVXLAN, "1.36"), "cp-1"},
		"first-upstream-1.35":         {testCluster(network.UpstreamL3, "1.35"), "cp-1"},
		"control-plane-calico-1.34":   {testCluster(network.CalicoVXLAN, "1.34"), "cp-2"},
		"control-plane-endpoint-1.36": {localEndpoint(testCluster(network.UpstreamL3, "1.36")), "cp-2"},
		"worker-host-gateway-1.36":    {testCluster(network.HostGateway, "1.36"), "linux-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var index strings.Builder
			for _, file := range linuxFiles(testMachine(t, tt.cluster, tt.node)) {
				fmt.Fprintf(&index, "%s %s\n", permissions(file), file.Path)
				if !isConstant(file) {
					golden.Equal(t, "testdata/linux/"+name+file.Path, file.Content)
				}
			}
			golden.Equal(t, "testdata/linux/"+name+"/files.txt", index.String())
		})
	}
}

// isConstant reports whether a file has one of the texts of the directory linux.
func isConstant(file File) bool {
	entries, err := linuxTexts.ReadDir("linux")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		if file.Content == linuxText(entry.Name()) {
			return true
		}
	}
	return false
}

func TestEveryScriptIsOnANode(t *testing.T) {
	t.Parallel()
	// These bring files onto it, with the third in them.
	contents := []string{linuxText("deliver.sh"), linuxText("deliver-keys.sh"), linuxText("payload.sh")}
	c := blocking(localEndpoint(testCluster(network.HostGateway, "1.36")))
	for _, file := range linuxFiles(testMachine(t, c, "cp-1")) {
		contents = append(contents, file.Content)
	}
	entries, err := linuxTexts.ReadDir("linux")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(contents, linuxText(entry.Name())) {
			t.Errorf("%s is on no node", entry.Name())
		}
	}
}

func TestFilesAreSortedAndForLinux(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		files := linuxFiles(testMachine(t, testCluster(kind, "1.36"), "linux-1"))
		for i, file := range files {
			if i > 0 && file.Path <= files[i-1].Path {
				t.Errorf("%s: %s is after %s", kind, file.Path, files[i-1].Path)
			}
			if !strings.HasPrefix(file.Path, "/") || strings.Contains(file.Content, "\r") ||
				!strings.HasSuffix(file.Content, "\n") {
				t.Errorf("%s: %s is not a file for Linux", kind, file.Path)
			}
			if file.Secret != strings.Contains(file.Content, testToken) {
				t.Errorf("%s: %s has the token: %t, secret: %t", kind, file.Path, !file.Secret, file.Secret)
			}
		}
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	for node, want := range map[string]string{"cp-1": "init\n", "cp-2": "join\n", "linux-1": "join\n"} {
		if got := filesByPath(testMachine(t, c, node))["/etc/mixedkube/role"].Content; got != want {
			t.Errorf("%s has the role %q, want %q", node, got, want)
		}
	}
}

// An older kubelet is joined by the control plane's kubeadm.
func TestNodesUseTheKubeadmOfTheControlPlane(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	c.Topology.Pools[1].KubernetesVersion = "1.34"
	rows := readTable(t, filesByPath(testMachine(t, c, "linux-1"))["/etc/mixedkube/downloads.tsv"].Content)
	var got []string
	for _, row := range rows {
		got = append(got, row[1][strings.Index(row[1][len("https://"):], "/")+len("https://"):]+" "+row[2]+" "+row[3])
	}
	want := []string{
		"/containerd/containerd/releases/download/v2.3.6/containerd-2.3.6-linux-amd64.tar.gz /usr/local archive",
		"/opencontainers/runc/releases/download/v1.4.3/runc.amd64 /usr/local/sbin/runc program",
		"/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz /opt/cni/bin archive",
		"/v1.34.11/bin/linux/amd64/kubelet /usr/local/bin/kubelet program",
		"/v1.36.4/bin/linux/amd64/kubeadm /usr/local/bin/kubeadm program",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMasqueradeWithoutDirectRanges(t *testing.T) {
	t.Parallel()
	if got := masquerade(netip.MustParsePrefix("10.244.1.0/24"), nil); strings.Contains(got, "elements") {
		t.Errorf("nft refuses an empty list of elements:\n%s", got)
	}
}

// readTable reads as the scripts do.
func readTable(tb testing.TB, text string) [][]string {
	tb.Helper()
	var rows [][]string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}
