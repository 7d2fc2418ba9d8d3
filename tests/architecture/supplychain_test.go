package architecture_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// readYAML reads a file of the repository.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// moduleDirs returns the directories with a go.mod, written as in Dependabot's configuration: with a leading slash.
func moduleDirs(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name != "." && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.Name() == "go.mod":
			dirs = append(dirs, path.Join("/", path.Dir(name)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(dirs))
}

func TestDependabotLooksAtEveryModule(t *testing.T) {
	t.Parallel()
	var config struct {
		Updates []struct {
			Ecosystem   string   `json:"package-ecosystem"`
			Directory   string   `json:"directory"`
			Directories []string `json:"directories"`
		} `json:"updates"`
	}
	readYAML(t, ".github/dependabot.yml", &config)
	got := map[string][]string{}
	for _, update := range config.Updates {
		got[update.Ecosystem] = append(got[update.Ecosystem], update.Directories...)
		if update.Directory != "" {
			got[update.Ecosystem] = append(got[update.Ecosystem], update.Directory)
		}
	}
	slices.Sort(got["gomod"])
	want := map[string][]string{"gomod": moduleDirs(t), "github-actions": {"/"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf(".github/dependabot.yml (-want +got):\n%s", diff)
	}
}

// workflow has the fields of a workflow that the tests check.
type workflow struct {
	Permissions permissions            `json:"permissions"`
	Env         map[string]string      `json:"env"`
	Jobs        map[string]workflowJob `json:"jobs"`
	// YAML 1.1 reads the key on as a boolean.
	On map[string]any `json:"true"`
}

type permissions map[string]string

// mayWrite are the jobs with write permissions. They build nothing: see findingsOfWriter.
var mayWrite = map[string]permissions{
	"release.yml: attest": {"id-token": "write", "attestations": "write"},
	"release.yml: attach": {"contents": "write"},
	"tools.yml: publish":  {"contents": "write"},
}

// pinnedAction matches an action that is pinned to a commit, with its release as a comment.
var pinnedAction = regexp.MustCompile(`^\s*-?\s*uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// findings lists the problems of a workflow.
func (w workflow) findings(name, text string) []string {
	var findings []string
	add := func(format string, args ...any) {
		findings = append(findings, name+": "+fmt.Sprintf(format, args...))
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.Contains(line, "uses:") && !pinnedAction.MatchString(line) {
			add("%q: name the action by its commit, with its release as a comment: owner/action@<40 digits> # v1.2.3",
				strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(permissions{"contents": "read"}, w.Permissions); diff != "" {
		add("the permissions are not set to contents: read (-want +got):\n%s", diff)
	}
	if _, dangerous := w.On["pull_request_target"]; dangerous {
		add("pull_request_target runs the code of strangers with the repository's token")
	}
	for _, job := range slices.Sorted(maps.Keys(w.Jobs)) {
		j := w.Jobs[job]
		if diff := cmp.Diff(mayWrite[name+": "+job], j.Permissions); diff != "" {
			add("the job %s has other permissions than in mayWrite (-want +got):\n%s", job, diff)
		}
		specific := j.findingsOfReader()
		if len(j.Permissions) > 0 {
			specific = j.findingsOfWriter()
		}
		for _, finding := range specific {
			add("the job %s: %s", job, finding)
		}
		for _, environ := range []map[string]string{w.Env, j.Env} {
			for variable, value := range environ {
				if strings.Contains(value, "token") || strings.Contains(value, "secrets.") {
					add("all steps of the job %s get %s: give it to the step that needs it", job, variable)
				}
			}
		}
		for _, step := range j.Steps {
			if strings.Contains(step.Run, "${{") {
				add("the job %s has an expression in the script %q: pass it in a variable", job, step.Run)
			}
			if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
				add("the checkout of the job %s leaves the token in the directory: set persist-credentials: false", job)
			}
		}
	}
	return findings
}

func TestWorkflowsHaveNoMoreRightsThanTheyNeed(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(filepath.Join(root, ".github", "workflows"))
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]bool{}
	for _, entry := range entries {
		name := path.Join(".github/workflows", entry.Name())
		var w workflow
		readYAML(t, name, &w)
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Jobs) == 0 {
			t.Errorf("%s has no jobs, so the test checks nothing", name)
		}
		for job := range w.Jobs {
			jobs[entry.Name()+": "+job] = true
		}
		for _, finding := range w.findings(entry.Name(), string(text)) {
			t.Error(finding)
		}
	}
	for job := range mayWrite {
		if !jobs[job] {
			t.Errorf("the job %s no longer exists: remove it from mayWrite", job)
		}
	}
}

// A vulnerability may become known long after the last change, so checking at each change is not enough.
func TestAScheduledWorkflowLooksForVulnerabilities(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(filepath.Join(root, ".github", "workflows"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		var w workflow
		readYAML(t, path.Join(".github/workflows", entry.Name()), &w)
		if w.On["schedule"] == nil {
			continue
		}
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if step.Run == "make vuln" {
					return
				}
			}
		}
	}
	t.Error("no workflow with a schedule runs make vuln")
}

func TestWorkflowFindings(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"nothing": {
			"on: {push: {}}\npermissions: {contents: read}\njobs:\n  a:\n    steps:\n" +
				"      - uses: actions/checkout@" + commit + " # v5.0.1\n" +
				"        with: { persist-credentials: false }\n      - run: make\n",
			nil,
		},
		"a tag, credentials": {
			"permissions: {contents: read}\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n",
			[]string{
				`x.yml: "- uses: actions/checkout@v5": name the action by its commit, with its release as a comment: ` +
					`owner/action@<40 digits> # v1.2.3`,
				"x.yml: the checkout of the job a leaves the token in the directory: set persist-credentials: false",
			},
		},
		"no release": {
			"permissions: {contents: read}\njobs:\n  a:\n    steps:\n      - uses: o/a@" + commit + "\n",
			[]string{
				`x.yml: "- uses: o/a@` + commit + `": name the action by its commit, with its release as a comment: ` +
					`owner/action@<40 digits> # v1.2.3`,
			},
		},
		"strangers, tokens": {
			"on: {pull_request_target: {}}\npermissions: {contents: read}\nenv: {T: '${{ github.token }}'}\n" +
				"jobs: {a: {}}\n",
			[]string{
				"x.yml: pull_request_target runs the code of strangers with the repository's token",
				"x.yml: all steps of the job a get T: give it to the step that needs it",
			},
		},
		"expressions, tokens of steps": {
			"permissions: {contents: read}\njobs:\n  a:\n    steps:\n" +
				"      - run: echo ${{ github.head_ref }}\n        env: {T: '${{ secrets.T }}'}\n" +
				"      - uses: o/a@" + commit + " # v1.2.3\n        with: {t: '${{ github.token }}'}\n",
			[]string{
				"x.yml: the job a: T is ${{ secrets.T }}: what builds gets no token",
				"x.yml: the job a: t is ${{ github.token }}: what builds gets no token",
				`x.yml: the job a has an expression in the script "echo ${{ github.head_ref }}": pass it in a variable`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w workflow
			if err := yaml.Unmarshal([]byte(tt.text), &w); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, w.findings("x.yml", tt.text)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	for name, text := range map[string]string{
		"none":     "jobs: {a: {}}",
		"too many": "permissions: {contents: write}\njobs: {a: {}}",
		"a job's":  "permissions: {contents: read}\njobs: {a: {permissions: {id-token: write}}}",
	} {
		var w workflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatal(err)
		}
		if got := w.findings("x.yml", text); len(got) != 1 || !strings.Contains(got[0], "(-want +got)") {
			t.Errorf("permissions, %s: the findings are %q", name, got)
		}
	}
}
