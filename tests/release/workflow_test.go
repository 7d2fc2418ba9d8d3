package release

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// releaseWorkflow has the fields of the workflow release that the tests check.
type releaseWorkflow struct {
	Jobs map[string]struct {
		Needs string
		Steps []struct {
			Uses, Run string
			With      map[string]any
			Env       map[string]string
		}
	}
}

// with returns the inputs of an action in a job.
func (w releaseWorkflow) with(t *testing.T, job, action string) map[string]any {
	t.Helper()
	for _, step := range w.Jobs[job].Steps {
		if strings.HasPrefix(step.Uses, action+"@") {
			return step.With
		}
	}
	t.Fatalf("the job %s does not use %s", job, action)
	return nil
}

// TestExpiredFactsBlockAReleaseButNoSnapshot checks that a release looks for expired facts before it builds anything.
func TestExpiredFactsBlockAReleaseButNoSnapshot(t *testing.T) {
	t.Parallel()
	commands := func(target string) string {
		made := exec.CommandContext(t.Context(), "make", "-n", "-C", filepath.Join("..", ".."), target)
		// The variables of the make that runs this test.
		made.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
			return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS=")
		})
		out, err := made.CombinedOutput()
		if err != nil {
			t.Fatalf("make -n %s: %v\n%s", target, err, out)
		}
		return string(out)
	}
	release := commands("release")
	facts, build := strings.Index(release, "run ./cmd/facts"), strings.Index(release, "goreleaser build")
	if facts < 0 || build < facts {
		t.Errorf("make release must run make facts before it builds:\n%s", release)
	}
	if snapshot := commands("release-snapshot"); strings.Contains(snapshot, "run ./cmd/facts") {
		t.Errorf("make release-snapshot must not fail for expired facts:\n%s", snapshot)
	}
}

// TestTheJobsOfAReleasePassTheDraftOn checks that the files that are built are those that are attested and attached.
func TestTheJobsOfAReleasePassTheDraftOn(t *testing.T) {
	t.Parallel()
	var w releaseWorkflow
	readYAML(t, ".github/workflows/release.yml", &w)
	upload := w.with(t, "build", "actions/upload-artifact")
	delete(upload, "compression-level")
	download := map[string]any{"name": "draft", "path": "draft"}
	for what, diff := range map[string]string{
		"build uploads": cmp.Diff(map[string]any{
			"name": "draft", "path": "dist/release/draft", "if-no-files-found": "error",
		}, upload),
		"attest downloads": cmp.Diff(download, w.with(t, "attest", "actions/download-artifact")),
		"attach downloads": cmp.Diff(download, w.with(t, "attach", "actions/download-artifact")),
		"attest attests": cmp.Diff(map[string]any{"subject-path": "draft/files/*"},
			w.with(t, "attest", "actions/attest")),
		"the order": cmp.Diff([]string{"", "build", "attest"},
			[]string{w.Jobs["build"].Needs, w.Jobs["attest"].Needs, w.Jobs["attach"].Needs}),
	} {
		if diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// attach runs the script of the job attach as GitHub does, in a directory with the artifact. A program that records its
// arguments replaces gh; attach returns them.
func attach(t *testing.T, dir string) (arguments []string, output string, err error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: the job runs there")
	}
	var w releaseWorkflow
	readYAML(t, ".github/workflows/release.yml", &w)
	var runs []string
	for _, step := range w.Jobs["attach"].Steps {
		runs = append(runs, step.Run)
	}
	script := strings.Join(runs, "")
	bin := t.TempDir()
	record := filepath.Join(bin, "arguments")
	const gh = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$RECORD\"\n"
	if err := executable.Write(filepath.Join(bin, "gh"), []byte(gh), 0o700); err != nil {
		t.Fatal(err)
	}
	// The flags of bash for a step without a shell.
	cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TAG=v1.2.3", "RECORD="+record, "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(record)
	if readErr != nil && !errors.Is(readErr, os.ErrNotExist) {
		t.Fatal(readErr)
	}
	return strings.Fields(string(text)), string(out), err
}

// begin are the arguments of gh before the files.
var begin = []string{
	"release", "create", "v1.2.3", "--draft", "--verify-tag", "--title", "mixedkube", "v1.2.3", "--notes-file",
	"../notes.md",
}

// TestOnlyListedFilesAreAttached runs the job attach with artifacts that differ from their list.
func TestOnlyListedFilesAreAttached(t *testing.T) {
	t.Parallel()
	line := func(name, content string) string {
		return fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(content)), name)
	}
	list := line("a.tar.gz", "a") + line("b.whl", "b")
	for name, tt := range map[string]struct {
		files map[string]string
		// output is part of what the job prints before it fails.
		output string
	}{
		"all":     {map[string]string{"a.tar.gz": "a", "b.whl": "b", "checksums.txt": list}, ""},
		"changed": {map[string]string{"a.tar.gz": "a", "b.whl": "c", "checksums.txt": list}, "b.whl: FAILED\n"},
		"missing": {map[string]string{"a.tar.gz": "a", "checksums.txt": list}, "b.whl: FAILED open or read\n"},
		"not in it": {
			map[string]string{"a.tar.gz": "a", "b.whl": "b", "c.tgz": "c", "checksums.txt": list}, "> c.tgz\n",
		},
		"twice in it": {
			map[string]string{"a.tar.gz": "a", "b.whl": "b", "checksums.txt": list + line("b.whl", "b")}, "< b.whl\n",
		},
		"not a list": {
			map[string]string{"a.tar.gz": "a", "b.whl": "b", "checksums.txt": list + "c.tgz\n"}, "improperly formatted",
		},
		"an empty list": {map[string]string{"checksums.txt": ""}, "no properly formatted"},
		"no list":       {map[string]string{"a.tar.gz": "a"}, "No such file"},
	} {
		dir := t.TempDir()
		files := filepath.Join(dir, filepath.FromSlash(attached))
		if err := os.MkdirAll(files, 0o700); err != nil {
			t.Fatal(err)
		}
		var want []string
		for file, content := range tt.files {
			want = append(want, "./"+file)
			if err := os.WriteFile(filepath.Join(files, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(want)
		want = slices.Concat(begin, want)
		arguments, output, err := attach(t, dir)
		if tt.output != "" {
			want = []string{}
		}
		if diff := cmp.Diff(want, arguments); diff != "" {
			t.Errorf("%s: gh (-want +got):\n%s", name, diff)
		}
		if (err == nil) != (tt.output == "") || !strings.Contains(output, tt.output) {
			t.Errorf("%s: %v, the output is %q, want one with %q", name, err, output, tt.output)
		}
	}
}

// TestSnapshotIsAttached runs the job attach with a release.
func TestSnapshotIsAttached(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	arguments, output, err := attach(t, r.dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	want := slices.Clone(begin)
	for name := range r.sums {
		want = append(want, "./"+name)
	}
	want = append(want, "./checksums.txt")
	slices.Sort(want[len(begin):])
	slices.Sort(arguments[len(begin):])
	if diff := cmp.Diff(want, arguments); diff != "" {
		t.Errorf("gh (-want +got):\n%s", diff)
	}
}
