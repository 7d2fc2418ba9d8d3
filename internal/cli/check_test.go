package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// runCheck runs the command.
func runCheck(tb testing.TB, stdin string, args ...string) (code exitError, stdout, stderr string) {
	tb.Helper()
	return start(tb, stdin, append([]string{"check"}, args...)...)
}

// pod is a manifest with one error.
const pod = `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  os: {name: windows}
  nodeSelector: {kubernetes.io/os: windows}
  hostPID: true
  containers: [{name: a, image: registry.example.com/a}]
`

// plan checks pods against a plan that removes their pool.
func plan(format string) []string {
	return []string{
		"--topology", "testdata/topology-newer.yaml", "--to", "testdata/topology-planned.yaml", "--format", format,
		"testdata/check/planned.yaml",
	}
}

// podFinding is the finding about it.
const podFinding = "Pod/p: error: spec.hostPID: … (MK111)\n"

func TestGoldenFilesOfCheck(t *testing.T) {
	t.Parallel()
	const stdin = "---\n" + pod
	for name, args := range map[string][]string{
		"directory":        {"testdata/check/manifests"},
		"directory.json":   {"--format", "json", "testdata/check/manifests"},
		"directory.sarif":  {"--format", "sarif", "testdata/check/manifests"},
		"directory.junit":  {"--format", "junit", "testdata/check/manifests"},
		"directory.gitlab": {"--format", "gitlab", "testdata/check/manifests"},
		"topology":         {"--topology", "testdata/topology.yaml", "testdata/check/manifests"},
		"files": {
			"testdata/check/manifests/web.yaml", "testdata/check/warnings.yaml",
			"testdata/check/manifests/../warnings.yaml", "./testdata/check/manifests/web.yaml",
		},
		"warnings":             {"testdata/check/warnings.yaml"},
		"warnings.strict":      {"--strict", "testdata/check/warnings.yaml"},
		"warnings.strict.json": {"--strict", "--format=json", "testdata/check/warnings.yaml"},
		"stdin":                {"testdata/check/warnings.yaml", "-"},
		"stdin.sarif":          {"--format", "sarif", "-"},
		"nothing.json":         {"--format", "json", "testdata/topology.yaml"},
		"nothing.sarif":        {"--format", "sarif", "testdata/topology.yaml"},
		"nothing.beside": {
			"testdata/check/warnings.yaml", "testdata/topology.yaml", "testdata/check/others",
			"testdata/check/kustomize", "testdata/check/kustomize/base", "testdata/check/kinds/apps",
			"testdata/check/kinds/braces.yaml",
		},
		"unreadable": {
			"testdata/check/unreadable", "testdata/check/none.yaml", "testdata/check/none",
			"testdata/check/manifests/web.yaml",
		},
		"unreadable.json":   {"--format", "json", "testdata/check/unreadable"},
		"unreadable.sarif":  {"--format", "sarif", "testdata/check/unreadable", "testdata/check/none.yaml"},
		"unreadable.junit":  {"--format", "junit", "testdata/check/unreadable", "testdata/check/none.yaml"},
		"unreadable.gitlab": {"--format", "gitlab", "testdata/check/unreadable", "testdata/check/none.yaml"},
		"control.junit":     {"--format", "junit", "testdata/check/control"},
		"nothing.junit":     {"--format", "junit", "testdata/topology.yaml"},
		"nothing.gitlab":    {"--format", "gitlab", "testdata/topology.yaml"},
		"topology.wrong":    {"--topology", "testdata/topology-wrong.yaml", "--format", "xml", "--k8s", "latest"},
		"topology.none":     {"--topology", "testdata/check/none.yaml", "testdata/check/manifests"},
		"topology.syntax":   {"--topology", "testdata/check/unreadable/broken.yaml", "testdata/check/manifests"},
		"topology.several":  {"--topology", "testdata/check/manifests/web.yaml", "testdata/check/manifests"},
		"k8s.same": {
			"--k8s", "1.36.3", "--topology", "testdata/topology.yaml", "testdata/check/warnings.yaml",
		},
		"k8s.other": {"--k8s", "1.35", "--topology", "testdata/topology.yaml", "testdata/check/warnings.yaml"},
		"baseline":  {"--baseline", "testdata/check/known.yaml", "testdata/check/manifests"},
		"baseline.sarif": {
			"--baseline", "testdata/check/known.yaml", "--format", "sarif", "testdata/check/manifests",
		},
		"baseline.junit": {
			"--baseline", "testdata/check/known.yaml", "--format", "junit", "testdata/check/manifests",
		},
		"baseline.gitlab": {
			"--baseline", "testdata/check/known.yaml", "--format", "gitlab", "testdata/check/manifests",
		},
		"report.wrong": {
			"--report", "junit", "--report", "xml=a", "--report", "json=a", "--report", "sarif=./b", "--report",
			"text=b", "--report", "gitlab=-", "-",
		},
		"baseline.strict":   {"--baseline", "testdata/check/known.yaml", "--strict", "testdata/check/manifests"},
		"baseline.none":     {"--baseline", "testdata/check/none.yaml", "testdata/check/manifests"},
		"baseline.wrong":    {"--baseline", "testdata/check/known-wrong.yaml", "testdata/check/manifests"},
		"baseline.unsaid":   {"--write-baseline", "testdata/check/manifests"},
		"control":           {"testdata/check/control"},
		"names":             {"testdata/check/names"},
		"names.topology":    {"--topology", "testdata/topology.yaml", "testdata/check/names"},
		"flag.unknown":      {"--verbose", "testdata/check/warnings.yaml"},
		"others":            {"testdata/check/others"},
		"kinds":             {"testdata/check/kinds"},
		"kinds.flux":        {"testdata/check/kinds/flux.yaml"},
		"kinds.json":        {"--format", "json", "testdata/check/kinds"},
		"kinds.template":    {"testdata/check/kinds/braces.yaml", "testdata/check/kinds/apps"},
		"placeholders":      {"--topology", "testdata/topology.yaml", "testdata/check/placeholders"},
		"environments":      {"testdata/check/environments"},
		"environments.json": {"--format", "json", "testdata/check/environments"},
		"kustomize":         {"testdata/check/kustomize"},
		"kustomize.json":    {"--format", "json", "testdata/check/kustomize"},
		"kustomize.root":    {"testdata/check/kustomize/prod"},
		"kustomize.junit":   {"--format", "junit", "testdata/check/kustomize"},
		"repository":        {"testdata/check/repository"},
		"repository.json":   {"--format", "json", "testdata/check/repository"},
		// A hook of git names the files that a commit changes.
		"repository.patch": {"testdata/check/repository/overlay/replicas.yaml"},
		"half":             {"--strict", "testdata/check/half.yaml"},
		"flag.none":        {},
		"skips":            {"testdata/check/skips"},
		"skips.excluded": {
			"--exclude", "templates/", "--exclude=/samples-good.yaml", "testdata/check/skips",
			"testdata/check/warnings.yaml",
		},
		"skips.all":     {"--exclude", "*", "testdata/check/skips"},
		"exclude.wrong": {"--exclude", "a[", "--exclude", "b//c", "testdata/check/skips"},
		"empty":         {"testdata/check/empty", "testdata/check/warnings.yaml"},
		"duplicates":    {"testdata/check/duplicates.yaml"},
		"noise":         {"testdata/check/noise.yaml"},
		"noise.json":    {"--format", "json", "testdata/check/noise.yaml"},
		"matching":      {"--topology", "testdata/topology-newer.yaml", "testdata/check/matching.yaml"},
		"matching.relaxed": {
			"--topology", "testdata/topology-newer.yaml", "--matching", "relaxed", "testdata/check/matching.yaml",
		},
		"matching.topology": {"--topology", "testdata/topology-relaxed.yaml", "testdata/check/matching.yaml"},
		"matching.wrong": {
			"--topology", "testdata/topology-newer.yaml", "--matching", "relaxt", "--k8s", "1.35", "-",
		},
		"matching.both": {"--topology", "testdata/topology-relaxed.yaml", "--matching", "strict", "-"},
		"plan":          plan("text"),
		"plan.json":     plan("json"),
		"plan.sarif":    plan("sarif"),
		"plan.junit":    plan("junit"),
		"plan.gitlab":   plan("gitlab"),
		"plan.alone":    {"--to", "testdata/topology-newer.yaml", "--k8s", "latest", "testdata/check/matching.yaml"},
		"plan.wrong": {
			"--topology", "testdata/topology.yaml", "--to", "testdata/topology-wrong.yaml", "--format", "xml", "-",
		},
		"plan.topology.wrong": {
			"--topology", "testdata/topology-wrong.yaml", "--to", "testdata/topology.yaml",
			"testdata/check/matching.yaml",
		},
		"plan.both.wrong": {
			"--topology", "testdata/topology-wrong.yaml", "--to", "testdata/check/none.yaml", "--format", "xml", "-",
		},
		"plan.stdin": {"--topology", "-", "--to", "-", "testdata/check/matching.yaml"},
		"plan.matching": {
			"--topology", "testdata/topology.yaml", "--to", "testdata/topology-relaxed.yaml", "--matching", "strict",
			"-",
		},
		"help": {"-h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := transcript(t, stdin, append([]string{"check"}, args...)...)
			if strings.HasSuffix(name, ".sarif") {
				got = withoutRules(t, got)
			}
			switch filepath.Ext(name) {
			case ".json", ".sarif", ".junit", ".gitlab":
				got = shortened(withoutMessages(t, got, messages(t, stdin, args)))
			default:
				got = ruletest.WithoutSentences(got)
			}
			golden.Equal(t, "testdata/check/golden/"+name+".golden", got)
		})
	}
}

