package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// underPack checks programs of pulumi-kubernetes' own types with the policy pack. Without -all, it checks
// the program in one language.
func underPack(t *testing.T, l labtest.Lab) {
	t.Helper()
	pack := newPack(t)
	for _, language := range sample.Of(t, append([]string{"go"}, languages...), 1) {
		t.Run(language, func(t *testing.T) { pack.mistakes(t, l, language) })
	}
	t.Run("installed as a plugin", func(t *testing.T) { pack.installed(t, l) })
	t.Run("remediation places pods and they run", func(t *testing.T) { pack.places(t, l) })
}

// policyPack is a pack from mixedkube policy new.
type policyPack struct{ binary, dir string }

func newPack(t *testing.T) policyPack {
	t.Helper()
	p := policyPack{filepath.Join(t.TempDir(), "mixedkube"), filepath.Join(t.TempDir(), "policy")}
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-w", "-o", p.binary, ".")
	build.Dir = labtest.Checkout(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	topology := filepath.Join("programs", "mistakes", "topology.yaml")
	pack := exec.CommandContext(t.Context(), p.binary, "policy", "new", "--topology", topology, p.dir)
	out, err := pack.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	labtest.Contains(t, string(out), "  pulumi plugin install analyzer policy-mixedkube ",
		" --file "+filepath.Join(p.dir, "pulumi-analyzer-policy-mixedkube")+"\n  pulumi preview --policy-pack "+p.dir)
	return p
}

// below links the pack into the directory of a stack's program, where Pulumi runs, and returns the relative path,
// as in docs/guard.md.
func (p policyPack) below(t *testing.T, stack *deploy.Stack) string {
	t.Helper()
	const name = "policy"
	if err := os.Symlink(p.dir, filepath.Join(stack.Project.Dir, name)); err != nil {
		t.Fatal(err)
	}
	return name
}

// onPath lets a stack find the pack on PATH, which the lab does not search otherwise.
func (p policyPack) onPath(stack *deploy.Stack) {
	stack.Environment = append(stack.Environment,
		"PATH="+p.dir+string(os.PathListSeparator)+os.Getenv("PATH"), "PULUMI_IGNORE_AMBIENT_PLUGINS=false")
}

// mistakesIn returns a copy of a program, with the files that the programs of all languages share.
func mistakesIn(t *testing.T, language string) string {
	t.Helper()
	dir := labtest.WithPins(t, filepath.Join("programs", "mistakes", language), language)
	shared := os.DirFS(filepath.Join(labtest.Checkout(t), "components", "guard", "testdata", "mistakes"))
	if err := os.CopyFS(filepath.Join(dir, "shared"), shared); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chart", "group.yaml", "group-right.yaml"} {
		if err := os.Rename(filepath.Join(dir, "shared", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "shared")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// underGuard has the output of the CLI for the program in Go under the guard. TestGuard in tests/e2e checks it.
const underGuard = "../e2e/testdata/mistakes.golden"

// mistakes previews the program with twelve mistakes, and gets the findings of the guard. Then it deploys the
// corrected program.
func (p policyPack) mistakes(t *testing.T, l labtest.Lab, language string) {
	t.Helper()
	shown, err := os.ReadFile(underGuard)
	if err != nil {
		t.Fatal(err)
	}
	text := "Diagnostics:\n" + string(shown)
	dir := mistakesIn(t, language)
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	configure(t, config, "config: {}\n")
	source := dir
	if language == "go" { // built in its module
		source = filepath.Join(labtest.Checkout(t), "tests", "languages", "programs", "mistakes", language)
	}
	stack, err := l.Project(t.Context(), source, "dev", config)
	labtest.Available(t, "the mistakes in "+language, err)
	if language == "go" {
		stack.Project.Dir = dir
	}
	p.onPath(stack)
	pack := p.below(t, stack)
	output := &strings.Builder{}
	stack.Out = output

	err = stack.Preview(t.Context(), "--policy-pack", pack)
	labtest.Failed(t, "the preview", err)
	want := labtest.ErrorsAt(text)
	for i := range want {
		want[i] = strings.Replace(want[i], " error: ", " ", 1)
	}
	if diff := cmp.Diff(want, violations(output.String(), "mandatory"), golden.AnySentence); diff != "" {
		t.Errorf("the findings (-under the guard +under the pack):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"mistakes-dev error: preview failed"}, labtest.ErrorsAt(output.String())); diff != "" {
		t.Errorf("the errors except the violations (-want +got):\n%s", diff)
	}
	_, landings, _ := strings.Cut(text, "pulumi:pulumi:Stack (mistakes-dev):\n")
	labtest.Contains(t, output.String(), landings)
	if t.Failed() {
		t.Fatalf("the CLI shows:\n%s", output)
	}

	configure(t, config, "config:\n  mistakes:right: true\n")
	if language == "yaml" {
		if err := os.Rename(filepath.Join(dir, "Pulumi.right.yaml"), filepath.Join(dir, "Pulumi.yaml")); err != nil {
			t.Fatal(err)
		}
	}
	output.Reset()
	err = stack.Up(t.Context(), "--policy-pack", pack)
	got := slices.Concat(violations(output.String(), "mandatory"), violations(output.String(), "advisory"))
	if err != nil || len(got) > 0 {
		t.Fatalf("the corrected program has the violations %q, and the error is %v\n%s", got, err, output)
	}
	l.Settles(t)
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

var violation = regexp.MustCompile(`(?m)^ +- \[(\w+)\] \[severity: \w+\]  (\w+)  \(\S+ (\S+)\)\n +(.+)$`)

// violations returns the violations of a level in the CLI's output, each once, with the names of their
// resources, sorted.
func violations(text, level string) []string {
	var all []string
	for _, found := range violation.FindAllStringSubmatch(text, -1) {
		if found[1] == level {
			all = append(all, found[3]+" "+found[4])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func configure(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// installingPack matches the command in docs/guard.md that installs the pack.
var installingPack = regexp.MustCompile(`(?m)^\$ pulumi (plugin install analyzer policy-mixedkube \S+ --file) `)

// installed runs the command of docs/guard.md for a pack that is not on PATH.
func (p policyPack) installed(t *testing.T, l labtest.Lab) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(labtest.Checkout(t), "docs", "guard.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := installingPack.FindStringSubmatch(string(page))
	if words == nil {
		t.Fatal("docs/guard.md has no command that installs the pack")
	}
	stack, err := l.Project(t.Context(), mistakesIn(t, "yaml"), "installed", "")
	labtest.Available(t, "the mistakes in yaml", err)
	pack := p.below(t, stack)
	output := &strings.Builder{}
	stack.Out = output
	if err := stack.Preview(t.Context(), "--policy-pack", pack); err == nil ||
		!strings.Contains(output.String(), "policy-mixedkube") {
		t.Fatalf("Pulumi finds the pack before it is installed: %v\n%s", err, output)
	}
	if out, err := run(t.Context(), stack, append(strings.Fields(words[1]), p.binary)...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	output.Reset()
	if err := stack.Preview(t.Context(), "--policy-pack", pack); err == nil {
		t.Error("a preview with mistakes succeeds")
	}
	if got := violations(output.String(), "mandatory"); len(got) == 0 {
		t.Errorf("the installed pack has no findings:\n%s", output)
	}
}

// places deploys a program whose workloads do not choose nodes. Each step depends on the one before.
func (p policyPack) places(t *testing.T, l labtest.Lab) {
	t.Helper()
	settings := filepath.Join(t.TempDir(), "policy.json")
	configure(t, settings, `{
  "cluster": {"topology": {"kubernetesVersion": "1.36", "pools": [
    {"name": "linux", "platform": "linux", "count": 2}, {"name": "win19", "platform": "windows-2019", "count": 2},
    {"name": "win22", "platform": "windows-2022", "count": 2}, {"name": "win25", "platform": "windows-2025", "count": 2}
  ]}},
  "place": {"enforcementLevel": "remediate", "assumeLinux": true, "replace": true}
}`)
	program := labtest.WithPins(t, filepath.Join("programs", "placed", "yaml"), "yaml")
	stack, err := l.Project(t.Context(), program, "dev", "")
	labtest.Available(t, "the placed program", err)
	p.onPath(stack)
	output := &strings.Builder{}
	stack.Out = output
	flags := []string{"--policy-pack", p.below(t, stack), "--policy-pack-config", settings}
	if err := stack.Up(t.Context(), flags...); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	labtest.Contains(t, output.String(), "- [remediate]  place  (4 resources)", "agent → win25 (2 nodes)",
		"iis   → win22 (2 nodes)", "job   → win22 (2 nodes)", "linux → linux (2 nodes)",
		"Place completes 4 of 4 workloads")
	l.Settles(t)
	list, err := l.ClientOf(t).CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, pod := range list.Items {
		pool, _, _ := strings.Cut(pod.Spec.NodeName, "-")
		of := pod.Labels["app"]
		if of == "" {
			of = pod.Labels["job-name"]
		}
		got = append(got, of+" on "+pool)
	}
	slices.Sort(got)
	want := []string{
		"agent on win25", "agent on win25", "iis on win22", "iis on win22", "job on win22", "linux on linux",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the pods (-want +got):\n%s", diff)
	}
	output.Reset()
	if err := stack.Preview(t.Context(), append(flags, "--expect-no-changes")...); err != nil {
		t.Errorf("the placed program changes something: %v\n%s", err, output)
	}
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}
