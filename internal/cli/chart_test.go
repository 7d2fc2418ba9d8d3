package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written is the output of helm for a chart with a hook, a test and a subchart.
const written = `---
# Source: shop/crds/crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
---
# Source: shop/charts/cache/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: cache}
spec:
  template:
    spec:
      containers: [{name: cache, image: "redis:8-alpine"}]
---
# Source: shop/templates/all.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  text: |
    ---
    # Source: none
---
# Source: shop/templates/migrate.yaml
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: "redis:8-alpine"}]
---
# Source: shop/templates/all.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
---
# Source: shop/templates/tests/ready.yaml
apiVersion: v1
kind: Pod
metadata:
  name: ready
  annotations: {helm.sh/hook: test-success}
spec:
  containers: [{name: ready, image: "redis:8-alpine"}]
`

func TestAChartIsChecked(t *testing.T) {
	t.Parallel()
	dir := newChart(t, map[string]string{"stdout.txt": written, "stderr.txt": "walk.go:75: found a link\n"})
	topology := []string{"--topology", "testdata/topology-untainted.yaml"}
	code, stdout, stderr := runCheck(t, "", append(topology, dir)...)
	const note = ": left out: 1 test hook, which only helm test runs: add --include-tests\n"
	var where []string
	for line := range strings.Lines(stdout) {
		if strings.Contains(line, "(MK304)") {
			name, rest, _ := strings.Cut(strings.TrimPrefix(line, dir+"/"), ": spec.template.spec")
			if _, message, ok := strings.Cut(rest, ": in the Helm hook "); ok {
				name += " " + strings.SplitN(message, ":", 2)[0]
			}
			where = append(where, name)
		}
	}
	want := []string{
		"charts/cache/templates/deployment.yaml:1: Deployment/cache: error",
		"templates/migrate.yaml:1: Job/migrate: error pre-install, pre-upgrade",
	}
	if diff := cmp.Diff(want, where); diff != "" || code != failed {
		t.Errorf("exit %d (-want +got):\n%s\n%s", code, diff, stdout)
	}
	for _, want := range []string{
		dir + ": helm: walk.go:75: found a link\n", dir + note,
		"checked: 5 objects in 4 files, ",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q is not in:\n%s", want, stderr)
		}
	}
	_, stdout, stderr = runCheck(t, "", append(topology, "--include-tests", dir)...)
	const test = "/templates/tests/ready.yaml:1: Pod/ready: error: spec.nodeSelector: in the Helm hook test-success: "
	if !strings.Contains(stdout, dir+test) ||
		strings.Contains(stderr, note) {
		t.Errorf("with tests:\n%s%s", stdout, stderr)
	}
}

