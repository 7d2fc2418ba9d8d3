package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// keeper is a place that has to have secrets.
type keeper struct {
	has func(path string) bool
	why string
}

// keepers are those of every lab.
func (l testLab) keepers() []keeper {
	return []keeper{
		{
			func(path string) bool { return path == filepath.Dir(l.Kubeconfig()) },
			"the control plane of the lab has made its keys itself, and its etcd has the Secrets of the cluster",
		},
		{
			leaks.OfPlugin.MatchString,
			"the Kubernetes plugin writes the kubeconfig that it is given to a file for Helm, and leaves it",
		},
	}
}

// keepers has the disks too.
func (l *machinesLab) keepers() []keeper {
	return append(l.testLab.keepers(), keeper{
		func(path string) bool { return path == filepath.Join(l.AzureDir(), "disks") },
		"a machine has to have what it joins with and what it was made with, as in Azure",
	})
}

// checkSecretsKept looks for secrets in all that a lab and its runs of Pulumi have written,
// state, history, backups, logs, previews, event logs and temporary files among it. Only
// keepers have some, and only their owner can read those.
func checkSecretsKept(t *testing.T, l testLab, records string, keepers []keeper, secrets []leaks.Secret) {
	t.Helper()
	var kept []string
	skip := func(path string) bool {
		for _, k := range keepers {
			if k.has(path) {
				kept = append(kept, path)
				return true
			}
		}
		return false
	}
	for _, found := range leaks.Find(t, []string{l.Dir, records}, skip, secrets) {
		t.Error(found)
	}
	for _, path := range kept {
		for _, open := range readable(t, l.Dir, path) {
			t.Errorf("others can read %s, which may have secrets", open)
		}
	}
}

// checkKeepersNeeded sees that each keeper has a secret: else it would hide some for nothing.
func checkKeepersNeeded(t *testing.T, l testLab, keepers []keeper, secrets []leaks.Secret) {
	t.Helper()
	for _, k := range keepers {
		inside, found := "", false
		check(t, filepath.WalkDir(l.Dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && k.has(path) {
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
			t.Errorf("no secret is where %s: remove the keeper", k.why)
		}
	}
}

// readable are the files at a path or below that others can read: those for which neither
// their mode nor that of a folder on the way from root says no.
func readable(t *testing.T, root, path string) []string {
	t.Helper()
	private := func(path string) bool {
		info, err := os.Stat(path)
		check(t, err)
		return info.Mode().Perm()&0o077 == 0
	}
	for folder := filepath.Dir(path); strings.HasPrefix(folder, root); folder = filepath.Dir(folder) {
		if private(folder) {
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
		folder := filepath.Dir(path)
		check(t, os.MkdirAll(folder, 0o755))
		check(t, os.WriteFile(path, nil, mode))
		check(t, os.Chmod(path, mode))
		if filepath.Base(folder) == "closed" {
			check(t, os.Chmod(folder, 0o700))
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
			t.Errorf("others can read %q of %s, want %q", text, path, want)
		}
	}
}
