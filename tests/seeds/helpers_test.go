package seeds

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// root is the root of the checkout.
const root = "../.."

func read(t *testing.T, parts ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// load reads a file of testdata. Unknown fields are an error.
func load[T any](t *testing.T, name string) T {
	t.Helper()
	var value T
	if err := yaml.UnmarshalStrict([]byte(read(t, "testdata", name)), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// ruleLink returns the link from docs to a rule.
func ruleLink(id string) string { return "rules/" + rulepages.Link(id) }

// ruleStart is the heading of a rule on a page of docs/rules.
var ruleStart = regexp.MustCompile(`(?m)^## (MK\d+): `)

// rules returns the sections of the rules on the pages of docs/rules, by their IDs.
func rules(t *testing.T) map[string]string {
	t.Helper()
	sections := map[string]string{}
	for _, p := range rulepages.Pages() {
		text := read(t, root, rulepages.Dir, p.File())
		at := ruleStart.FindAllStringSubmatchIndex(text, -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			sections[text[m[2]:m[3]]] = text[m[0]:end]
		}
	}
	if len(sections) == 0 {
		t.Fatal("the pages have no rules")
	}
	return sections
}

// plain prepares a text for a search: without the marks of Markdown, in lower case and in one line.
func plain(text string) string {
	text = strings.NewReplacer("`", "", "*", "", "_", "").Replace(text)
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}