// messages returns the messages and the fixes of the findings of a command line, the longest first.
func messages(t *testing.T, stdin string, args []string) []string {
	t.Helper()
	_, stdout, _ := runCheck(t, stdin, append(slices.Clone(args), "--format", "json")...)
	var findings []struct{ Rule, Message, Fix string }
	if json.Unmarshal([]byte(stdout), &findings) != nil {
		return nil // a command line that is wrong
	}
	var all []string
	for _, f := range findings {
		if f.Rule != "" {
			all = append(all, f.Message, f.Fix)
		}
	}
	all = slices.DeleteFunc(all, func(text string) bool { return text == "" })
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// withoutMessages replaces the messages and fixes in the formats for programs, as JSON and XML write them.
func withoutMessages(t *testing.T, text string, messages []string) string {
	t.Helper()
	for _, message := range messages {
		var inJSON, inXML bytes.Buffer
		encoder := json.NewEncoder(&inJSON)
		encoder.SetEscapeHTML(false)
		if err := errors.Join(encoder.Encode(message), xml.EscapeText(&inXML, []byte(message))); err != nil {
			t.Fatal(err)
		}
		quoted := strings.Trim(strings.TrimSpace(inJSON.String()), `"`)
		for _, written := range []string{quoted, inXML.String()} {
			text = strings.ReplaceAll(text, ": "+written, ": …")
			text = strings.ReplaceAll(text, `"`+written+`"`, `"…"`)
		}
	}
	return text
}

// shortened writes the JSON in a text with one line for each object in a list. Package report tests how it is written.
func shortened(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	decoder := json.NewDecoder(strings.NewReader(rest))
	var value json.RawMessage
	if decoder.Decode(&value) != nil {
		return text // XML
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return text
	}
	short := strings.NewReplacer("[{", "[\n{", "},{", "},\n{").Replace(b.String())
	return line + "\n" + short + rest[decoder.InputOffset():]
}

// withoutRules removes the table of rules and the indexes into it, because a new rule changes them; package report
// tests them.
func withoutRules(t *testing.T, text string) string {
	t.Helper()
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
			}
		}
	}
	_, object, _ := strings.Cut(text, "\n")
	if err := json.NewDecoder(strings.NewReader(object)).Decode(&log); err != nil {
		t.Fatal(err)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	if want := len(preflight.Rules()) + len(preflight.ClusterRules()); len(rules) != want {
		t.Fatalf("%d rules, want %d", len(rules), want)
	}
	for i, result := range log.Runs[0].Results {
		if rules[result.RuleIndex].ID != result.RuleID {
			t.Errorf("result %d is of %s, and its index of %s", i, result.RuleID, rules[result.RuleIndex].ID)
		}
	}
	text = regexp.MustCompile(`(?s)"rules": \[.*?\n          \]`).ReplaceAllLiteralString(text, `"rules": null`)
	return regexp.MustCompile(`"ruleIndex": \d+`).ReplaceAllLiteralString(text, `"ruleIndex": 0`)
}

