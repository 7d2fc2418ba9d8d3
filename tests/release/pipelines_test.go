package release

import (
	"bytes"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const script = "ci/check.sh"

// action has the fields of action.yml that GitHub reads.
type action struct {
	Name, Description string
	Inputs            map[string]struct {
		Description string
		Required    bool
		Default     string
	}
	Runs struct {
		Using string
		Steps []struct {
			Run, Shell string
			Env        map[string]string
		}
	}
}

// expression matches an expression of GitHub or GitLab that names an input.
var expression = regexp.MustCompile(`\$(?:\{\{|\[\[) inputs\.(\w+) (?:\}\}|\]\])`)

// variable matches a variable that the script reads.
var variable = regexp.MustCompile(`MIXEDKUBE_[A-Z0-9]+`)

// explained returns the variables that the script explains in its comment.
func explained(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for line := range strings.Lines(string(readFile(t, script))) {
		if strings.HasPrefix(line, "#   MIXEDKUBE_") {
			known[variable.FindString(line)] = true
		}
	}
	for _, read := range variable.FindAllString(string(readFile(t, script)), -1) {
		if !known[read] {
			t.Errorf("%s does not explain %s", script, read)
		}
	}
	if len(known) != 9 {
		t.Errorf("%s explains %d variables, want 9", script, len(known))
	}
	return known
}

// passes checks how inputs are passed to the script: each in a variable that the script reads, and none
// in the text of a command.
func passes(t *testing.T, name string, inputs, variables map[string]string, commands []string) {
	t.Helper()
	known, used := explained(t), map[string]bool{}
	for key, value := range variables {
		found := expression.FindStringSubmatch(value)
		if found == nil {
			continue
		}
		used[found[1]] = true
		if _, ok := inputs[found[1]]; !ok {
			t.Errorf("%s: %s is %s, which is not an input", name, key, value)
		}
		if !known[key] {
			t.Errorf("%s: the script does not read %s", name, key)
		}
	}
	for input := range inputs {
		if !used[input] {
			t.Errorf("%s: no variable has the input %s", name, input)
		}
	}
	for _, command := range commands {
		if strings.Contains(command, "inputs.") {
			t.Errorf("%s: an input is part of a command: %s", name, command)
		}
	}
}

func TestTheActionRunsTheScript(t *testing.T) {
	t.Parallel()
	var a action
	readYAML(t, "action.yml", &a)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 1 || a.Name == "" || a.Description == "" {
		t.Fatalf("action.yml is %+v, want one step", a)
	}
	step := a.Runs.Steps[0]
	inputs := map[string]string{}
	for name, input := range a.Inputs {
		inputs[name] = input.Default
		if input.Description == "" {
			t.Errorf("action.yml does not explain %s", name)
		}
	}
	passes(t, "action.yml", inputs, step.Env, []string{step.Run})

	server := serve(t)
	server.publish(t, prepared(t), hostSystem(t), runtime.GOARCH, []byte(echo))
	values := map[string]string{
		"paths": "deploy/\n./chart\n", "topology": "cluster.yaml", "reports": "sarif=manifests.sarif",
		"args": "--strict", "releases": server.address,
	}
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for system, path := range map[string]string{
		"Linux": checkout, "Windows": strings.ReplaceAll(checkout, "/", `\`),
	} {
		j := newJob(t)
		for name, value := range step.Env {
			value = strings.ReplaceAll(value, "${{ github.action_path }}", path)
			j.variables[name] = expression.ReplaceAllStringFunc(value, func(found string) string {
				return values[expression.FindStringSubmatch(found)[1]]
			})
		}
		// The flags of bash in https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax.
		flags := []string{"--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run}
		code, stdout, stderr, err := j.run(t.Context(), step.Shell, flags...)
		if err != nil {
			t.Fatal(err)
		}
		const want = "[check]\n[--timeout]\n[10m]\n[--report]\n[sarif=manifests.sarif]\n[--topology]\n" +
			"[cluster.yaml]\n[--strict]\n" +
			"[--]\n[deploy/]\n[./chart]\n"
		if code != 0 || stdout != want {
			t.Errorf("%s: exit %d, %s%s, want %s", system, code, stdout, stderr, want)
		}
	}
}

// template is ci/gitlab.yml: the inputs, and the job.
type template struct {
	Spec struct {
		Inputs map[string]struct {
			Description string
			Default     *string
		}
	}
	Job struct {
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Reports map[string]string
		}
	} `json:"mixedkube"`
}

func TestTheTemplateRunsTheScript(t *testing.T) {
	t.Parallel()
	head, body, ok := bytes.Cut(readFile(t, "ci/gitlab.yml"), []byte("\n---\n"))
	if !ok {
		t.Fatal("ci/gitlab.yml has no inputs")
	}
	var of template
	for _, document := range [][]byte{head, body} {
		if err := yaml.Unmarshal(document, &of); err != nil {
			t.Fatal(err)
		}
	}
	inputs := map[string]string{}
	for name, input := range of.Spec.Inputs {
		if input.Description == "" || input.Default == nil && name != "paths" {
			t.Errorf("the input %s is not explained, or has no default", name)
		}
		if name != "stage" && name != "image" { // GitLab reads these
			inputs[name] = ""
		}
		if !bytes.Contains(body, []byte("$[[ inputs."+name+" ]]")) {
			t.Errorf("the job does not use the input %s", name)
		}
	}
	passes(t, "ci/gitlab.yml", inputs, of.Job.Variables, of.Job.Script)

	server := serve(t)
	server.publish(t, "1.2.3", hostSystem(t), runtime.GOARCH, built(t))
	values := map[string]string{"paths": "deploy/", "version": "1.2.3", "releases": server.address}
	j := newJob(t).withPod(t, "deploy/pod.yaml")
	for name, value := range of.Job.Variables {
		j.variables[name] = expression.ReplaceAllStringFunc(value, func(found string) string {
			return values[expression.FindStringSubmatch(found)[1]]
		})
	}
	code, stdout, stderr, err := j.run(t.Context(), "/bin/sh", "-c", "set -e\n"+strings.Join(of.Job.Script, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if code != 1 || stdout != "deploy/pod.yaml"+podFinding || !strings.HasSuffix(stderr, podSummary) {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	for kind, file := range of.Job.Artifacts.Reports {
		if text := j.wrote(t, file); !strings.Contains(text, "MK111") {
			t.Errorf("the report %s does not have MK111:\n%s", kind, text)
		}
	}
	if len(of.Job.Artifacts.Reports) != 2 || of.Job.Artifacts.When != "always" {
		t.Errorf("the artifacts are %+v, want two reports, always", of.Job.Artifacts)
	}
}

// TestGeneratedTemplate writes the script into the template with -update.
func TestGeneratedTemplate(t *testing.T) {
	t.Parallel()
	const begin, end = "  script:\n    - |\n", "  artifacts:\n"
	text := string(readFile(t, "ci/gitlab.yml"))
	head, rest, found := strings.Cut(text, begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("ci/gitlab.yml has no %q or no %q", begin, end)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(readFile(t, script))) {
		if line != "\n" {
			lines.WriteString("      ")
		}
		lines.WriteString(line)
	}
	golden.Equal(t, root+"/ci/gitlab.yml", head+begin+lines.String()+end+tail)
}

func TestTheHooksRunTheScriptAndTheProgram(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Name, Description, Entry, Language, Files string
		PassFilenames                                 bool `json:"pass_filenames"`
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	got := map[string]string{}
	for _, h := range hooks {
		got[h.ID] = h.Language + ": " + h.Entry
		files := regexp.MustCompile(h.Files)
		for name, want := range map[string]bool{
			"deploy/web.yaml": true, "a.yml": true, "a.json": true, "chart/templates/_helpers.tpl": true,
			"README.md": false, "yaml": false, "a.yaml.md": false,
		} {
			if files.MatchString(name) != want {
				t.Errorf("%s: %s starts it: %t, want %t", h.ID, name, !want, want)
			}
		}
		// Findings that concern several files need all files.
		if h.PassFilenames || h.Name == "" || h.Description == "" {
			t.Errorf("%s is %+v", h.ID, h)
		}
	}
	if len(got) != 2 || got["mixedkube"] != "script: "+script || got["mixedkube-system"] != "system: mixedkube check" {
		t.Errorf("the hooks are %v", got)
	}

	// pre-commit runs a script with the arguments of the configuration, in the repository of the commit.
	server := serve(t)
	server.publish(t, prepared(t), hostSystem(t), runtime.GOARCH, built(t))
	j := newJob(t).withPod(t, "deploy/pod.yaml")
	j.variables["MIXEDKUBE_RELEASES"] = server.address
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr, err := j.run(t.Context(), filepath.Join(checkout, script), "deploy/")
	if err != nil {
		t.Fatal(err)
	}
	if code != 1 || stdout != "deploy/pod.yaml"+podFinding || !strings.HasSuffix(stderr, podSummary) {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
}
