package schemas

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

const (
	// root is the directory of the repository.
	root = "../.."
	// dir has the schemas.
	dir = "docs/schemas"
)

// schemas returns the schemas of the files that people write, by the names of the schemas' files.
func schemas(t *testing.T) map[string]map[string]any {
	t.Helper()
	o := options(t)
	all := map[string]map[string]any{
		"topology.json": ofType(reflect.TypeFor[topology.Topology](), o),
		"config.json":   ofType(reflect.TypeFor[cli.Config](), o),
		"machines.json": ofType(reflect.TypeFor[cli.Machines](), o),
		"stack.json":    stackFile(ofType(reflect.TypeFor[stackconfig.Document](), o)),
	}
	for name, title := range map[string]string{
		"topology.json": "A topology of mixedkube: the pools of a cluster with Linux and Windows nodes",
		"config.json":   "The configuration of the command mixedkube, .mixedkube.yaml",
		"machines.json": "The machines of a cluster, for mixedkube join",
		"stack.json":    "The configuration of the stacks of mixedkube, Pulumi.<stack>.yaml",
	} {
		all[name]["$schema"] = "http://json-schema.org/draft-07/schema#"
		all[name]["$id"] = "https://raw.githubusercontent.com/mixedkube/mixedkube/main/" + dir + "/" + name
		all[name]["$comment"] = "Written by `make generate` from the types that are decoded."
		all[name]["title"] = title
	}
	return all
}

// stackFile returns the schema of a stack's file. It accepts any key outside this project, as Pulumi checks those.
func stackFile(config map[string]any) map[string]any {
	delete(config, "additionalProperties")
	config["propertyNames"] = map[string]any{"anyOf": []map[string]any{
		{"enum": slices.Sorted(slices.Values(stackconfig.Keys()))},
		{"not": map[string]any{"pattern": "^" + stackconfig.Project + ":"}},
	}}
	return map[string]any{
		"type": "object", "required": []string{"config"}, "properties": map[string]any{"config": config},
	}
}

// options returns the details that the types do not have: the valid values, and the types with their own
// decoding.
func options(t *testing.T) typeOptions {
	t.Helper()
	docs := readComments(t)
	text := func(pattern string) map[string]any { return map[string]any{"type": "string", "pattern": pattern} }
	// A quantity as in apimachinery, as a string.
	quantity := text(`^[+-]?[0-9.]+([eEinumkKMGTP]*[-+]?[0-9]*)$`)
	o := typeOptions{types: map[reflect.Type]map[string]any{
		reflect.TypeFor[platform.Platform](): {"anyOf": []map[string]any{
			{"enum": platforms()},
			{
				"type": "string", "pattern": otherSpellings(),
				"description": "another spelling: Windows2022, ltsc2022, 10.0.20348",
			},
		}},
		reflect.TypeFor[topology.Mode]():       oneOf(topology.System, topology.User),
		reflect.TypeFor[topology.OSDiskType](): oneOf(topology.ManagedDisk, topology.EphemeralDisk),
		reflect.TypeFor[topology.Cloud]():      oneOf(topology.Clouds()...),
		reflect.TypeFor[topology.Feature]():    oneOf(topology.Features()...),
		reflect.TypeFor[platform.Matching]():   oneOf(platform.Matchings()...),
		reflect.TypeFor[rule.Severity]():       oneOf(rule.Severities()...),
		reflect.TypeFor[corev1.Taint]():        text(`^[^:]+:(NoSchedule|PreferNoSchedule|NoExecute)$`),
		reflect.TypeFor[resource.Quantity]():   quantity,
		reflect.TypeFor[corev1.ResourceList](): {
			"type": "object", "properties": map[string]any{"cpu": quantity, "memory": quantity},
			"additionalProperties": false,
		},
	}}
	ids := ignorable()
	o.field = func(owner reflect.Type, f reflect.StructField, schema map[string]any) bool {
		if text := docs.of(owner, f); text != "" {
			schema["description"] = text
		}
		name := owner.String() + "." + f.Name
		switch name {
		case "topology.Topology.Pools":
			schema["minItems"] = 1
			schema["contains"] = map[string]any{
				"required":   []string{"platform"},
				"properties": map[string]any{"platform": map[string]any{"pattern": linux}},
			}
			return true
		case "topology.Pool.Name":
			schema["minLength"] = 1
			return true
		case "topology.Pool.Platform":
			return true
		case "topology.Pool.Count":
			schema["minimum"] = 1
		case "report.Ignore.Rules":
			schema["items"] = map[string]any{"enum": ids}
		case "cli.Config.Severities":
			schema["propertyNames"] = map[string]any{"enum": ids}
		case "cli.Environment.Name":
			schema["minLength"] = 1
			return true
		case "cli.Environment.Files":
			schema["minItems"] = 1
			return true
		case "cli.Environment.Topology", "cli.Environment.To":
			schema["allOf"] = []map[string]any{{"$ref": "#/properties/topology"}}
			return true
		case "cli.Config.Topology", "cli.Config.To":
			schema["anyOf"] = []map[string]any{
				{"type": "string", "minLength": 1}, ofType(reflect.TypeFor[topology.Topology](), o),
			}
		case "stackconfig.Document.Cluster", "cli.Machines.Topology":
			maps.Copy(schema, without(ofType(reflect.TypeFor[topology.Topology](), o), "description"))
		case "cli.Machines.Nodes":
			schema["minItems"] = 1
			return true
		case "stackconfig.Document.Workloads":
			schema["items"] = map[string]any{"enum": names(stackconfig.Workloads())}
			schema["uniqueItems"] = true
			return true
		case "stackconfig.Document.Installed":
			schema["items"] = map[string]any{"enum": names(topology.Features())}
			schema["uniqueItems"] = true
		}
		return false
	}
	return o
}

func without(m map[string]any, key string) map[string]any {
	delete(m, key)
	return m
}

func oneOf[T ~string](values ...T) map[string]any {
	return map[string]any{"type": "string", "enum": names(values)}
}

func names[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// platforms returns the platforms that pools can have.
func platforms() []string {
	var all []string
	for _, p := range platform.All() {
		if len(topology.ValidatePlatform(p, nil)) == 0 {
			all = append(all, p.String())
		}
	}
	return all
}

// linux matches the platform in upper and lower case.
const linux = "[Ll][Ii][Nn][Uu][Xx]"

// otherSpellings matches at least the spellings of platforms that platform.Parse accepts: each spelling of a release
// has its year, a tag or the build.
func otherSpellings() string {
	parts := []string{linux}
	for _, name := range platforms() {
		release, ok := platform.Platform(name).Release()
		if !ok {
			continue
		}
		parts = append(parts, strings.TrimPrefix(name, "windows-"), regexp.QuoteMeta(release.Build))
		for _, tag := range release.Tags {
			if !strings.HasPrefix(tag, "ltsc") { // the year covers this tag
				parts = append(parts, tag)
			}
		}
	}
	return strings.Join(parts, "|")
}

// ignorable returns the IDs of the rules that users can ignore.
func ignorable() []string {
	var ids []string
	for _, r := range cli.Rules() {
		if !r.Mandatory {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// TestGeneratedSchemas writes the JSON schemas with -update.
func TestGeneratedSchemas(t *testing.T) {
	t.Parallel()
	all := schemas(t)
	for name, schema := range all {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(schema); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, path.Join(root, dir, name), text.String())
	}
	entries, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if all[entry.Name()] == nil {
			t.Errorf("%s/%s: no schema has this file name: delete it", dir, entry.Name())
		}
	}
}
