package bootstrap

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// TestNetworkScriptOnAKernel runs the script twice in a network of its own, which the
// test leaves behind without a trace.
func TestNetworkScriptOnAKernel(t *testing.T) {
	inNetwork := inNetwork(t)
	const device = `ip tuntap add node0 mode tap; ip addr add 10.0.0.10/24 dev node0; ip link set node0 up`
	if out, err := inNetwork(device); err != nil {
		t.Skipf("needs the right to create network namespaces: run the tests as root: %v: %s", err, out)
	}
	all := nodes(t)
	n := all[slices.IndexFunc(all, func(n node) bool {
		return n.cluster == string(network.HostGateway)+"-1.36" && n.name == "linux-1"
	})]
	root := n.write(t)
	nft := unpacked.Program(t, debian.NFT)
	out, err := inNetwork(device+`
		ip route add 10.244.99.0/24 via 10.0.0.99 proto 117
		ip route add 10.99.0.0/16 via 10.0.0.98
		source "$1/opt/mixedkube/network.sh"
		ROOT=$1
		PATH=$PATH:$2
		main
		main
		ip -4 route show`, root, filepath.Dir(nft))
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	var got []string
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[1] == "via" {
			got = append(got, fields[0]+" "+fields[2])
		}
	}
	want := []string{
		// The route of another program stays. Our old one is removed.
		"10.99.0.0/16 10.0.0.98",
		"10.244.4.0/24 10.0.0.4", "10.244.5.0/24 10.0.0.5",
		"10.244.20.0/24 10.0.0.20", "10.244.21.0/24 10.0.0.21", "10.244.22.0/24 10.0.0.22",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEndpointScriptOnAKernel runs the script twice: the machine has the address once, and
// answers it.
func TestEndpointScriptOnAKernel(t *testing.T) {
	inNetwork := inNetwork(t)
	const device = `ip link set lo up`
	if out, err := inNetwork(device); err != nil {
		t.Skipf("needs the right to create network namespaces: run the tests as root: %v: %s", err, out)
	}
	root := controlPlane(t, localEndpoint(cluster(network.FlannelVXLAN, "1.36")), bootstrap.Join{}).write(t)
	out, err := inNetwork(device+`
		source "$1/opt/mixedkube/endpoint.sh"
		ROOT=$1
		main
		main
		ip -4 -oneline address show
		ip -4 route get 10.0.0.100`, root)
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	if strings.Count(out, "inet 10.0.0.100/32 ") != 1 || !strings.Contains(out, "local 10.0.0.100 dev lo ") {
		t.Error(out)
	}
}

// inNetwork runs scripts, each in a network of its own.
func inNetwork(t *testing.T) func(script string, args ...string) (string, error) {
	t.Helper()
	ip := filepath.Dir(unpacked.Program(t, debian.IP))
	return func(script string, args ...string) (string, error) {
		args = append([]string{"--user", "--map-root-user", "--net", "bash", "-euc", script, "test"}, args...)
		cmd := exec.CommandContext(t.Context(), "unshare", args...)
		cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+ip)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

// write writes the files of a node into a directory that stands for /.
func (n node) write(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range n.files {
		at := filepath.Join(root, f.Path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(f.Content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
