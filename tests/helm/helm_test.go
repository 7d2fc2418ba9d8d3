package helm

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// programs is the directory with helm and mixedkube, which is the PATH of both, and their home.
type programs struct{ path, home string }

func newPrograms(t *testing.T) programs {
	t.Helper()
	return programs{path: labtest.Commands(t, "helm"), home: t.TempDir()}
}

// run runs helm or mixedkube without the configuration, caches and plugins of this machine's Helm.
func (p programs) run(t *testing.T, program string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(p.path, program), args...)
	cmd.Env = []string{
		"PATH=" + p.path, "HOME=" + p.home, "HELM_PLUGINS=" + filepath.Join(p.home, "plugins"),
		"HELM_CACHE_HOME=" + p.home, "HELM_CONFIG_HOME=" + p.home, "HELM_DATA_HOME=" + p.home,
	}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errOut.String()
}

// chart returns a copy of the chart, with an added file if text is not empty.
func chart(t *testing.T, file, text string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.CopyFS(dir, os.DirFS("testdata/shop")); err != nil {
		t.Fatal(err)
	}
	if text != "" {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found returns the findings of a rule, without their messages.
func found(stdout, rule string) []string {
	var found []string
	for line := range strings.Lines(stdout) {
		if !strings.HasSuffix(line, "("+rule+")\n") {
			continue
		}
		where, message, _ := strings.Cut(line, ": nothing keeps these Linux pods off ")
		if message == "" {
			where = line
		}
		found = append(found, where)
	}
	return found
}

// The hook is not among the objects that Helm deploys: Helm runs it before.
func TestCheckOfAChart(t *testing.T) {
	t.Parallel()
	p := newPrograms(t)
	const at = ": error: spec.template.spec.nodeSelector"
	want := []string{
		"/templates/deployment.yaml:1: Deployment/release-name" + at,
		"/charts/cache/templates/statefulset.yaml:1: StatefulSet/release-name-cache" + at,
		"/templates/migrate.yaml:1: Job/release-name-migrate" + at + ": in the Helm hook pre-install, pre-upgrade",
	}
	check := func(args ...string) (int, string, string) {
		return p.run(t, "mixedkube", append([]string{"check", "--topology", "testdata/cluster.yaml"}, args...)...)
	}
	code, stdout, stderr := check("testdata/shop")
	if diff := cmp.Diff(prefixed("testdata/shop", want), found(stdout, "MK304")); diff != "" || code != 1 {
		t.Errorf("exit %d (-want +got):\n%s\n%s", code, diff, stderr)
	}
	code, stdout, stderr = check("--values", "testdata/linux.yaml", "testdata/shop")
	const rest = "testdata/shop: left out: 1 test hook, which only helm test runs: add --include-tests\n" +
		"checked: 3 objects in 3 files\n"
	if code != 0 || stdout != "" || stderr != rest {
		t.Errorf("with values for Linux: exit %d:\n%s%s", code, stdout, stderr)
	}
	// A value of the command line overrides the values of files.
	_, stdout, _ = check("--values", "testdata/linux.yaml", "--release-name", "a", "--include-tests",
		"--set", "migrate.nodeSelector=null", "testdata/shop")
	want = []string{
		"/templates/tests/ready.yaml:1: Pod/a-ready: error: spec.nodeSelector: in the Helm hook test",
		"/templates/migrate.yaml:1: Job/a-migrate" + at + ": in the Helm hook pre-install, pre-upgrade",
	}
	if diff := cmp.Diff(prefixed("testdata/shop", want), found(stdout, "MK304")); diff != "" {
		t.Errorf("with --set (-want +got):\n%s", diff)
	}
}

func prefixed(prefix string, texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, prefix+text)
	}
	return all
}

func TestCheckOfAnArchive(t *testing.T) {
	t.Parallel()
	p, dir := newPrograms(t), t.TempDir()
	if code, _, stderr := p.run(t, "helm", "package", "--destination", dir, "testdata/shop"); code != 0 {
		t.Fatal(stderr)
	}
	_, stdout, stderr := p.run(t, "mixedkube", "check", "--topology", "testdata/cluster.yaml", dir+"/shop-1.0.0.tgz")
	got := found(stdout, "MK304")
	if len(got) != 3 || !strings.HasPrefix(got[0], dir+"/shop-1.0.0.tgz/templates/deployment.yaml:1: Deployment/") {
		t.Errorf("%q\n%s", got, stderr)
	}
}

