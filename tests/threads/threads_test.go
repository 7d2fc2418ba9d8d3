package threads_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// expected is the subject of a thread, and its expected findings: expected.yaml.
type expected struct {
	// Thread is its repository and number.
	Thread string `json:"thread"`
	// Title summarizes the problem in our own words.
	Title string `json:"title"`
	// Knowable is the place of the cause: P the program, T the topology, R the registry.
	Knowable string `json:"knowable"`
	// Also are threads with the same cause.
	Also []string `json:"also"`
	// Flags are flags for mixedkube check, in addition to the files.
	Flags []string `json:"flags"`
	// Findings are the findings that the wrong input has, and the right one does not have.
	Findings []finding `json:"findings"`
	// Missing is the reason why the problem is not found.
	Missing string `json:"missing"`
}

// finding is a finding of the preview. Rule is empty for components without their own rules.
type finding struct {
	Object   string        `json:"object"` // kind and name of the object
	Rule     string        `json:"rule"`
	Path     string        `json:"path"`
	Severity rule.Severity `json:"severity"`
	// Part is a part of the message, if that is more specific than the rule.
	Part    string `json:"part"`
	message string
}

func (f finding) String() string {
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", f.Severity, f.Object, f.Path, f.Rule)), " ")
}

// is reports whether a finding is the expected finding.
func (f finding) is(want finding) bool {
	return f.Object == want.Object && f.Rule == want.Rule && f.Path == want.Path && f.Severity == want.Severity &&
		strings.Contains(f.message, want.Part)
}

// kind is equal for two findings that report the same problem in two inputs.
func (f finding) kind() string { return f.Rule + " " + strings.ToLower(string(f.Severity)) }

// topologyFile and imagesFile are not manifests.
const (
	topologyFile = "topology.yaml"
	imagesFile   = "mixedkube.images.yaml"
)

// flags are the flags of mixedkube check for these files.
var flags = map[string]string{topologyFile: "--topology", imagesFile: "--images"}

func TestPreviewsOfThreads(t *testing.T) {
	t.Parallel()
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var lines []string
	reported := 0
	for _, dir := range dirs {
		if !dir.IsDir() {
			continue
		}
		want := read(t, dir.Name())
		if seen[want.Thread] {
			t.Errorf("%s: the thread %s has another directory", dir.Name(), want.Thread)
		}
		seen[want.Thread] = true
		t.Run(dir.Name(), func(t *testing.T) {
			wrong, right := inputs(t, dir.Name(), want)
			compare(t, want, wrong, right)
		})
		status := "reported: " + strings.Join(rules(want.Findings), ", ")
		if want.Missing != "" {
			status = "missing: " + want.Missing
		} else {
			reported++
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s; %s", want.Thread, want.Knowable, want.Title, status))
	}
	slices.Sort(lines)
	all := len(lines)
	share := fmt.Sprintf("%d of %d knowable threads are reported (%d %%)", reported, all, reported*100/all)
	golden.Equal(t, "testdata/share.golden", share+"\n\n"+strings.Join(lines, "\n")+"\n")
	for name := range programs {
		if _, err := os.Stat(filepath.Join("testdata", name, "expected.yaml")); err != nil {
			t.Errorf("the program %s: %v", name, err)
		}
	}
}

func rules(findings []finding) []string {
	var ids []string
	for _, f := range findings {
		id := f.Rule
		if id == "" {
			id = f.Path
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// The directory of a thread has the name of its repository, without the owner, and its number.
var (
	threadForm = regexp.MustCompile(`^[\w.-]+/([\w.-]+)#(\d+)$`)
	letters    = regexp.MustCompile(`^[PTR](\+[TR])*$`)
)

func read(t *testing.T, dir string) expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", dir, "expected.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var want expected
	if err := yaml.UnmarshalStrict(text, &want); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	parts := threadForm.FindStringSubmatch(want.Thread)
	if parts == nil || parts[1]+"-"+parts[2] != dir {
		t.Errorf("%s: the thread %q belongs in another directory", dir, want.Thread)
	}
	if !letters.MatchString(want.Knowable) || want.Title == "" {
		t.Errorf("%s: knowable from %q, title %q", dir, want.Knowable, want.Title)
	}
	if (want.Missing == "") != (len(want.Findings) > 0) {
		t.Errorf("%s: has %d findings, missing: %q", dir, len(want.Findings), want.Missing)
	}
	return want
}

// compare fails unless the wrong input has the expected findings, and the right one does not.
func compare(t *testing.T, want expected, wrong, right []finding) {
	t.Helper()
	for _, f := range right {
		if f.Severity == rule.Error {
			t.Errorf("the right input: %s: %s", f, f.message)
		}
	}
	if want.Missing != "" {
		for _, f := range wrong {
			if !slices.ContainsFunc(right, func(r finding) bool { return r.kind() == f.kind() }) {
				t.Errorf("%s is reported: add it to expected.yaml, and remove missing: %s", f, f.message)
			}
		}
		return
	}
	for _, w := range want.Findings {
		if !slices.ContainsFunc(wrong, func(f finding) bool { return f.is(w) }) {
			t.Errorf("the wrong input has no finding %s (%q), only:\n%s", w, w.Part, list(wrong))
		}
		if slices.ContainsFunc(right, func(f finding) bool { return f.kind() == w.kind() && w.Rule != "" || f.is(w) }) {
			t.Errorf("the right input has %s too:\n%s", w.Rule, list(right))
		}
	}
}

func list(findings []finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "\t%s: %s\n", f, f.message)
	}
	return b.String()
}

// inputs returns the findings of both inputs of a thread.
func inputs(t *testing.T, dir string, want expected) (wrong, right []finding) {
	t.Helper()
	root := filepath.Join("testdata", dir)
	_, err := os.Stat(filepath.Join(root, "wrong"))
	p, isProgram := programs[dir]
	switch {
	case isProgram && err == nil:
		t.Fatal("has manifests and a program")
	case isProgram:
		return p.wrong.run(t), p.right.run(t)
	case errors.Is(err, fs.ErrNotExist) && want.Missing != "":
		return nil, nil // no input can have the cause
	case errors.Is(err, fs.ErrNotExist):
		t.Fatal("has neither manifests nor a program")
	}
	return check(t, filepath.Join(root, "wrong"), want), check(t, filepath.Join(root, "right"), want)
}

// check runs mixedkube check on a directory.
func check(t *testing.T, dir string, want expected) []finding {
	t.Helper()
	args := append([]string{"check", "--format", "json"}, want.Flags...)
	for file, flag := range flags {
		for _, dir := range []string{dir, filepath.Dir(dir)} {
			path := filepath.Join(dir, file)
			if _, err := os.Stat(path); err == nil {
				args = append(args, flag, path)
				break
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != topologyFile && e.Name() != imagesFile {
			args = append(args, filepath.Join(dir, e.Name()))
		}
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code > 1 {
		t.Fatalf("mixedkube %s: exit code %d: %s", strings.Join(args, " "), code, stderr.String())
	}
	var shown []struct{ Kind, Name, Rule, Path, Severity, Message string }
	if err := json.Unmarshal(stdout.Bytes(), &shown); err != nil {
		t.Fatalf("%v: %s", err, stdout.String())
	}
	var found []finding
	for _, f := range shown {
		found = append(found, finding{
			Object: f.Kind + "/" + f.Name, Rule: f.Rule, Path: f.Path, Severity: rule.Severity(f.Severity),
			message: f.Message,
		})
	}
	return found
}
