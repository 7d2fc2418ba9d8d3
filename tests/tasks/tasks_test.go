package tasks

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// machine is where a task is done: a directory with a copy of the files at the beginning, and the environment.
type machine struct {
	dir string
	env []string
}

// machines prepare the machine of each task from its files at the beginning.
var machines = map[string]func(t *testing.T, start string) machine{
	"check-a-chart":     withMirror,
	"find-a-refusal":    withCommands,
	"guard-typescript":  withPulumi,
	"windows-pools":     withCommands,
	"add-a-rule":        withClone,
	"change-a-sentence": withClone,
	"add-a-field":       withClone,
}

func TestTasks(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join("testdata", "*"))
	if err != nil || len(dirs) != len(machines) {
		t.Fatalf("testdata has %q, want a directory for each of %d tasks: %v", dirs, len(machines), err)
	}
	for name, prepare := range machines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, err := filepath.Abs(filepath.Join("testdata", name, "task.sh"))
			if err != nil {
				t.Fatal(err)
			}
			m := prepare(t, filepath.Join("testdata", name, "start"))
			want, err := os.ReadFile(filepath.Join("testdata", name, "output.txt"))
			if err != nil || len(want) == 0 {
				t.Fatalf("output.txt has %d bytes: %v", len(want), err)
			}
			got := m.run(t, script)
			if missing := compare(got, string(want)); missing != "" {
				t.Errorf("the script shows\n%s\nwithout these lines in their place:\n%s", got, missing)
			}
		})
	}
}

// run runs a script and returns what it shows.
func (m machine) run(t *testing.T, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", script)
	cmd.Dir, cmd.Env = m.dir, m.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return duration.ReplaceAllString(strings.ReplaceAll(string(out), m.dir, "DIR"), "(TIME)")
}

// duration is how long a test of Go took, which Go may know from an earlier run.
var duration = regexp.MustCompile(`\(?\b\d+\.\d+s\b\)?|\(cached\)`)

// compare returns the first lines of want that a text does not have in their place. As on the pages, the line "…"
// stands for any lines.
func compare(text, want string) string {
	text = "\n" + text
	parts := strings.Split("\n"+want, "\n…\n")
	for i, part := range parts {
		part = strings.Trim(part, "\n")
		if part == "" {
			continue
		}
		block := "\n" + part + "\n"
		at := strings.Index(text, block)
		last := i == len(parts)-1
		if last {
			at = strings.LastIndex(text, block)
		}
		if at < 0 || i == 0 && at > 0 || last && len(text) > at+len(block) {
			return part
		}
		text = text[at+len(block)-1:]
	}
	return ""
}

// withCommands returns a machine with mixedkube and helm.
func withCommands(t *testing.T, start string) machine {
	t.Helper()
	m := machine{dir: t.TempDir()}
	if err := os.CopyFS(m.dir, os.DirFS(start)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	m.env = append(os.Environ(), path(t, "helm"), "MIXEDKUBE_CHECKOUT="+labtest.Checkout(t))
	return m
}

// withMirror returns a machine with a server that has the files of its directory mirror.
func withMirror(t *testing.T, start string) machine {
	t.Helper()
	m := withCommands(t, start)
	mirror := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(m.dir, "mirror"))))
	t.Cleanup(mirror.Close)
	m.env = append(m.env, "MIRROR="+mirror.URL)
	return m
}

// withClone returns a machine with a clone of the repository.
func withClone(t *testing.T, start string) machine {
	t.Helper()
	m := withCommands(t, start)
	clone := exec.CommandContext(t.Context(), "git", "clone", "--quiet", labtest.Checkout(t), m.dir)
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return m
}

// path returns the PATH of a machine: mixedkube and the tools that the tasks need come first.
func path(t *testing.T, tools ...string) string {
	t.Helper()
	return "PATH=" + labtest.Commands(t, tools...) + string(os.PathListSeparator) + os.Getenv("PATH")
}

// withPulumi returns a machine with a program of Pulumi, whose stack exists.
func withPulumi(t *testing.T, start string) machine {
	t.Helper()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	stack, err := l.Project(t.Context(), labtest.WithPins(t, start, "typescript"), "dev", "")
	labtest.Available(t, "the program", err)
	if err := stack.Preview(t.Context()); err != nil {
		t.Fatal(err)
	}
	stack.Environment = append(stack.Environment, path(t, "pulumi"), "PULUMI_STACK=dev")
	return machine{stack.Project.Dir, stack.Environ()}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	const text = "one\ntwo\nthree\nfour\n"
	for want, missing := range map[string]string{
		text: "", "one\n…\n": "", "…\nfour\n": "", "…\ntwo\n…\nfour\n": "", "one\n…\ntwo\n…\nfour\n": "", "…\n": "",
		"two\n…\n": "two", "…\nthree\n": "three", "one\n…\nthree\n…\ntwo\n…\n": "two", "one\n": "one",
		"…\nthr\n…\n": "thr",
	} {
		if got := compare(text, want); got != missing {
			t.Errorf("%q does not have %q of %q, want %q", text, got, want, missing)
		}
	}
}
