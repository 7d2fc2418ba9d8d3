package bootstrap

import (
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// TestCloudConfigIsForCloudInit decodes strictly with another parser, for YAML 1.1, as in
// cloud-init.
func TestCloudConfigIsForCloudInit(t *testing.T) {
	for _, n := range nodes(t) {
		if n.windows {
			continue
		}
		document := bootstrap.CloudConfig(n.files)
		var config struct {
			Packages   []string                                             `json:"packages"`
			WriteFiles []struct{ Path, Owner, Permissions, Content string } `json:"write_files"`
			RunCmd     [][]string                                           `json:"runcmd"`
		}
		if err := yaml.UnmarshalStrict([]byte(document), &config); err != nil {
			t.Fatalf("%s: %v\n%s", n, err, document)
		}
		for i, f := range config.WriteFiles {
			if want := n.files[i]; f.Path != want.Path || f.Content != want.Content || len(f.Permissions) != 4 {
				t.Errorf("%s: %s is not as it was:\n%s", n, want.Path, f.Content)
			}
		}
		// For routes, or for what pods must not send into an overlay.
		filters := !strings.Contains(n.cluster, string(network.CalicoBGP))
		if slices.Equal(config.Packages, []string{"nftables"}) != filters || len(config.Packages) > 1 {
			t.Errorf("%s installs %q", n, config.Packages)
		}
		if len(config.WriteFiles) != len(n.files) || len(config.RunCmd) == 0 {
			t.Errorf("%s: %d files and %d commands", n, len(config.WriteFiles), len(config.RunCmd))
		}
	}
}

// TestCloudInitTakesIt validates one document for each list of files: cloud-init takes a second for each.
func TestCloudInitTakesIt(t *testing.T) {
	validated := map[string]bool{}
	program := unpacked.Program(t, debian.CloudInit)
	for _, n := range nodes(t) {
		if n.windows {
			continue
		}
		var list []string
		for _, f := range n.files {
			list = append(list, f.Path)
		}
		paths := strings.Join(list, "\n")
		if validated[paths] {
			continue
		}
		validated[paths] = true
		at := filepath.Join(t.TempDir(), "user-data")
		if err := os.WriteFile(at, []byte(bootstrap.CloudConfig(n.files)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), program, "schema", "--config-file",
			at).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", n, err, out)
		}
	}
}

// TestSystemdTakesItsUnits has systemd read the units, without their programs.
func TestSystemdTakesItsUnits(t *testing.T) {
	program := unpacked.Program(t, debian.SystemdAnalyze)
	dir := t.TempDir()
	args := []string{"verify", "--man=no", "--generators=no"}
	c := localEndpoint(cluster(network.HostGateway, "1.36"))
	c.Network = c.Network.Block(network.Destination{CIDR: netip.MustParsePrefix("192.0.2.1/32")})
	for _, f := range controlPlane(t, c, bootstrap.Join{}).files {
		if base, ok := strings.CutPrefix(f.Path, "/etc/systemd/system/"); ok {
			at := filepath.Join(dir, base)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			// What exists on this machine, in place of what a node downloads.
			if err := os.WriteFile(at, []byte(programs.Replace(f.Content)), 0o644); err != nil {
				t.Fatal(err)
			}
			if filepath.Dir(base) == "." {
				args = append(args, at)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	// The units of systemd itself are on the machine, or beside the unpacked program.
	root := filepath.Join(filepath.Dir(program), "root")
	below := filepath.Join("lib", "systemd", "system")
	units := filepath.Join(root, below) + ":" + filepath.Join(root, "usr", below)
	cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+units+":")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

var programs = strings.NewReplacer(
	"/usr/local/bin/containerd", "/bin/sh", "/usr/local/bin/kubelet", "/bin/sh",
	"/opt/mixedkube/bootstrap.sh", "/bin/sh", "/opt/mixedkube/network.sh", "/bin/sh",
	"/opt/mixedkube/endpoint.sh", "/bin/sh", "/usr/sbin/nft", "/bin/sh",
	"/opt/mixedkube/renew-certificates.sh", "/bin/sh", "/opt/mixedkube/replace-keys.sh", "/bin/sh",
)
