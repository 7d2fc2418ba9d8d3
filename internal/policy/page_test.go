package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The configuration in docs/guard.md is valid.
func TestTheConfigurationOfThePageIsValid(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page)
	if example == nil {
		t.Fatal("the page shows no configuration")
	}
	dir := t.TempDir()
	const pools = "pools:\n- {name: linux, platform: linux}\n- {name: win22, platform: windows-2022}\n"
	if err := os.WriteFile(filepath.Join(dir, "production.yaml"), []byte(pools), 0o600); err != nil {
		t.Fatal(err)
	}
	e := serve(t, dir, true)
	if err := e.configure(string(example[1])); err != nil {
		t.Fatal(err)
	}
	e.register("web", webOfImage)
	e.end()
	if messages := strings.Join(e.shown.take(), "\n"); !strings.Contains(messages, "web → win22") {
		t.Errorf("it is not what is used: %s", messages)
	}
	for _, p := range mustPolicies(t) {
		if strings.HasPrefix(p, "MK") {
			continue
		}
		if !strings.Contains(string(page), "| `"+p+"` |") {
			t.Errorf("the page says nothing about the policy %s", p)
		}
	}
}

func mustPolicies(t *testing.T) []string {
	t.Helper()
	all, err := policies()
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.GetName()
		for key, schema := range p.GetConfigSchema().GetProperties().GetFields() {
			if schema.GetStructValue().GetFields()["description"].GetStringValue() == "" {
				t.Errorf("%s.%s has no description", p.GetName(), key)
			}
		}
	}
	return names
}