func TestErrorsOfHelm(t *testing.T) {
	t.Parallel()
	p := newPrograms(t)
	for name, tt := range map[string]struct{ file, text, want string }{
		"a template with a mistake": {
			"templates/deployment.yaml", "a: {{ required \"name the shop\" .Values.shop }}\n",
			"helm template: execution error at (shop/templates/deployment.yaml:1:6): name the shop\n",
		},
		"missing dependencies": {
			"Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: queue, version: 1.0.0}]\n",
			"found in Chart.yaml, but missing in charts/ directory: queue\n",
		},
		"a chart for other charts": {
			"Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\ntype: library\n",
			"helm template: library charts are not installable\n",
		},
		"a newer version of Kubernetes": {
			"Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\nkubeVersion: \">=1.99\"\n",
			"incompatible with Kubernetes v1.36\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := chart(t, tt.file, tt.text)
			code, stdout, stderr := p.run(t, "mixedkube", "check", "--topology", "testdata/cluster.yaml", dir)
			lines := strings.SplitAfter(stderr, "\n")
			if code != 2 || stdout != "" || !strings.HasPrefix(lines[0], dir+": ") ||
				!strings.HasSuffix(lines[0], tt.want) || lines[1] != "checked: 0 objects in 0 files\n" {
				t.Errorf("exit %d: %s%s", code, stdout, stderr)
			}
		})
	}
}

