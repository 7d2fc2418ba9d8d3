package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written is a file that the command writes, which a stranger knows.
type written struct {
	// path is its path in the checkout.
	path string
	run  func(t *testing.T, m machine) run
}

// adopted is a manifest that adopt completes.
const adopted = "apiVersion: v1\nkind: Pod\nmetadata: {name: web} # " + secret + "\nspec:\n" +
	"  containers: [{name: web, image: \"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022\"}]\n"

// checking returns a command that reads a good manifest, with flags.
func checking(flags ...string) func(t *testing.T, m machine) run {
	return func(t *testing.T, m machine) run {
		t.Helper()
		write(t, m.at("deploy/bad.yaml"), manifest("bad"))
		return run{args: append(flags, "--", "deploy")}
	}
}

func outputs() []written {
	all := []written{
		{"reports/known.yaml", checking("check", "--baseline", "reports/known.yaml", "--write-baseline")},
		{"reports/map.html", checking("map", "--topology", "cluster.yaml", "-o", "reports/map.html")},
		{"reports/map.svg", checking("map", "--topology", "cluster.yaml", "-o", "reports/map.svg")},
		{"reports/images.yaml", func(t *testing.T, m machine) run {
			t.Helper()
			write(t, m.at("deploy/web.yaml"), "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"+
				"spec: {containers: [{name: a, image: \""+goodRegistry(t)+"\"}]}\n")
			return run{args: []string{"images", "lock", "--file", "reports/images.yaml", "--", "deploy"}}
		}},
		{"reports/web.yaml", func(t *testing.T, m machine) run {
			t.Helper()
			write(t, m.at("deploy/web.yaml"), strings.ReplaceAll(adopted, secret, "")) // it goes into reports
			return run{args: []string{"adopt", "--topology", "cluster.yaml", "-o", "reports", "--", "deploy"}}
		}},
		{"deploy/web.yaml", func(*testing.T, machine) run {
			return run{args: []string{"adopt", "--topology", "cluster.yaml", "-w", "--", "deploy"}}
		}},
		{"deploy/web.yaml", func(*testing.T, machine) run {
			return run{args: []string{"adopt", "--topology", "cluster.yaml", "-w", "--", "deploy/*.yaml"}}
		}},
		{"nodes/ORDER.md", joining},
		{"nodes/control-1/user-data", joining},
		{"policy/PulumiPolicy.yaml", func(*testing.T, machine) run {
			return run{args: []string{"policy", "new", "policy"}}
		}},
	}
	for _, format := range []string{"text", "json", "sarif", "junit", "gitlab"} {
		all = append(all, written{"reports/" + format, checking("check", "--report", format+"=reports/"+format)})
	}
	return all
}

// joined is a cluster of one machine.
const joined = `topology: {kubernetesVersion: "1.36", pools: [{name: linux, platform: linux, mode: System}]}
network: {kind: host-gateway, nodeCIDR: 192.168.10.0/24}
nodes: [{name: control-1, pool: linux, address: 192.168.10.10, controlPlane: true}]
`

// The secrets of join, as kubeadm and openssl print them.
const (
	token = "k3jx9a.tw5zk1x8q2m4n6p8"
	key   = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
)

func joining(t *testing.T, m machine) run {
	t.Helper()
	for name, text := range map[string]string{"machines.yaml": joined, "token": token + "\n", "key": key + "\n"} {
		write(t, m.at(name), text)
	}
	return run{args: []string{
		"join", "--token-file", "token", "--encryption-key-file", "key", "--out", "nodes", "machines.yaml",
	}}
}

// trap makes something in place of a file that the command writes. Nothing outside of the checkout may change.
type trap struct {
	name string
	// refused is true if the exit code must be 2.
	refused bool
	set     func(t *testing.T, m machine, path string)
}

var traps = []trap{
	{"a link to a file of the user", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		link(t, filepath.Join(m.base, "outside/targets/file"), path)
	}},
	{"a link to a file that does not exist", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		link(t, filepath.Join(m.base, "home/.profile"), path)
	}},
	{"a directory that is a link", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		write(t, filepath.Join(m.base, "outside/targets/dir", filepath.Base(path)), adopted)
		must(t, os.MkdirAll(filepath.Dir(filepath.Dir(path)), 0o700))
		must(t, os.RemoveAll(filepath.Dir(path)))
		link(t, filepath.Join(m.base, "outside/targets/dir"), filepath.Dir(path))
	}},
	{"a second name of a file of the user", false, func(t *testing.T, m machine, path string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.Link(filepath.Join(m.base, "outside/targets/file"), path))
	}},
	{"a pipe", false, func(t *testing.T, _ machine, path string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, pipe(path))
	}},
}

// trapped returns the inputs in which a stranger has put something in place of an output.
func trapped() []input {
	var all []input
	for _, output := range outputs() {
		for _, trap := range traps {
			all = append(all, input{
				name:    fmt.Sprintf("%s in place of %s", trap.name, output.path),
				refused: trap.refused,
				lay: func(t *testing.T, m machine) run {
					t.Helper()
					write(t, filepath.Join(m.base, "outside/targets/file"), adopted)
					command := output.run(t, m)
					trap.set(t, m, m.at(output.path))
					command.writes = []string{"checkout"}
					return command
				},
			})
		}
	}
	return all
}

// join writes secrets into files that only their owner can read, and into no others.
func TestJoinWritesPrivateFilesOnly(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		dir, file os.FileMode
		refused   bool
	}{
		"nothing":                      {},
		"a private directory":          {dir: 0o700},
		"a private directory and file": {dir: 0o700, file: 0o600},
		"a directory for all":          {dir: 0o777, refused: true},
		"a directory for all to read":  {dir: 0o755, refused: true},
		"a file for all":               {dir: 0o700, file: 0o666, refused: true},
		"a file for the group to read": {dir: 0o700, file: 0o640, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			command := joining(t, m)
			command.writes = []string{"checkout/nodes"}
			dir := m.at("nodes/control-1")
			file := filepath.Join(dir, "user-data")
			if tt.dir != 0 {
				must(t, os.MkdirAll(dir, 0o700))
				if tt.file != 0 {
					write(t, file, "empty")
					must(t, os.Chmod(file, tt.file))
				}
				must(t, os.Chmod(dir, tt.dir))
			}
			got := m.run(t, command)
			text, err := os.ReadFile(file)
			info, statErr := os.Stat(file)
			switch {
			case tt.refused && (got.code != 2 && got.code != 1 || strings.Contains(string(text), key)):
				t.Errorf("exit %d, and the file has %d bytes:\n%s", got.code, len(text), got.stderr)
			case tt.refused:
			case got.code != 0 || err != nil || !strings.Contains(string(text), key):
				t.Errorf("exit %d: %v: the file has no key:\n%s%s", got.code, err, text, got.stderr)
			case statErr != nil || info.Mode().Perm() != 0o600:
				t.Errorf("the permissions are %v: %v", info.Mode(), statErr)
			}
		})
	}
}