func TestAnArchiveIsAChart(t *testing.T) {
	t.Parallel()
	dir := newChart(t, map[string]string{"stdout.txt": written})
	archive := filepath.Join(dir, "shop-1.0.0.tgz")
	if err := os.WriteFile(archive, []byte("for helm"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stdout, _ := runCheck(t, "", "--format", "json", "--topology", "testdata/topology-untainted.yaml", archive)
	if !strings.Contains(stdout, `"file": "`+filepath.ToSlash(archive)+`/templates/migrate.yaml",
    "line": 1,`) {
		t.Error(stdout)
	}
}

func TestAChartIsAdopted(t *testing.T) {
	t.Parallel()
	dir, out := newChart(t, map[string]string{"stdout.txt": written}), filepath.Join(t.TempDir(), "out")
	args := []string{
		"--topology", "testdata/topology-untainted.yaml", "--platform", "Deployment/cache=linux",
		"--platform", "Job/migrate=linux", dir,
	}
	code, stdout, stderr := runAdopt(t, append(args, "-o", out)...)
	const summary = "adopted: 2 objects with pods in 4 files, 2 to change: 2 completed, 0 had all\n"
	if code != passed || stdout != "" || !strings.HasSuffix(stderr, summary) {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	const placed = "    spec:\n      nodeSelector:\n        kubernetes.io/os: linux\n      os:\n        name: linux\n"
	got := files(t, out)
	text := strings.Split(written, "---\n# Source: ")
	part := func(i int) string { return "---\n# Source: " + text[i] }
	want := map[string]string{
		"crds/crd.yaml":                          part(1),
		"charts/cache/templates/deployment.yaml": strings.Replace(part(2), "    spec:\n", placed, 1),
		"templates/all.yaml":                     part(3) + part(5),
		"templates/migrate.yaml":                 strings.Replace(part(4), "    spec:\n", placed, 1),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	code, _, stderr = runAdopt(t, append(args, "-w")...)
	if want := dir + ": -w: the templates of a Helm chart cannot be changed: write the rendered files into a " +
		"directory with -o\n"; code != unusable || stderr != want {
		t.Errorf("-w: exit %d: %s", code, stderr)
	}
	unsaid := strings.ReplaceAll(written, "redis:8-alpine", "shop.example/a:1")
	unknown := newChart(t, map[string]string{"stdout.txt": unsaid})
	code, _, stderr = runAdopt(t, "--topology", "testdata/topology-untainted.yaml", unknown)
	const question = ": Job/migrate: question: spec.template.spec: in the Helm hook pre-install, pre-upgrade: " +
		"nothing indicates "
	if code != failed || !strings.Contains(stderr, question) {
		t.Errorf("a question: exit %d: %s", code, stderr)
	}
	// Both would have the same path.
	code, _, stderr = runAdopt(t, append(args, newChart(t, map[string]string{"stdout.txt": written}), "-o", out)...)
	if code != unusable || strings.Count(stderr, " would be written to the same place\n") != 4 {
		t.Errorf("two charts: exit %d: %s", code, stderr)
	}
}

// Helm passes everything that it has rendered to a post-renderer, and expects all of it back.
func TestAdoptIsAPostRenderer(t *testing.T) {
	t.Parallel()
	adopt := func(stdin string, args ...string) (exitError, string, string) {
		return start(t, stdin, append([]string{"adopt", "--topology", "testdata/topology.yaml", "-o", "-"}, args...)...)
	}
	const pod = "spec:\n  containers: [{name: a, image: \"redis:8-alpine\"}]\n"
	const placed = "spec:\n  nodeSelector:\n    kubernetes.io/os: linux\n  os:\n    name: linux\n" +
		"  containers: [{name: a, image: \"redis:8-alpine\"}]\n"
	const head = "# Source: shop/templates/a.yaml\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n" +
		"    postrenderer.helm.sh/postrender-filename: shop/templates/a.yaml\n"
	const other = "---\napiVersion: v1\nkind: Service\nmetadata: {name: b}\n"
	code, stdout, stderr := adopt(head+pod+other, "-")
	const summary = "adopted: 1 object with pods in 1 file, 1 to change: 1 completed, 0 had all\n"
	if code != passed || stderr != summary {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if diff := cmp.Diff(head+placed+other, stdout); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A question keeps Helm from installing anything.
	if code, _, _ = adopt(strings.ReplaceAll(head+pod, "redis:8-alpine", "shop.example/a:1"), "-"); code != failed {
		t.Errorf("a question: exit %d", code)
	}
	// Several files become documents of one stream.
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": strings.TrimSuffix(head+pod, "\n"), "b.yaml": head + pod, "c.yaml": other,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr = adopt("", dir)
	if diff := cmp.Diff(head+placed+"---\n"+head+placed+other, stdout); diff != "" || code != passed {
		t.Errorf("exit %d: %s (-want +got):\n%s", code, stderr, diff)
	}
	code, _, stderr = adopt("", "-w", "-")
	if code != unusable || !strings.HasPrefix(stderr, "-w and -o: use only one of them\n") {
		t.Errorf("-w: exit %d: %s", code, stderr)
	}
}

// The directory contains only a chart.
func TestErrorForADirectoryOfChartsNamesTheCharts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, want := range []string{
		"/a", "/a DIR/b", "/a DIR/b DIR/c", "/a DIR/b DIR/c and 1 more", "/a DIR/b DIR/c and 2 more",
	} {
		chart := filepath.Join(dir, string(rune('a'+i)))
		if err := os.Mkdir(chart, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(chart, "Chart.yaml"), []byte("apiVersion: v2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := runCheck(t, "", dir)
		stderr = strings.ReplaceAll(stderr, filepath.ToSlash(dir), "DIR")
		want = "DIR: only Helm charts in the directory: name them instead: DIR" + want + "\n"
		if code != unusable || !strings.HasPrefix(stderr, want) {
			t.Errorf("exit %d: %swant %s", code, stderr, want)
		}
	}
}

// The values to render a chart in a directory with are not known.
func TestChartsInADirectoryAreNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"deploy/shop/Chart.yaml":                       "apiVersion: v2\nname: shop\n",
		"deploy/shop/values.yaml":                      "a: 1\n",
		"deploy/shop/templates/a.yaml":                 "{{ .Values.a }}: [\n",
		"deploy/shop/charts/cache/Chart.yaml":          "apiVersion: v2\nname: cache\n",
		"deploy/shop/charts/cache/templates/sub/a.yml": "{{ .Values.a }}: [\n",
		"deploy/templates/a.yaml":                      "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	note := "left alone: 1 Helm chart: name the path of a chart to render it: " + dir + "/deploy/shop\n"
	code, _, stderr := runCheck(t, "", dir)
	const summary = "checked: 1 object in 1 file\n"
	if code != passed || stderr != note+summary {
		t.Errorf("check: exit %d: %s", code, stderr)
	}
	_, stdout, _ := runCheck(t, "", "--format", "json", dir)
	if want := `"file": "` + dir + `/deploy/shop"`; !strings.Contains(stdout, want) {
		t.Errorf("JSON has no %s: %s", want, stdout)
	}
	if err := os.WriteFile(filepath.Join(dir, "deploy/shop/stdout.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr = runCheck(t, "", dir, dir+"/deploy/./shop"); code != passed || strings.Contains(stderr, note) {
		t.Errorf("a chart that is named: exit %d: %s", code, stderr)
	}
	code, _, stderr = runAdopt(t, "--topology", "testdata/topology.yaml", dir)
	if code != passed || !strings.HasPrefix(stderr, note) || !strings.Contains(stderr, " in 1 file, 0 to change: ") {
		t.Errorf("adopt: exit %d: %s", code, stderr)
	}
}

// helm test creates neither custom resource definitions nor items of lists: helm install does.
func TestWhatOnlyLooksLikeATestHookIsChecked(t *testing.T) {
	t.Parallel()
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {helm.sh/hook: test}}\n" +
		"spec: {os: {name: windows}, hostPID: true, containers: [{name: a, image: b}]}\n"
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(pod), "\n", "\n  ") + "\n"
	for template, tt := range map[string]struct {
		text string
		code exitError
	}{
		"crds/p.yaml": {pod, failed}, "charts/cache/crds/p.yaml": {pod, failed}, "templates/list.yaml": {list, failed},
		"templates/p.yaml": {pod, passed}, "charts/cache/templates/p.yaml": {pod, passed},
		"templates/crds/p.yaml": {pod, passed},
	} {
		dir := newChart(t, map[string]string{"stdout.txt": "---\n# Source: shop/" + template + "\n" + tt.text})
		code, stdout, stderr := runCheck(t, "", dir)
		if code != tt.code || strings.Contains(stdout, "MK111") != (tt.code == failed) ||
			strings.Contains(stderr, "test hook") != (tt.code == passed) {
			t.Errorf("%s: exit %d: %s%s", template, code, stdout, stderr)
		}
	}
}

// A schema that refers to other documents makes helm open them, so helm does not validate. It cannot without the flag.
func TestOldHelms(t *testing.T) {
	t.Parallel()
	dir := newChart(t, map[string]string{"stderr.txt": "Error: unknown flag: --skip-schema-validation\n"})
	code, _, stderr := runCheck(t, "", dir)
	want := dir + ": helm template: the helm on PATH has no --skip-schema-validation: install helm 3.16 or newer\n"
	if code != unusable || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
