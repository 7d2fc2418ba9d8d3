package release

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// blocks returns the examples in YAML on a page, by the heading above them.
func blocks(t *testing.T, page string) map[string]string {
	t.Helper()
	found := map[string]string{}
	heading, inside := "", false
	for line := range strings.Lines(string(readFile(t, page))) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```yaml\n"
		case inside:
			found[heading] += line
		case strings.HasPrefix(line, "## "):
			heading = strings.TrimSpace(line[3:])
		}
	}
	return found
}

// inputsOf returns the names of the action's inputs.
func inputsOf(t *testing.T) []string {
	t.Helper()
	var a action
	readYAML(t, "action.yml", &a)
	return slices.Sorted(maps.Keys(a.Inputs))
}

// The examples of docs/ci.md have only inputs and hooks that exist.
func TestThePageHasTheExistingInputsAndHooks(t *testing.T) {
	t.Parallel()
	examples := blocks(t, "docs/ci.md")
	var github struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	var gitlab struct {
		Include []struct{ Inputs map[string]string }
	}
	var commit struct {
		Repos []struct{ Hooks []struct{ ID string } }
	}
	for heading, into := range map[string]any{"GitHub Actions": &github, "GitLab CI": &gitlab, "pre-commit": &commit} {
		if err := yaml.Unmarshal([]byte(examples[heading]), into); err != nil || examples[heading] == "" {
			t.Fatalf("%s: %v", heading, err)
		}
	}
	known, uses := inputsOf(t), 0
	for _, step := range github.Jobs["check"].Steps {
		if !strings.HasPrefix(step.Uses, "mixedkube/") {
			continue
		}
		uses++
		for input := range step.With {
			if !slices.Contains(known, input) {
				t.Errorf("the action has no input %s, only %q", input, known)
			}
		}
	}
	template := string(readFile(t, "ci/gitlab.yml"))
	for _, include := range gitlab.Include {
		uses++
		for input := range include.Inputs {
			if !strings.Contains(template, "    "+input+":\n") {
				t.Errorf("the template has no input %s", input)
			}
		}
	}
	hooks := string(readFile(t, ".pre-commit-hooks.yaml"))
	for _, repo := range commit.Repos {
		for _, hook := range repo.Hooks {
			uses++
			if !strings.Contains(hooks, "- id: "+hook.ID+"\n") {
				t.Errorf("there is no hook %s", hook.ID)
			}
		}
	}
	if uses != 3 {
		t.Errorf("%d examples use mixedkube, want 3", uses)
	}

	// The table of the inputs has each of them.
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .*$").FindAllStringSubmatch(
		section(t, "docs/ci.md", "GitHub Actions"), -1) {
		rows = append(rows, row[1])
	}
	if diff := cmp.Diff(known, slices.Sorted(slices.Values(rows))); diff != "" {
		t.Errorf("the inputs in docs/ci.md (-action +page):\n%s", diff)
	}
}

// section returns the text below a heading.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(readFile(t, page)), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %s", page, heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}