// A reference in a schema of values can lead to any host and file.
func TestSchemasLeadNowhere(t *testing.T) {
	t.Parallel()
	p := newPrograms(t)
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = io.WriteString(w, `{"const":"secret"}`)
	}))
	t.Cleanup(server.Close)
	secret := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(secret, []byte(`{"const":"secret"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{
		`{"$ref":"` + server.URL + `/a.json"}`, `{"$schema":"` + server.URL + `/a.json"}`,
		`{"$ref":"file://` + secret + `"}`,
	} {
		dir := chart(t, "values.schema.json", schema)
		code, stdout, stderr := p.run(t, "mixedkube", "check", "--topology", "testdata/cluster.yaml", dir)
		if code == 2 || requests.Load() > 0 || strings.Contains(stdout+stderr, "secret") {
			t.Errorf("%s: exit %d, %d requests: %s%s", schema, code, requests.Load(), stdout, stderr)
		}
		if code, _, stderr := p.run(t, "helm", "template", dir); code == 0 && requests.Load() == 0 {
			t.Errorf("%s: helm alone does not follow it: %s", schema, stderr)
		}
		requests.Store(0)
	}
}

// The settings of git can have the token of a checkout, and a chart decides with .helmignore what helm reads.
func TestChartsDoNotSeeGit(t *testing.T) {
	t.Parallel()
	p := newPrograms(t)
	const secret = "token-of-the-checkout"
	encoded := base64.StdEncoding.EncodeToString([]byte(secret))
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "config"), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := chart(t, "", "")
	for name, text := range map[string]string{
		".helmignore": "all/all\n",
		"templates/stolen.yaml": `{{ $os := "linux" }}
{{- range .Files }}{{ if hasPrefix "` + secret + `" (toString .) }}{{ $os = toString . | b64enc }}{{ end }}{{ end -}}
apiVersion: v1
kind: Pod
metadata: {name: stolen}
spec:
  nodeSelector: {kubernetes.io/os: {{ $os }}}
  containers: [{name: a, image: "redis:8-alpine"}]
`,
		"charts/cache/templates/stolen.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: stolen}
data: {git: {{ .Files.Get ".git" | quote }}}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(".", filepath.Join(dir, "all")); err != nil {
		t.Fatal(err)
	}
	outputs := func() (all []string) {
		for _, args := range [][]string{{"check"}, {"adopt", "-o", "-"}} {
			args = append(args, "--topology", "testdata/cluster.yaml", dir)
			_, stdout, stderr := p.run(t, "mixedkube", args...)
			all = append(all, stdout, stderr)
		}
		return all
	}
	want := outputs()
	const at = ": error: spec.template.spec.nodeSelector"
	findings := prefixed(dir, []string{
		"/templates/deployment.yaml:1: Deployment/release-name" + at,
		"/charts/cache/templates/statefulset.yaml:1: StatefulSet/release-name-cache" + at,
		"/templates/migrate.yaml:1: Job/release-name-migrate" + at + ": in the Helm hook pre-install, pre-upgrade",
	})
	if diff := cmp.Diff(findings, found(want[0], "MK304")); diff != "" {
		t.Fatalf("without a repository (-want +got):\n%s\n%q", diff, want)
	}
	write := func(name string) func() error {
		return func() error {
			at := filepath.Join(dir, name)
			return errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(secret), 0o600))
		}
	}
	for _, tt := range []struct {
		name, remove string
		add          func() error
	}{
		{"a directory", ".git", write(".git/config")},
		{"in capitals", ".GIT", write(".GIT/config")},
		{"a file of a worktree", ".git", write(".git")},
		{"a submodule", "charts/cache/.git", write("charts/cache/.git")},
		{"deep", "files", write("files/a/.git/config")},
		{"a link", ".git", func() error { return os.Symlink(outside, filepath.Join(dir, ".git")) }},
	} {
		if err := tt.add(); err != nil {
			t.Fatal(err)
		}
		_, stdout, stderr := p.run(t, "helm", "template", dir)
		if !strings.Contains(stdout, encoded) && !strings.Contains(stdout, secret) {
			t.Errorf("%s: helm alone does not print it: %s", tt.name, stderr)
		}
		if diff := cmp.Diff(want, outputs()); diff != "" {
			t.Errorf("%s (-without a repository +with it):\n%s", tt.name, diff)
		}
		if err := os.RemoveAll(filepath.Join(dir, tt.remove)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAdoptOfAChart(t *testing.T) {
	t.Parallel()
	p, out := newPrograms(t), t.TempDir()
	code, stdout, stderr := p.run(t, "mixedkube", "adopt", "--topology", "testdata/cluster.yaml", "-o", out,
		"testdata/shop")
	if code != 0 || stdout != "" {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	for _, file := range []string{
		"templates/deployment.yaml", "templates/migrate.yaml", "charts/cache/templates/statefulset.yaml",
	} {
		text, err := os.ReadFile(filepath.Join(out, file))
		if err != nil || !strings.Contains(string(text), "\n        kubernetes.io/os: linux\n") {
			t.Errorf("%s: %v: %s", file, err, text)
		}
	}
	code, stdout, stderr = p.run(t, "mixedkube", "check", "--topology", "testdata/cluster.yaml", out)
	if code != 0 || stdout != "" || stderr != "checked: 3 objects in 3 files\n" {
		t.Errorf("check of the written files: exit %d: %s%s", code, stdout, stderr)
	}
}

// plugin returns the Helm plugin in docs/manifests.md.
func plugin(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/manifests.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "```yaml\napiVersion: v1\ntype: postrenderer/v1\n")
	text, _, end := strings.Cut(text, "```")
	if !ok || !end {
		t.Fatal("docs/manifests.md has no plugin")
	}
	return "apiVersion: v1\ntype: postrenderer/v1\n" + text
}

// Helm 4 also passes hooks to a post-renderer.
func TestAdoptAsAPostRenderer(t *testing.T) {
	t.Parallel()
	p := newPrograms(t)
	dir := filepath.Join(p.home, "plugins", "mixedkube")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plugin.yaml"), []byte(plugin(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	render := func(topology string) (int, string, string) {
		return p.run(t, "helm", "template", "shop", "testdata/shop", "--post-renderer", "mixedkube",
			"--post-renderer-args=--topology="+topology)
	}
	code, stdout, stderr := render("testdata/cluster.yaml")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	placed := 0
	for _, doc := range strings.Split(stdout, "---\n# Source: ")[1:] {
		name, _, _ := strings.Cut(doc, "\n")
		if !strings.Contains(doc, "kubernetes.io/os: linux") || !strings.Contains(doc, "os:\n") {
			t.Errorf("%s is not completed:\n%s", name, doc)
		}
		placed++
	}
	if placed != 4 {
		t.Errorf("%d objects, want 4:\n%s", placed, stdout)
	}
	if code, stdout, stderr = render("testdata/none.yaml"); code == 0 || stdout != "" ||
		!strings.Contains(stderr, `"mixedkube" exited with error`) {
		t.Errorf("without a topology: exit %d: %s%s", code, stdout, stderr)
	}
}
