package bench

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// definitions are the definitions of an OpenAPI description.
type definitions map[string]map[string]any

const reference = "#/definitions/"

// writeSchemas writes strict JSON schemas of all Kubernetes kinds into a directory for kubeconform: a field that is not
// in the schema is an error. It generates them from the OpenAPI description in the module from which the lab builds
// Kubernetes.
func writeSchemas(b *testing.B, dir string) {
	b.Helper()
	all := described(b)
	for _, d := range all {
		strict(d)
	}
	written := 0
	for name, d := range all {
		kinds, _ := d["x-kubernetes-group-version-kind"].([]any)
		for _, k := range kinds {
			kind := k.(map[string]any)
			file := kind["kind"].(string) + "-"
			if group, _, _ := strings.Cut(kind["group"].(string), "."); group != "" {
				file += group + "-"
			}
			file += kind["version"].(string) + ".json"
			reached := definitions{}
			all.reach(name, reached)
			text, err := json.Marshal(map[string]any{"$ref": reference + name, "definitions": reached})
			if err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, strings.ToLower(file)), text, 0o600); err != nil {
				b.Fatal(err)
			}
			written++
		}
	}
	if written < 100 {
		b.Fatalf("only %d schemas", written)
	}
}

// described reads the OpenAPI description.
func described(b *testing.B) definitions {
	b.Helper()
	const module = "k8s.io/kubernetes"
	cmd := exec.CommandContext(b.Context(), "go", "mod", "download", "-json", module)
	cmd.Dir = filepath.Join(checkout(b), "internal", "lab", "tools", "kubernetes")
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	output, err := cmd.Output()
	if err != nil {
		b.Fatalf("go mod download %s: %v\n%s", module, err, output)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(output, &found); err != nil {
		b.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(found.Dir, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		b.Fatal(err)
	}
	var description struct {
		Definitions definitions `json:"definitions"`
	}
	if err := json.Unmarshal(content, &description); err != nil {
		b.Fatal(err)
	}
	return description.Definitions
}

// reach adds a definition and all definitions that it refers to.
func (all definitions) reach(name string, reached definitions) {
	if reached[name] != nil {
		return
	}
	reached[name] = all[name]
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				all.reach(strings.TrimPrefix(ref, reference), reached)
			}
			for _, element := range v {
				walk(element)
			}
		case []any:
			for _, element := range v {
				walk(element)
			}
		}
	}
	walk(all[name])
}

// strict makes a schema refuse unknown fields, and accept numbers as quantities, like the API server. Fields that are
// not required can be null.
func strict(d map[string]any) {
	// Two types are strings in the description, but numbers or strings in a manifest.
	if text, _ := d["description"].(string); d["format"] == "int-or-string" ||
		strings.HasPrefix(text, "Quantity is a fixed-point representation") {
		delete(d, "type")
		delete(d, "format")
		d["type"] = []any{"string", "number"}
	}
	properties, has := d["properties"].(map[string]any)
	if !has {
		return
	}
	d["additionalProperties"] = false
	required := map[any]bool{}
	names, _ := d["required"].([]any)
	for _, name := range names {
		required[name] = true
	}
	for name, p := range properties {
		property := p.(map[string]any)
		if kind, is := property["type"].(string); is && !required[name] {
			property["type"] = []any{kind, "null"}
		}
	}
}