// The limit for a pipe is the limit for a file: Calico's definitions have 7 MB.
func TestStandardInputTakesWhatAFileTakes(t *testing.T) {
	t.Parallel()
	const objects = 100
	var in strings.Builder
	for i := range objects {
		fmt.Fprintf(&in, "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"+
			"metadata: {name: crd%d}\nspec:\n  versions:\n", i)
		for j := range 700 {
			fmt.Fprintf(&in, "    - name: v%d\n      schema: {openAPIV3Schema: {description: %s}}\n", j,
				strings.Repeat("x", 60))
		}
	}
	in.WriteString("---\n" + pod)
	if in.Len() < 7<<20 {
		t.Fatalf("only %d bytes", in.Len())
	}
	code, stdout, stderr := runCheck(t, in.String(), "-")
	if want := "read: 100 CustomResourceDefinitions: fields are checked\n" +
		"checked: 101 objects in 1 file, 1 error\n"; code != failed || stderr != want ||
		!golden.Contains(stdout, podFinding) {
		t.Errorf("check: exit %d, output %q, errors %q, want %q", code, stdout, stderr, want)
	}
	code, stdout, stderr = start(t, in.String(), "adopt", "--topology", "testdata/topology.yaml", "-")
	if code != failed || !strings.Contains(stderr, "adopted: 1 object with pods in 1 file, 1 to change") ||
		!strings.Contains(stdout, "+  tolerations:") {
		t.Errorf("adopt: exit %d, output %q, errors %q", code, stdout, stderr)
	}
}

