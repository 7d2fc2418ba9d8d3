package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// exemption exempts a path that needs secrets from the search.
type exemption struct {
	matches func(path string) bool
	why     string
}

// exemptions returns the exemptions for every lab.
func (l testLab) exemptions() []exemption {
	return []exemption{
		{
			func(path string) bool { return path == filepath.Dir(l.Kubeconfig()) },
			"the control plane of the lab generates its keys itself, and its etcd has the Secrets of the cluster",
		},
		{
			leaks.OfPlugin.MatchString,
			"the Kubernetes plugin writes its configured kubeconfig to a file for Helm, and does not delete it",
		},
	}
}

// exemptions also returns the disks of machines.
func (l *machinesLab) exemptions() []exemption {
	return append(l.testLab.exemptions(), exemption{
		func(path string) bool { return path == filepath.Join(l.AzureDir(), "disks") },
		"a machine has the secrets that it was created with and joins with, as in Azure",
	})
}

// checkNoLeaks searches all files of a lab and its runs of Pulumi for secrets, including state, history, backups, logs,
// previews, event logs and temporary files. Only exempt paths may have secrets, and only their owner may read them.
func checkNoLeaks(t *testing.T, l testLab, records string, exemptions []exemption, secrets []leaks.Secret) {
	t.Helper()
	var exempt []string
	skip := func(path string) bool {
		for _, e := range exemptions {
			if e.matches(path) {
				exempt = append(exempt, path)
				return true
			}
		}
		return false
	}
	for _, found := range leaks.Find(t, []string{l.Dir, records}, skip, secrets) {
		t.Error(found)
	}
	for _, path := range exempt {
		for _, open := range readable(t, l.Dir, path) {
			t.Errorf("other users can read %s, which may have secrets", open)
		}
	}
}

// checkExemptionsNeeded checks that the paths of each exemption have a secret. Otherwise the exemption must be removed.
func checkExemptionsNeeded(t *testing.T, l testLab, exemptions []exemption, secrets []leaks.Secret) {
	t.Helper()
	for _, e := range exemptions {
		inside, found := "", false
		check(t, filepath.WalkDir(l.Dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && e.matches(path) {
				inside = path
			}
			if err != nil || !entry.Type().IsRegular() || inside == "" || !strings.HasPrefix(path, inside) {
				return err
			}
			if found = len(leaks.Find(t, []string{path}, nil, secrets)) > 0; found {
				return fs.SkipAll // the etcd of a cluster is large
			}
			return nil
		}))
		if !found {
			t.Errorf("the exemption because %s has no secret: remove it", e.why)
		}
	}
}

// readable returns the files at or below a path that other users can read: those that are not private, and not below a
// private directory in root.
func readable(t *testing.T, root, path string) []string {
	t.Helper()
	private := func(path string) bool {
		info, err := os.Stat(path)
		check(t, err)
		return info.Mode().Perm()&0o077 == 0
	}
	for dir := filepath.Dir(path); strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
		if private(dir) {
			return nil
		}
	}
	var open []string
	check(t, filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && private(path):
			return filepath.SkipDir
		case entry.Type().IsRegular() && !private(path):
			open = append(open, path)
		}
		return nil
	}))
	return open
}

func TestReadable(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	check(t, os.Chmod(root, 0o755))
	for path, mode := range map[string]fs.FileMode{
		"open/public": 0o644, "open/private": 0o600, "open/group": 0o640,
		"closed/public": 0o644, "open/closed/public": 0o644,
	} {
		path = filepath.Join(root, filepath.FromSlash(path))
		dir := filepath.Dir(path)
		check(t, os.MkdirAll(dir, 0o755))
		check(t, os.WriteFile(path, nil, mode))
		check(t, os.Chmod(path, mode))
		if filepath.Base(dir) == "closed" {
			check(t, os.Chmod(dir, 0o700))
		}
	}
	for path, want := range map[string]string{
		"open": "open/group open/public", "closed": "", "closed/public": "", "open/closed": "", "open/private": "",
		"open/public": "open/public",
	} {
		var got []string
		for _, open := range readable(t, root, filepath.Join(root, filepath.FromSlash(path))) {
			name, err := filepath.Rel(root, open)
			check(t, err)
			got = append(got, filepath.ToSlash(name))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("other users can read %q of %s, want %q", text, path, want)
		}
	}
}
