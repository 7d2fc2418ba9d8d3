package architecture_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// workflowJob has the fields of a job that the tests check.
type workflowJob struct {
	Permissions permissions       `json:"permissions"`
	Env         map[string]string `json:"env"`
	Uses        string            `json:"uses"`
	Container   any               `json:"container"`
	Services    any               `json:"services"`
	Defaults    any               `json:"defaults"`
	Steps       []workflowStep    `json:"steps"`
}

type workflowStep struct {
	Uses  string         `json:"uses"`
	Run   string         `json:"run"`
	Shell string         `json:"shell"`
	With  map[string]any `json:"with"`
	Env   map[string]any `json:"env"`
}

// A job with a write permission runs nothing of the repository, or of what the repository depends on: these actions,
// which are GitHub's own, and these commands, which are part of the runner.
var (
	actionsOfWriters  = []string{"actions/attest", "actions/download-artifact"}
	commandsOfWriters = []string{"cat", "cd", "cut", "diff", "gh release create", "jq", "ls", "sha256sum", "sort"}
)

// findingsOfWriter lists the problems of a job that has a write permission.
func (j workflowJob) findingsOfWriter() []string {
	var findings []string
	for what, value := range map[string]any{
		"container": j.Container, "defaults": j.Defaults, "services": j.Services,
	} {
		if value != nil {
			findings = append(findings, "it has "+what+": it runs in the runner's own environment only")
		}
	}
	if j.Uses != "" {
		findings = append(findings, "it is the workflow "+j.Uses+": write its steps here")
	}
	for _, s := range j.Steps {
		if name, _, _ := strings.Cut(s.Uses, "@"); name != "" && !slices.Contains(actionsOfWriters, name) {
			findings = append(findings, fmt.Sprintf("it runs the action %s: only %s may run there", name,
				strings.Join(actionsOfWriters, " and ")))
		}
		if s.Shell != "" {
			findings = append(findings, "its shell is "+s.Shell+": the test reads the default one, bash")
		}
		for _, command := range commandsOf(s.Run) {
			if !slices.Contains(commandsOfWriters, command) {
				findings = append(findings, fmt.Sprintf("it runs %s: only %s may run there", command,
					strings.Join(commandsOfWriters, ", ")))
			}
		}
	}
	slices.Sort(findings)
	return findings
}

var (
	// separator matches what is before a command in a script, except its words. It also matches inside of quotes, where
	// it finds more commands than bash.
	separator = regexp.MustCompile("\\n|[;|&()`{}]|\\b(?:if|then|else|do|while|until|exec|eval|command|env|xargs)\\b")
	variable  = regexp.MustCompile(`^\w+=`)
	quoted    = regexp.MustCompile(`'[^']*'`)
)

// commandsOf returns the commands in a script of bash by their first words, for gh with its subcommands.
func commandsOf(script string) []string {
	script = strings.ReplaceAll(script, "\\\n", " ")
	// Nothing in single quotes is run.
	script = quoted.ReplaceAllString(script, "''")
	found := map[string]bool{}
	for _, part := range separator.Split(script, -1) {
		words := strings.Fields(part)
		for len(words) > 0 && (variable.MatchString(words[0]) || strings.Trim(words[0], "<>$\"!") == "") {
			words = words[1:]
		}
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case words[0] == "gh":
			found[strings.Join(words[:min(3, len(words))], " ")] = true
		default:
			found[words[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// findingsOfReader lists the problems of a job without a write permission: it gets no token.
func (j workflowJob) findingsOfReader() []string {
	var findings []string
	for _, s := range j.Steps {
		for _, values := range []map[string]any{s.With, s.Env} {
			for _, key := range slices.Sorted(maps.Keys(values)) {
				text := fmt.Sprint(values[key])
				if strings.Contains(text, "token") || strings.Contains(text, "secrets.") {
					findings = append(findings, fmt.Sprintf("%s is %s: what builds gets no token", key, text))
				}
			}
		}
	}
	return findings
}

func TestJobsThatMayWriteRunNothingOfTheRepository(t *testing.T) {
	t.Parallel()
	const actions = ": only actions/attest and actions/download-artifact may run there"
	const commands = ": only cat, cd, cut, diff, gh release create, jq, ls, sha256sum, sort may run there"
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"allowed": {
			"steps:\n- uses: actions/download-artifact@0123 # v1.2.3\n- run: |\n" +
				"    # The list: make has written it.\n    cd draft && sha256sum --check checksums.txt\n" +
				"    A=1 diff <(jq '.[] | make' list | sort) <(ls \\\n      --all) || cat list\n" +
				"    gh release create \"$TAG\" ./*\n",
			nil,
		},
		"actions": {
			"steps: [{uses: actions/checkout@0123}, {uses: someone/attest@0123}, {uses: ./.github/actions/own}]",
			[]string{
				"it runs the action ./.github/actions/own" + actions,
				"it runs the action actions/checkout" + actions, "it runs the action someone/attest" + actions,
			},
		},
		"commands": {
			"steps:\n- run: make\n- run: |\n    cd x && go run ./y\n    if npm ci; then ci/check.sh; fi\n" +
				"    cat \"$(python3 -m pip list)\" | A=1 sh\n    `node x`\n    ! exec env curl x\n    gh api repos\n",
			[]string{
				"it runs ci/check.sh" + commands, "it runs curl" + commands, "it runs fi" + commands,
				"it runs gh api repos" + commands, "it runs go" + commands, "it runs make" + commands,
				"it runs node" + commands, "it runs npm" + commands, "it runs python3" + commands,
				"it runs sh" + commands,
			},
		},
		"surroundings": {
			"{container: node, services: {a: {image: b}}, defaults: {run: {shell: x}}, " +
				"steps: [{run: cat, shell: python}]}",
			[]string{
				"it has container: it runs in the runner's own environment only",
				"it has defaults: it runs in the runner's own environment only",
				"it has services: it runs in the runner's own environment only",
				"its shell is python: the test reads the default one, bash",
			},
		},
		"another workflow": {
			"uses: ./.github/workflows/ci.yml",
			[]string{"it is the workflow ./.github/workflows/ci.yml: write its steps here"},
		},
	} {
		var j workflowJob
		if err := yaml.Unmarshal([]byte(tt.text), &j); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, j.findingsOfWriter()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
