package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	token         = "tests0.notarealtoken000"
	encryptionKey = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
)

// joinFlags writes a token, and hashes for all downloads without one, and returns the flags.
func joinFlags(t *testing.T) (out string, flags []string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "nodes")
	return out, []string{
		"testdata/join/machines.yaml", "--out", out, "--token-file", saved(t, token+"\n"),
		"--hashes", saved(t, unknownHashes()), "--encryption-key-file", saved(t, encryptionKey+"\n"),
	}
}

// unknownHashes returns hashes for all downloads without one.
func unknownHashes() string {
	var hashes strings.Builder
	for _, download := range bootstrap.KnownReleases().All() {
		if download.SHA256 == "" {
			hashes.WriteString(strings.Repeat("5a", 32) + "  " + download.URL + "\n")
		}
	}
	return hashes.String()
}

// saved returns the path of a file with a text.
func saved(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runJoin runs the command, and returns what it prints.
func runJoin(t *testing.T, want exitError, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := start(t, "", append([]string{"join"}, args...)...)
	if code != want {
		t.Fatalf("exit code %d, want %d: %s", code, want, stderr)
	}
	return stdout, stderr
}

// modes returns the files below a directory, with their permissions.
func modes(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	files := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files[name] = info.Mode().Perm()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestControlPlaneFilesAreWrittenFirst(t *testing.T) {
	t.Parallel()
	out, flags := joinFlags(t)
	first, _ := runJoin(t, passed, flags...)
	if diff := cmp.Diff(map[string]fs.FileMode{"ORDER.md": 0o600, "control-1/user-data": 0o600},
		modes(t, out)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), first) {
		t.Errorf("docs/command.md does not show this:\n%s", first)
	}

	hash := "sha256:" + strings.Repeat("ab", 32)
	second, _ := runJoin(t, passed, append(flags, "--ca-hash", hash)...)
	want := map[string]fs.FileMode{
		"ORDER.md": 0o600, "control-1/user-data": 0o600, "linux-1/user-data": 0o600, "win19-1/join.ps1": 0o600,
		"win22-1/join.ps1": 0o600,
	}
	if diff := cmp.Diff(want, modes(t, out)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	order, err := os.ReadFile(filepath.Join(out, "ORDER.md"))
	if err != nil || string(order) != second {
		t.Errorf("ORDER.md is not what is printed (%v):\n%s", err, order)
	}
	if strings.Contains(first+second, token) || strings.Contains(first+second, encryptionKey) {
		t.Error("the token or the key is printed")
	}
	control, err := os.ReadFile(filepath.Join(out, "control-1", "user-data"))
	if err != nil || !strings.Contains(string(control), encryptionKey) {
		t.Errorf("the control plane lacks the key (%v)", err)
	}
	worker, err := os.ReadFile(filepath.Join(out, "linux-1", "user-data"))
	if err != nil || !strings.Contains(string(worker), hash) || !strings.Contains(string(worker), token) ||
		strings.Contains(string(worker), encryptionKey) {
		t.Errorf("the worker lacks the hash or the token, or has the key (%v)", err)
	}
}

// With the certificate of the authority, nodes find the cluster by a file. The control plane itself creates the
// authority.
func TestNodesDiscoverTheClusterByTheAuthority(t *testing.T) {
	t.Parallel()
	out, flags := joinFlags(t)
	ca := newAuthority(t)
	order, _ := runJoin(t, passed, append(flags, "--ca-file", saved(t, ca), "--encryption-key-file", "")...)
	if want := "Decide whether Secrets are encrypted in etcd, where they are in clear text so far: put a key into a " +
		"file with `(umask 077; openssl rand -base64 32 > key)`, keep it, and run this command again with " +
		"`--encryption-key-file`."; !strings.
		Contains(order, want) {
		t.Errorf("says nothing about Secrets:\n%s", order)
	}
	for node, want := range map[string]bool{"linux-1": true, "control-1": false} {
		text, err := os.ReadFile(filepath.Join(out, node, "user-data"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), "kubeConfigPath: /etc/mixedkube/kubeadm/discovery.yaml"); got != want {
			t.Errorf("%s finds the cluster by a file: %t", node, got)
		}
		if strings.Contains(string(text), "caCertHashes") {
			t.Errorf("%s finds the cluster by a hash", node)
		}
	}
	_, stderr := runJoin(t, failed, append(flags, "--ca-file", saved(t, "ca"))...)
	if want := "error: bootstrap: cluster.caCertificate: Invalid value: must be a certificate in " +
		"PEM\n"; stderr != want {
		t.Errorf("got %q, want %q", stderr, want)
	}
}

// newAuthority returns a certificate in PEM.
func newAuthority(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestTheFileDescribesAWholeCluster(t *testing.T) {
	t.Parallel()
	in := &input{stdin: strings.NewReader(`
topology: {kubernetesVersion: "1.36", pools: [{name: linux, platform: linux}]}
network: {kind: antrea, nodeCIDR: 192.168.10.0/24, podCIDR: 10.1.0.0/16, blockedEgress: [{cidr: 192.0.2.1/32}]}
nodes: [{name: a, pool: linux, address: 192.168.10.10, podCIDR: 10.1.2.0/24, controlPlane: true}]
endpoint: 192.168.10.9:6443
localEndpoint: true
apiServer: {podSecurity: baseline, certSANs: [api.example.com]}
kubelet: {linux: {systemReserved: {cpu: 200m}}}
releases:
  kubernetes:
    - version: 1.36.3
      kubelet: {windows: {url: https://example.com/kubelet.exe, sha256: 5a5a}}
      kubeProxy: {windows: {url: https://example.com/kube-proxy.exe}}
  cniPlugins: {version: 1.9.2, linux: {sha256: a5a5}}
  pauseImage: registry.example.com/pause:3.10.2
`)}
	got, err := in.cluster("-")
	if err != nil {
		t.Fatal(err)
	}
	want := bootstrap.Cluster{
		Topology: topology.Topology{
			KubernetesVersion: "1.36", Pools: []topology.Pool{{Name: "linux", Platform: platform.Linux}},
		},
		Network: network.Network{
			Kind: network.Antrea, NodeCIDR: netip.MustParsePrefix("192.168.10.0/24"),
			PodCIDR:       netip.MustParsePrefix("10.1.0.0/16"),
			BlockedEgress: []network.Destination{{CIDR: netip.MustParsePrefix("192.0.2.1/32")}},
		},
		Nodes: []bootstrap.Node{{
			Name: "a", Pool: "linux", Address: netip.MustParseAddr("192.168.10.10"),
			PodCIDR: netip.MustParsePrefix("10.1.2.0/24"), ControlPlane: true,
		}},
		Endpoint:      "192.168.10.9:6443",
		LocalEndpoint: true,
		APIServer:     bootstrap.APIServerOptions{PodSecurity: "baseline", CertSANs: []string{"api.example.com"}},
		Kubelet:       map[string]bootstrap.KubeletOptions{"linux": {SystemReserved: map[string]string{"cpu": "200m"}}},
		Releases: bootstrap.Releases{
			Kubernetes: []bootstrap.KubernetesRelease{{
				Version: "1.36.3",
				Kubelet: bootstrap.Downloads{
					Windows: bootstrap.Download{URL: "https://example.com/kubelet.exe", SHA256: "5a5a"},
				},
				KubeProxy: bootstrap.Downloads{Windows: bootstrap.Download{URL: "https://example.com/kube-proxy.exe"}},
			}},
			CNIPlugins: bootstrap.Release{
				Version: "1.9.2", Downloads: bootstrap.Downloads{Linux: bootstrap.Download{SHA256: "a5a5"}},
			},
			PauseImage: "registry.example.com/pause:3.10.2",
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// agentFiles are the files that networks write for their agents.
var agentFiles = map[network.Kind][]string{
	network.CalicoVXLAN: {"cluster/calico.yaml"},
	network.CalicoBGP:   {"cluster/calico.yaml"},
	network.Antrea:      {"cluster/antrea-agent-linux.yaml", "cluster/antrea-agent-windows.yaml"},
}

func TestEveryNetworkIsWritten(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			out, flags := joinFlags(t)
			order, _ := runJoin(t, passed,
				append(flags, "--network", string(kind), "--ca-hash", "sha256:"+strings.Repeat("ab", 32))...)
			if routes := strings.Count(order, " via 192.168.10."); (routes == 4) != (kind == network.UpstreamL3) {
				t.Errorf("%d routes for the router:\n%s", routes, order)
			}
			var files []string
			for file := range modes(t, out) {
				if strings.HasPrefix(file, "cluster") {
					files = append(files, file)
				}
			}
			slices.Sort(files)
			if diff := cmp.Diff(agentFiles[kind], files); diff != "" {
				t.Errorf("files of agents (-want +got):\n%s", diff)
			}
			for _, file := range files {
				if !strings.Contains(order, file) {
					t.Errorf("the order does not name %s:\n%s", file, order)
				}
			}
			if deploys := strings.Contains(order, "Deploy "); deploys != (kind != network.Antrea) {
				t.Errorf("kube-proxy is deployed: %t:\n%s", deploys, order)
			}
		})
	}
}

// On your own machines, the file can list destinations that are blocked for pods.
func TestDestinationsThatAreBlockedForPods(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/join/machines.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const rule = "ip daddr 192.0.2.1/32 tcp dport { 80 } drop"
	described := saved(t, strings.Replace(string(text), "network:\n",
		"network:\n  blockedEgress: [{cidr: 192.0.2.1/32, tcpPorts: [80]}]\n", 1))
	for kind, step := range map[network.Kind]string{
		network.FlannelVXLAN: "",
		network.CalicoVXLAN:  "Apply cluster/egress.yaml once Calico runs: it keeps the pods from blockedEgress.",
		network.Antrea:       "Apply cluster/egress.yaml once Antrea runs: it keeps the pods from blockedEgress.",
	} {
		out, flags := joinFlags(t)
		without, _ := runJoin(t, passed, append(slices.Clone(flags), "--network", string(kind))...)
		files := []string{filepath.Join(out, "control-1", "user-data"), filepath.Join(out, "cluster", "egress.yaml")}
		if user, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(user), "tcp dport") {
			t.Errorf("%s: without destinations there are rules (%v)", kind, err)
		}
		flags[0] = described
		order, _ := runJoin(t, passed, append(flags, "--network", string(kind))...)
		if user, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(user), rule) {
			t.Errorf("%s: the machine has no rule (%v)", kind, err)
		}
		policies, err := os.ReadFile(files[1])
		if step == "" {
			if err == nil || strings.Contains(order, "egress") {
				t.Errorf("%s: policies for agents that have none:\n%s", kind, order)
			}
			continue
		}
		if !strings.Contains(string(policies), "192.0.2.1/32") || !strings.Contains(order, step) {
			t.Errorf("%s (%v):\n%s\n%s", kind, err, policies, order)
		}
		if strings.Contains(without, "egress") {
			t.Errorf("%s: without destinations there is a step:\n%s", kind, without)
		}
	}
}

// wrongCluster has the errors of testdata/join/wrong.yaml.
const wrongCluster = `error: ` +
	`testdata/join/wrong.yaml:7: network.nodeCIDR: Invalid value: "192.168.10.0": must be a CIDR, ` +
	`10.240.0.0/24 for example
testdata/join/wrong.yaml:10: nodes[0].addresses: Invalid value: "addresses": unknown key: did you mean "address"? ` +
	`(use name, pool, address, podCIDR or controlPlane)
testdata/join/wrong.yaml:5: topology.pools[0].platform: Invalid value: "linus": unknown platform: ` +
	`did you mean "linux"? a pool runs linux, windows-2019, windows-2022 or windows-2025
`

func TestInvalidJoinArguments(t *testing.T) {
	t.Parallel()
	_, flags := joinFlags(t)
	hash := "sha256:" + strings.Repeat("ab", 32)
	noURL, noHash := saved(t, "aa https://example.com/x\n"), saved(t, "\naa\n")
	for _, tt := range []struct {
		name string
		args []string
		code exitError
		want string
	}{
		{"no file", nil, unusable, "nothing to join: name the file with the cluster, or - for standard input\n"},
		{"two files", append(flags, "all"), unusable, "unexpected argument \"all\": name one file\n"},
		{
			"an unknown network", append(flags, "--network", "flannel"), failed,
			`error: bootstrap: cluster.network.kind: Invalid value: "flannel": unknown kind ` +
				"(use upstream-l3, host-gateway, flannel-vxlan, calico-vxlan, calico-bgp or antrea)\n",
		},
		{
			"no token for the others", append(flags, "--token-file", "", "--ca-hash", hash),
			failed,
			"error: bootstrap: join.token: Required value: a bootstrap token: create one with `kubeadm token create`\n",
		},
		{
			"a hash of nothing", append(flags, "--hashes", noURL), failed,
			"error: the hashes in " + noURL + ": hashes: [https://example.com/x]: Invalid value: " +
				"\"https://example.com/x\": no download has this address: remove it\n",
		},
		{
			"a line without an address", append(flags, "--hashes", noHash), failed,
			"error: the hashes in " + noHash + ": line 2: \"aa\": must be the SHA-256 of a download and its address\n",
		},
		{
			"a token that is not a file", append(flags, "--token-file", "nowhere"), unusable,
			"error: nowhere: no such file or directory\n",
		},
		{
			"hashes that are not a file", append(flags, "--hashes", "nowhere"), unusable,
			"error: nowhere: no such file or directory\n",
		},
		{
			"standard input twice", append(flags, "--token-file", "-", "--hashes", "-"), unusable,
			"error: stdin: can be read only once: name a file for one of the two\n",
		},
		{"a wrong cluster", []string{"testdata/join/wrong.yaml"}, failed, wrongCluster},
		{
			"several documents",
			[]string{"testdata/adopt/deploy/sub/legacy.yaml"},
			failed,
			"error: testdata/adopt/deploy/sub/legacy.yaml: has 2 documents: give one that describes the cluster\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, stderr := runJoin(t, tt.code, tt.args...)
			if diff := cmp.Diff(tt.want, stderr); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
