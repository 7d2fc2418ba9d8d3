package seeds

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// root is that of the checkout.
const root = "../.."

func read(t *testing.T, parts ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// load reads a file of testdata; what it does not know is an error.
func load[T any](t *testing.T, name string) T {
	t.Helper()
	var value T
	if err := yaml.UnmarshalStrict([]byte(read(t, "testdata", name)), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// ruleStart is a section of the catalogue of preflight, or a line of the tables of aks and
// kubeadm.
var ruleStart = regexp.MustCompile(`(?m)^(?:### (MK\d+): |\| (MK\d+) \| )`)

// catalogue is where a component explains its rules.
func catalogue(t *testing.T, component string) map[string]string {
	t.Helper()
	sections := map[string]string{}
	text := read(t, root, "components", component, "RULES.md")
	at := ruleStart.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		id := strings.Trim(text[m[0]:m[1]], "#|: ")
		sections[id] = text[m[0]:end]
	}
	if len(sections) == 0 {
		t.Fatalf("the catalogue of %s has no rules", component)
	}
	return sections
}

// rules are what the catalogues of rules say, by the IDs.
func rules(t *testing.T) map[string]string {
	t.Helper()
	sections := map[string]string{}
	for _, component := range []string{"preflight", "aks"} {
		maps.Copy(sections, catalogue(t, component))
	}
	return sections
}

// plain is a text for a search: without the marks of Markdown, in one line.
func plain(text string) string {
	text = strings.NewReplacer("`", "", "*", "", "_", "").Replace(text)
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}
