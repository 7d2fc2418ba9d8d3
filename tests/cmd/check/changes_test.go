package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// commands runs git in a new repository.
func commands(t *testing.T) (repository, func(args ...string)) {
	t.Helper()
	r := repository{t.TempDir()}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", r.dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	return r, git
}

func (r repository) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheBaseIsWhereTheBranchBegan(t *testing.T) {
	t.Parallel()
	r, git := commands(t)
	for _, name := range []string{"first", "renamed", "deleted", "staged", "edited"} {
		r.write(t, name, name)
	}
	r.write(t, ".gitignore", "ignored\n")
	git("add", ".")
	git("commit", "-qm", "first")
	check := func(when, since, wantName string, wantFiles ...string) {
		t.Helper()
		b, err := r.base(t.Context(), since)
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		files, err := r.changed(t.Context(), b.commit)
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if diff := cmp.Diff(wantName, b.name); diff != "" {
			t.Errorf("%s: the base (-want +got):\n%s", when, diff)
		}
		if diff := cmp.Diff(wantFiles, files); diff != "" {
			t.Errorf("%s: the files (-want +got):\n%s", when, diff)
		}
	}
	check("the first commit", "", "the merge base with main")
	r.write(t, "second", "")
	git("add", ".")
	git("commit", "-qm", "second")
	check("everything is on main", "", "the commit before HEAD, because main has everything", "second")

	git("switch", "-qc", "branch")
	git("mv", "renamed", "moved")
	git("commit", "-qm", "third")
	git("rm", "-q", "deleted")
	r.write(t, "staged", "changed")
	git("add", "staged")
	r.write(t, "edited", "changed")
	r.write(t, "new with spaces", "")
	r.write(t, "ignored", "")
	changed := []string{"deleted", "edited", "moved", "new with spaces", "renamed", "staged"}
	check("a branch", "", "the merge base with main", changed...)
	check("since a commit", "HEAD", "the merge base with HEAD", "deleted", "edited", "new with spaces", "staged")

	git("switch", "-q", "main")
	r.write(t, "onmain", "")
	git("add", "onmain")
	git("commit", "-qm", "fourth", "onmain")
	git("switch", "-q", "branch")
	check("main has continued", "", "the merge base with main", changed...)

	// The branch of the repository that was cloned is newer than the local one.
	git("update-ref", "refs/remotes/origin/main", "branch")
	check("a clone", "", "the merge base with origin/main", "deleted", "edited", "new with spaces", "staged")

	if _, err := r.base(t.Context(), "none"); err == nil ||
		err.Error() != "git knows no commit none: set SINCE to a branch or a commit" {
		t.Errorf("the error is %v", err)
	}
}

func TestOnlyModulesWithOtherImportsMayBeUntidy(t *testing.T) {
	t.Parallel()
	g := scanned(t)
	const (
		disk  = "package disk\n"
		flags = "package disk\n\nimport _ \"example.com/flags\"\n"
		std   = "package disk\n\nimport _ \"net/http\"\n"
		guard = "package disk\n\nimport _ " + quoted + "components/guard\"\n"
	)
	for name, tt := range map[string]struct {
		files  map[string][2]string
		module []string
	}{
		"an import is added":   {map[string][2]string{"internal/system/disk/disk.go": {disk, flags}}, []string{"."}},
		"an import is removed": {map[string][2]string{"internal/system/disk/disk.go": {flags, disk}}, []string{"."}},
		"a file is new":        {map[string][2]string{"internal/system/disk/new.go": {"", flags}}, []string{"."}},
		"an import is moved": {map[string][2]string{
			"internal/system/disk/disk.go": {flags, disk}, "internal/cli/cli.go": {disk, flags},
		}, nil},
		"the standard library": {map[string][2]string{"internal/system/disk/disk.go": {disk, std}}, nil},
		"the same module":      {map[string][2]string{"internal/system/disk/disk.go": {disk, guard}}, nil},
		"another module":       {map[string][2]string{"tests/e2e/e2e_test.go": {disk, guard}}, []string{"tests"}},
		"a file that does not parse": {map[string][2]string{
			"internal/system/disk/disk.go": {disk, "package"},
		}, nil},
		"requirements": {map[string][2]string{
			"internal/lab/go.sum": {}, "internal/lab/tools/etcd/go.mod": {},
		}, []string{"internal/lab"}},
	} {
		var files []string
		for file := range tt.files {
			files = append(files, file)
		}
		got := g.untidy(files, modules, func(file string) (before, after string) {
			return tt.files[file][0], tt.files[file][1]
		})
		if diff := cmp.Diff(tt.module, got, ignoreEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