// The order does not depend on the distribution among processors.
func TestFindingsFollowTheOrderOfFiles(t *testing.T) {
	t.Parallel()
	const files = 200
	dir := t.TempDir()
	var want strings.Builder
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("%03d.yaml", i))
		// The first files take longest.
		named := strings.NewReplacer("{name: p}", fmt.Sprintf("{name: p%d}", i), "Pod/p:", fmt.Sprintf("Pod/p%d:", i))
		text := strings.Repeat("# padding\n", 10*(files-i)) + named.Replace(pod)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%s:%d: %s", filepath.ToSlash(name), 10*(files-i)+7, named.Replace(podFinding))
	}
	for range 3 {
		code, stdout, _ := runCheck(t, "", dir)
		if diff := cmp.Diff(want.String(), stdout, golden.AnySentence); diff != "" || code != failed {
			t.Fatalf("exit %d, output (-want +got):\n%s", code, diff)
		}
	}
}

func TestFilesOfADirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"b.yaml", "a.YML", "c.json", "d.txt", "sub/e.yaml", ".git/f.yaml", "g.yaml/h.yaml",
		"no-extension",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pod), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, path string
		want       []string
	}{
		{"manifests, in it and below", ".", []string{"a.YML", "b.yaml", "c.json", "g.yaml/h.yaml", "sub/e.yaml"}},
		{"a hidden directory that is named", ".git", []string{".git/f.yaml"}},
		{"a file that is named, whatever it is called", "no-extension", []string{"no-extension"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files, problems := (&input{}).listed([]string{filepath.Join(dir, tt.path)}, userfiles.Skips{})
			if len(problems) > 0 {
				t.Error(problems)
			}
			var got []string
			for _, f := range files {
				got = append(got, strings.TrimPrefix(shown(f), filepath.ToSlash(dir)+"/"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The file is read if its path shows that it is a file.
func TestFileNamedLikeStandardInput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("-", []byte(pod), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runCheck(t, "", "./-", "-")
	want := "./-:7: " + podFinding
	if code != unusable || !cmp.Equal(want, stdout, golden.AnySentence) || !strings.HasPrefix(stderr, "stdin: no ") {
		t.Errorf("exit %d, output %q, want %q, errors %q", code, stdout, want, stderr)
	}
}

func TestBaselineRoundTrip(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "known.yaml")
	code, stdout, stderr := runCheck(t, pod, "--baseline", file, "--write-baseline", "-")
	if code != 0 || stdout != "" || stderr != "checked: 1 object in 1 file, 1 known\n" {
		t.Errorf("writing: exit %d, %q, %q", code, stdout, stderr)
	}
	text, err := os.ReadFile(file)
	const want = "version: 1\nfindings:\n  - resource: Pod/p\n    rule: MK111 # hostPID on a Windows pod\n" +
		"    severity: error\n    path: spec.hostPID\n"
	if err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%v:\n%s\nwant at its end\n%s", err, text, want)
	}
	two := pod + "---\n" + strings.ReplaceAll(pod, "name: p}", "name: new}")
	code, stdout, stderr = runCheck(t, two, "--baseline", file, "-")
	wantOut := "stdin:16: " + strings.ReplaceAll(podFinding, "Pod/p", "Pod/new")
	if code != failed || !cmp.Equal(wantOut, stdout, golden.AnySentence) ||
		stderr != "checked: 2 objects in 1 file, 1 error, 1 known\n" {
		t.Errorf("one more: exit %d, %q, %q", code, stdout, stderr)
	}
	fixed := strings.ReplaceAll(pod, "  hostPID: true\n", "")
	code, _, stderr = runCheck(t, fixed, "--baseline", file, "-")
	if wantErr := "fixed, remove from " + filepath.ToSlash(file) + ": MK111 Pod/p spec.hostPID\n" +
		"checked: 1 object in 1 file\n"; code != 0 || stderr != wantErr {
		t.Errorf("fixed: exit %d, %q, want %q", code, stderr, wantErr)
	}
	// A baseline does not lose the findings of files that cannot be read.
	code, _, _ = runCheck(t, fixed, "--baseline", file, "--write-baseline", "-", filepath.Join(file, "none"))
	again, err := os.ReadFile(file)
	if code != unusable || err != nil || string(again) != string(text) {
		t.Errorf("exit %d, %v, the file is\n%s", code, err, again)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestReadAndWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "sarif"} {
		var stderr bytes.Buffer
		code := Run(t.Context(), []string{"check", "--format", format, "-"}, strings.NewReader(pod), brokenWriter{},
			&stderr)
		if exitError(code) != unusable || stderr.String() != "no space left\n" {
			t.Errorf("%s: exit %d, stderr %q", format, code, stderr.String())
		}
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"check", "-"}, iotest.ErrReader(errors.New("gone")), &stdout, &stderr)
	if want := "stdin: gone\nchecked: 0 objects in 1 file\n"; exitError(code) != unusable || stderr.String() != want {
		t.Errorf("exit %d, stderr %q, want %q", code, stderr.String(), want)
	}
}

// Neither a manifest nor a file's name can start a new line or move the cursor.
func TestAFindingIsOneLine(t *testing.T) {
	t.Parallel()
	in := strings.ReplaceAll(pod, "{name: p}", `{name: "p\nq"}`)
	_, stdout, _ := runCheck(t, in, "-")
	want := `stdin:3: Pod/p\nq: error: metadata.name: … (MK177)` + "\n" +
		"stdin:7: " + strings.ReplaceAll(podFinding, "Pod/p", `Pod/p\nq`)
	if !cmp.Equal(want, stdout, golden.AnySentence) {
		t.Errorf("got %q, want %q", stdout, want)
	}

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a\n\x1b[2K.yaml"), []byte(pod+"---\na: [\n"), 0o600); err != nil {
		t.Skipf("needs control characters in names of files: run it on Linux or macOS: %v", err)
	}
	_, stdout, stderr := runCheck(t, "", dir, filepath.Join(dir, "\x07"))
	shown := filepath.ToSlash(dir) + `/a\n\x1b[2K.yaml:`
	if want = shown + "7: " + podFinding; !cmp.Equal(want, stdout, golden.AnySentence) {
		t.Errorf("got %q, want %q", stdout, want)
	}
	want = filepath.ToSlash(dir) + "/\\a: no such file or directory\n" +
		shown + "10: did not find expected node content\nchecked: 1 object in 1 file, 1 error\n"
	if stderr != want {
		t.Errorf("errors %q, want %q", stderr, want)
	}
}

func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), []byte(pod), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if code, _, stderr := runCheck(b, "", dir); code != failed {
			b.Fatal(stderr)
		}
	}
}
