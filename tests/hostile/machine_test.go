package hostile

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// secret is in each file, variable and password that belongs to the user. No output may have it.
const secret = "c4n4ryS3cr3tOfTheUser"

// machine is a directory with all that a run may see of a machine: the checkout of a stranger, which is the working
// directory, and what belongs to the user.
type machine struct {
	base, checkout string
}

// secrets are the files of the user, by their paths. The first is an object with an error, so that a command that
// reads it shows a part of it; a line of the second is not a valid pattern.
var secrets = map[string]string{
	"outside/secret.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: " + secret + "}\n" + secret + ": 1\n" +
		"spec: {os: {name: windows}, hostPID: true, nodeSelector: {a: " + secret + "}, containers: []}\n",
	"outside/secret.txt":        "[" + secret + "\n\\\n" + secret + "[\n",
	"outside/targets/file":      secret + "\n",
	"outside/targets/dir/file":  secret + "\n",
	"home/.ssh/authorized_keys": "ssh-ed25519 " + secret + "\n",
}

func newMachine(t *testing.T) machine {
	t.Helper()
	base := t.TempDir()
	m := machine{base, filepath.Join(base, "checkout")}
	for _, dir := range []string{"checkout/.git", "checkout/out", "temp", "home"} {
		must(t, os.MkdirAll(filepath.Join(base, dir), 0o700))
	}
	for path, text := range secrets {
		write(t, filepath.Join(base, path), text)
	}
	write(t, filepath.Join(m.checkout, "cluster.yaml"), cluster)
	return m
}

// cluster is the topology for commands that need one.
const cluster = "kubernetesVersion: \"1.36\"\npools:\n  - {name: linux, platform: linux}\n" +
	"  - {name: win22, platform: windows-2022, count: 2}\n"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write writes a file, and makes its directory.
func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// link makes a link, and the directory that it is in.
func link(t *testing.T, target, path string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.Symlink(target, path))
}

// at returns the path of a file of the checkout.
func (m machine) at(path string) string { return filepath.Join(m.checkout, filepath.FromSlash(path)) }

// snapshot describes everything on the machine: the kind, the permissions and the content, by path.
func (m machine) snapshot(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(m.base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(m.base, path)
		if err != nil {
			return err
		}
		what := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			digest := ""
			if info.Size() < 64<<20 {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				digest = fmt.Sprintf("%x", sha256.Sum256(text))[:12]
			}
			what += fmt.Sprintf(" %d bytes %s", info.Size(), digest)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			what += " -> " + target
		}
		files[relative] = what
		return nil
	}))
	return files
}

// changes lists what differs between two snapshots, except for the paths that the command may write, and what is below
// them.
func changes(before, after map[string]string, writes []string) []string {
	var found []string
	note := func(path, was, is string) {
		if !slices.ContainsFunc(writes, func(w string) bool { return path == w || strings.HasPrefix(path, w+"/") }) {
			found = append(found, fmt.Sprintf("%s: was %q, is %q", path, was, is))
		}
	}
	for path, was := range before {
		if after[path] != was {
			note(path, was, after[path])
		}
	}
	for path, is := range after {
		if _, existed := before[path]; !existed {
			note(path, "", is)
		}
	}
	slices.Sort(found)
	return found
}

// listing returns the first lines of a snapshot.
func listing(files map[string]string) string {
	var lines []string
	for path, what := range files {
		lines = append(lines, fmt.Sprintf("  %q: %s", path, what))
	}
	slices.Sort(lines)
	if len(lines) > 40 {
		lines = append(lines[:40], fmt.Sprintf("  … %d more", len(lines)-40))
	}
	return strings.Join(lines, "\n")
}

func pipe(path string) error { return syscall.Mkfifo(path, 0o600) }
