package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
)

const token = "tests0.notarealtoken000"

// given writes a token, and hashes for all that has none, and returns the flags.
func given(t *testing.T) (out string, flags []string) {
	t.Helper()
	dir := t.TempDir()
	var hashes strings.Builder
	for _, download := range bootstrap.KnownReleases().All() {
		if download.SHA256 == "" {
			hashes.WriteString(strings.Repeat("5a", 32) + "  " + download.URL + "\n")
		}
	}
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	out = filepath.Join(dir, "nodes")
	return out, []string{
		"-out", out, "-token-file", write("token", token+"\n"), "-hashes",
		write("hashes", hashes.String()),
	}
}

// runs runs the command, and returns what it prints.
func runs(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	if got := run(args, &out, &err); got != want {
		t.Fatalf("exit status %d, want %d: %s", got, want, err.String())
	}
	return out.String(), err.String()
}

// tree are the files below a folder, and who may read them.
func tree(t *testing.T, dir string) map[string]fs.FileMode {
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

func TestFirstTheControlPlaneThenTheOthers(t *testing.T) {
	t.Parallel()
	out, flags := given(t)
	first, _ := runs(t, 0, flags...)
	if diff := cmp.Diff(map[string]fs.FileMode{"ORDER.md": 0o600, "control-1/user-data": 0o600},
		tree(t, out)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), first) {
		t.Errorf("README.md does not show this:\n%s", first)
	}

	hash := "sha256:" + strings.Repeat("ab", 32)
	second, _ := runs(t, 0, append(flags, "-ca-hash", hash)...)
	want := map[string]fs.FileMode{
		"ORDER.md": 0o600, "control-1/user-data": 0o600, "linux-1/user-data": 0o600, "win19-1/join.ps1": 0o600,
		"win22-1/join.ps1": 0o600,
	}
	if diff := cmp.Diff(want, tree(t, out)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	order, err := os.ReadFile(filepath.Join(out, "ORDER.md"))
	if err != nil || string(order) != second {
		t.Errorf("ORDER.md is not what is printed (%v):\n%s", err, order)
	}
	if strings.Contains(first+second, token) {
		t.Error("the token is printed")
	}
	worker, err := os.ReadFile(filepath.Join(out, "linux-1", "user-data"))
	if err != nil || !strings.Contains(string(worker), hash) || !strings.Contains(string(worker), token) {
		t.Errorf("the worker lacks the hash or the token (%v)", err)
	}
}

// agentFiles are what networks write for their agents.
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
			out, flags := given(t)
			order, _ := runs(t, 0,
				append(flags, "-network", string(kind), "-ca-hash", "sha256:"+strings.Repeat("ab", 32))...)
			if routes := strings.Count(order, " via 192.168.10."); (routes == 4) != (kind == network.UpstreamL3) {
				t.Errorf("%d routes for the router:\n%s", routes, order)
			}
			var files []string
			for file := range tree(t, out) {
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

func TestWhatIsWrong(t *testing.T) {
	t.Parallel()
	_, flags := given(t)
	file := func(content string) string {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	noURL, noHash := file("aa https://example.com/x\n"), file("\naa\n")
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"an argument", append(flags, "all"), 2, "error: unexpected argument \"all\"\n"},
		{
			"an unknown network", append(flags, "-network", "flannel"), 1,
			`cluster.network.kind: Invalid value: "flannel": `,
		},
		{
			"no token for the others", append(flags, "-token-file", "", "-ca-hash", "sha256:"+strings.Repeat("ab", 32)),
			1, "join.token: Required value: ",
		},
		{"a hash of nothing", append(flags, "-hashes", noURL), 1, "error: the hashes in " + noURL + ": hashes: [https://example.com/x]: Invalid value: \"https://example.com/x\": nothing is downloaded from there: remove it\n"},
		{
			"a line without an address", append(flags, "-hashes", noHash), 1,
			"error: the hashes in " + noHash + ": line 2: \"aa\": must be a hash and an address\n",
		},
		{"a token that is no file", append(flags, "-token-file", "nowhere"), 1, "error: open nowhere: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, stderr := runs(t, tt.status, tt.args...); !strings.Contains(stderr, tt.want) {
				t.Errorf("got %s, want %s", stderr, tt.want)
			}
		})
	}
}
