package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// TestMain puts a helm on PATH that is this binary: see [fakeHelm]. As mixedkube it is the command.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "helm":
		os.Exit(fakeHelm(os.Args[1:]))
	case "mixedkube":
		os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(withHelm(m))
}

func withHelm(m *testing.M) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "mixedkube-helm-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Symlink(self, filepath.Join(dir, "helm")); err != nil {
		panic(err)
	}
	if err := os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		panic(err)
	}
	return m.Run()
}

// fakeHelm acts as the files next to the chart's Chart.yaml describe: it prints stdout.txt and stderr.txt, and writes
// its arguments to args.txt. With a file "endless" it prints forever, with "hangs" it does nothing for a long time. It
// fails if there is nothing to print.
func fakeHelm(args []string) int {
	chart := args[len(args)-1]
	if !strings.HasSuffix(chart, ".tgz") {
		_ = os.WriteFile(filepath.Join(chart, "args.txt"), []byte(strings.Join(args, "\n")), 0o600)
	} else {
		chart = filepath.Dir(chart)
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(chart, name))
		return err == nil
	}
	for has("endless") {
		if _, err := io.WriteString(os.Stdout, strings.Repeat("# nothing\n", 1<<16)); err != nil {
			return 1
		}
	}
	if has("hangs") {
		time.Sleep(hang)
	}
	stderr, _ := os.ReadFile(filepath.Join(chart, "stderr.txt"))
	_, _ = os.Stderr.Write(stderr)
	text, err := os.ReadFile(filepath.Join(chart, "stdout.txt"))
	if err != nil {
		return 1
	}
	_, _ = os.Stdout.Write(text)
	return 0
}

// hang is how long the fake helm hangs.
const hang = time.Minute

// newChart writes a chart for [fakeHelm].
func newChart(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n")
	for name, text := range files {
		write(name, text)
	}
	return dir
}

func TestArgumentsOfHelm(t *testing.T) {
	t.Parallel()
	dir := newChart(t, map[string]string{"stdout.txt": "", "a,b.yaml": "", `q".yaml`: ""})
	code, _, stderr := runCheck(t, "", "--k8s", "1.36", "--values", filepath.Join(dir, "a,b.yaml"),
		"--values", filepath.Join(dir, `q".yaml`), "--set", "a=1,b=2", "--set=--post-renderer=x", "--set-string", "c=3",
		"--namespace", "--post-renderer=x", "--release-name", "--post-renderer=x", dir)
	const nothing = ": is a Helm chart that renders no objects with these values\nchecked: 0 objects in 0 files\n"
	if code != passed || stderr != dir+nothing {
		t.Errorf("exit %d: %s", code, stderr)
	}
	args, err := os.ReadFile(filepath.Join(dir, "args.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"template", "--include-crds", "--skip-schema-validation", "--kube-version=1.36",
		"--namespace=--post-renderer=x",
		`--values="` + dir + `/a,b.yaml"`, `--values="` + dir + `/q"".yaml"`, "--set=a=1,b=2",
		"--set=--post-renderer=x", "--set-string=c=3", "--", "--post-renderer=x", dir,
	}
	if diff := cmp.Diff(want, strings.Split(string(args), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInvalidValues(t *testing.T) {
	t.Parallel()
	dir := newChart(t, map[string]string{"stdout.txt": ""})
	code, _, stderr := runCheck(t, "", "--values", "-", "--values", dir, "--values", dir+"/none.yaml",
		"--values=https://charts.example.com/values.yaml", dir)
	want := "--values -: name a file: helm cannot read standard input here\n" +
		"--values: " + dir + ": not a regular file\n" +
		"--values: " + dir + "/none.yaml: no such file or directory\n" +
		"--values: https://charts.example.com/values.yaml: no such file or directory\n" +
		"checked: 0 objects in 0 files\n"
	if code != unusable || stderr != want {
		t.Errorf("exit %d:\n%swant:\n%s", code, stderr, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "args.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("helm was called: %v", err)
	}
}

func TestFlagsOfChartsNeedAChart(t *testing.T) {
	t.Parallel()
	code, _, stderr := runCheck(t, "", "--set", "a=1", "--namespace", "shop", "testdata/check/warnings.yaml")
	const want = "--set, --namespace: no path is a Helm chart, a directory with Chart.yaml or an archive\n"
	if code != unusable || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestHelmFails(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("walk.go:75: found symbolic link\n", sources.MaxMessages) + "Error: one\nError: two\n"
	for name, tt := range map[string]struct {
		stderr string
		want   []string
	}{
		"dependencies": {
			"Error: You may need to run 'helm dependency build'\x1b[2J: missing in charts/ directory: redis\n\n" +
				"Use --debug flag to render out invalid YAML\n",
			[]string{`You may need to run 'helm dependency build'\x1b[2J: missing in charts/ directory: redis`},
		},
		"nothing": {"", []string{"exit status 1"}},
		"many": {many, append(slices.Repeat([]string{"walk.go:75: found symbolic link"}, sources.MaxMessages),
			"… 2 lines more")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newChart(t, map[string]string{"stderr.txt": tt.stderr})
			var want strings.Builder
			for _, line := range tt.want {
				fmt.Fprintf(&want, "%s: helm template: %s\n", dir, line)
			}
			code, _, stderr := runCheck(t, "", dir)
			if code != unusable || stderr != want.String()+"checked: 0 objects in 0 files\n" {
				t.Errorf("check: exit %d:\n%swant:\n%s", code, stderr, want.String())
			}
			code, _, stderr = runAdopt(t, "--topology", "testdata/topology.yaml", dir)
			const summary = "adopted: 0 objects with pods in 0 files, 0 to change: 0 completed, 0 had all\n"
			if code != unusable || stderr != want.String()+summary {
				t.Errorf("adopt: exit %d:\n%swant:\n%s", code, stderr, want.String())
			}
		})
	}
}

func TestHelmThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	dir := newChart(t, map[string]string{"hangs": ""})
	started := time.Now()
	_, _, err := helm{timeout: 300 * time.Millisecond}.template(t.Context(), new(disk.Access), dir, "")
	if took := time.Since(started); took > hang/4 {
		t.Errorf("helm was waited for: %s", took)
	}
	if want := dir + ": helm template: has not ended in 300ms"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	_, _, err = helm{}.template(ctx, new(disk.Access), dir, "")
	if want := dir + ": helm template: interrupted"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	dir = newChart(t, map[string]string{"endless": ""})
	_, _, err = helm{}.template(t.Context(), new(disk.Access), dir, "")
	if want := dir + ": helm template writes more than 256 MB"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestNoHelm(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := newChart(t, map[string]string{"stdout.txt": ""})
	code, _, stderr := runCheck(t, "", dir)
	want := dir + ": is a Helm chart, and there is no helm on PATH to render it: install helm, or pipe the " +
		"output of `helm template` into this command\nchecked: 0 objects in 0 files\n"
	if code != unusable || stderr != want {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
