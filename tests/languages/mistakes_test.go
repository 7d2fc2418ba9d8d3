package languages

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// mistakesDir has, for each mistake, the wrong component as in a program in YAML, and the error of the
// component in Go without the sentences of rules. TestMistakes of the plugin compares both with the components.
const mistakesDir = "../../internal/provider/testdata/mistakes"

// sampled is the number of mistakes that the test previews in a language without -all. Programs in YAML are much
// faster.
var sampled = map[string]int{"yaml": 4, "typescript": 1, "python": 1}

// mistake is a component with a mistake.
type mistake struct {
	Type       string         `json:"type"`
	Properties map[string]any `json:"properties"`
}

// TestMistakes previews each mistake in a separate program. The CLI must show each error of the component in
// Go, with its path, at the resource. Without -all, the test previews some of the mistakes.
func TestMistakes(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	files, err := filepath.Glob(filepath.Join(mistakesDir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 12 {
		t.Fatalf("there are only %d mistakes", len(files))
	}
	for language, write := range writers {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, file := range sample.Of(t, files, sampled[language]) {
				name := strings.TrimSuffix(filepath.Base(file), ".yaml")
				t.Run(name, func(t *testing.T) { previewMistake(t, l, language, name, write) })
			}
		})
	}
}

func previewMistake(t *testing.T, l labtest.Lab, language, name string, write func(mistake) (string, string)) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(mistakesDir, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var m mistake
	if err := yaml.Unmarshal(content, &m); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(mistakesDir, name+".golden"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if language != "yaml" {
		dir = labtest.WithPins(t, filepath.Join("programs", "shop", language), language)
	}
	file, program := write(m)
	if err := os.WriteFile(filepath.Join(dir, file), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	stack, err := l.Project(t.Context(), dir, language+"-"+name, "")
	labtest.Available(t, "the mistake in "+language, err)
	output := &strings.Builder{}
	stack.Out = output
	if err := stack.Preview(t.Context()); err == nil {
		t.Fatalf("a preview with a mistake succeeds:\n%s", output)
	}
	shown := ruletest.WithoutSentences(labtest.Diagnostics(output.String()))
	if !strings.Contains(shown, m.Type+" (wrong):") {
		t.Errorf("the CLI shows no error at the resource:\n%s", output)
	}
	for line := range strings.Lines(string(want)) {
		if !strings.Contains(shown, strings.TrimSpace(line)) {
			t.Errorf("the CLI does not show %s", line)
		}
	}
	if t.Failed() {
		t.Logf("the CLI shows:\n%s", output)
	}
}

// writers return the file name and the text of a program with a mistake, for each language.
var writers = map[string]func(mistake) (file, program string){
	"yaml": func(m mistake) (string, string) {
		program, err := yaml.Marshal(map[string]any{
			"name": "shop", "runtime": "yaml", "resources": map[string]any{"wrong": m},
		})
		if err != nil {
			panic(err) // it was read from YAML
		}
		return "Pulumi.yaml", string(program)
	},
	// The compiler would find some of the mistakes by itself.
	"typescript": func(m mistake) (string, string) {
		return "index.ts", fmt.Sprintf("import * as mixedkube from \"@mixedkube/mixedkube\";\n\n"+
			"new mixedkube.%s(\"wrong\", %s as any);\n", class(m), literal(m.Properties))
	},
	"python": func(m mistake) (string, string) {
		var args []string
		for _, name := range slices.Sorted(maps.Keys(m.Properties)) {
			args = append(args, fmt.Sprintf("    %s=json.loads(%q),\n", snake(name), literal(m.Properties[name])))
		}
		return "__main__.py", fmt.Sprintf("import json\n\nimport mixedkube\n\nmixedkube.%s(\n    \"wrong\",\n%s)\n",
			class(m), strings.Join(args, ""))
	},
}

// class returns the class of a component in the SDKs.
func class(m mistake) string {
	parts := strings.Split(m.Type, ":")
	return strings.Join(parts[1:], ".")
}

func literal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was read from YAML
	}
	return string(text)
}

var hump = regexp.MustCompile(`([a-z])([A-Z])`)

// snake returns the name of an argument in Python.
func snake(name string) string { return strings.ToLower(hump.ReplaceAllString(name, "${1}_${2}")) }
