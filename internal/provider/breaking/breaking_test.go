package breaking

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// before is a schema with at least one resource, function and type of each kind.
const before = `{
	"name": "mixedkube",
	"resources": {
		"mixedkube:workload:Pod": {
			"isComponent": true,
			"inputProperties": {
				"platform": {"$ref": "#/types/mixedkube:platform:Platform", "plain": true},
				"spec": {"$ref": "/kubernetes/v4.25.0/schema.json#/types/kubernetes:core/v1:PodSpec"},
				"labels": {"type": "object", "additionalProperties": {"type": "string"}},
				"logs": {"type": "array", "items": {"oneOf": [
					{"$ref": "#/types/mixedkube:logmonitor:File"}, {"$ref": "#/types/mixedkube:logmonitor:ETW"}
				]}},
				"topology": {"$ref": "#/types/mixedkube:topology:Topology"}
			},
			"requiredInputs": ["spec"],
			"properties": {
				"name": {"type": "string"}, "token": {"type": "string", "secret": true},
				"topology": {"$ref": "#/types/mixedkube:topology:Topology"}
			},
			"required": ["name"], "of": "Pod"
		},
		"mixedkube:workload:Job": {"isComponent": true, "inputProperties": {"only": {"type": "number"}}}
	},
	"functions": {
		"mixedkube:topology:nodeSelector": {
			"inputs": {"type": "object", "properties": {"platform": {"type": "string"}}},
			"outputs": {"type": "object", "properties": {"labels": {"type": "string"}}, "required": ["labels"]}
		}
	},
	"types": {
		"mixedkube:platform:Platform": {
			"type": "string", "enum": [{"name": "Linux", "value": "linux"}, {"name": "Windows", "value": "windows"}]
		},
		"mixedkube:logmonitor:File": {"type": "object", "properties": {
			"type": {"type": "string", "const": "File"}, "directory": {"type": "string"}
		}},
		"mixedkube:logmonitor:ETW": {"type": "object", "properties": {"level": {"type": "string"}}},
		"mixedkube:topology:Topology": {
			"type": "object",
			"properties": {"pools": {"type": "array", "items": {"$ref": "#/types/mixedkube:topology:Pool"}}}
		},
		"mixedkube:topology:Pool": {
			"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "string"}},
			"required": ["name"], "of": "Pool"
		}
	}
}`

const (
	pod      = "resource mixedkube:workload:Pod: "
	pool     = "type mixedkube:topology:Pool: "
	function = "function mixedkube:topology:nodeSelector"
)

// changes are pairs of old and new text that change the schema, and the breaking changes that follow.
var changes = map[string]struct{ change, want []string }{
	"nothing":                  {nil, nil},
	"another minor kubernetes": {[]string{`/v4.25.0/`, `/v4.33.0/`}, nil},
	"an optional input is new": {[]string{`"labels": {"type"`, `"new": {"type": "string"}, "labels": {"type"`}, nil},
	"an output is new":         {[]string{`"token": {`, `"new": {"type": "string"}, "token": {`}, nil},
	"a choice is new":          {[]string{`[{"name": "Linux"`, `[{"name": "X", "value": "x"}, {"name": "Linux"`}, nil},
	"a resource is new": {
		[]string{`"mixedkube:workload:Job": {`, `"new": {}, "mixedkube:workload:Job": {`},
		nil,
	},
	"an input may be left out":  {[]string{`"requiredInputs": ["spec"]`, `"requiredInputs": []`}, nil},
	"an output is always there": {[]string{`["name"], "of": "Pod"`, `["name", "token"]`}, nil},
	"outputs are taken":         {[]string{`"plain": true`, `"plain": false`}, nil},
	"another major kubernetes": {
		[]string{`/v4.25.0/`, `/v5.0.0/`},
		[]string{
			pod + "input spec was /kubernetes/v4/schema.json#/types/kubernetes:core/v1:PodSpec and is " +
				"/kubernetes/v5/schema.json#/types/kubernetes:core/v1:PodSpec",
		},
	},
	"a resource is renamed": {
		[]string{"mixedkube:workload:Job", "mixedkube:workload:Batch"},
		[]string{"resource mixedkube:workload:Job is removed: it seems to be mixedkube:workload:Batch now"},
	},
	"a resource is removed": {
		[]string{`"mixedkube:workload:Job": {"isComponent": true`, `"new": {"isComponent": false`},
		[]string{"resource mixedkube:workload:Job is removed"},
	},
	"a component becomes a plain resource": {
		[]string{`"mixedkube:workload:Job": {"isComponent": true`, `"mixedkube:workload:Job": {"isComponent": false`},
		[]string{"resource mixedkube:workload:Job: isComponent was true and is false"},
	},
	"a function is renamed": {
		[]string{"topology:nodeSelector", "topology:selector"},
		[]string{function + " is removed: it seems to be mixedkube:topology:selector now"},
	},
	"an input of a function is removed": {
		[]string{`"properties": {"platform"`, `"properties": {"system"`},
		[]string{function + ": input platform is removed"},
	},
	"an output of a function is removed": {
		[]string{`{"labels": {"type": "string"}}`, `{"selector": {"type": "string"}}`},
		[]string{function + ": output labels is removed"},
	},
	"an input is removed": {
		[]string{`"labels": {"type": "object"`, `"tags": {"type": "object"`}, []string{pod + "input labels is removed"},
	},
	"an output is removed": {
		[]string{`"token": {"type"`, `"key": {"type"`}, []string{pod + "output token is removed"},
	},
	"an input is required": {
		[]string{`["spec"]`, `["spec", "labels"]`}, []string{pod + "input labels was optional and is required"},
	},
	"a new input is required": {
		[]string{
			`["spec"]`, `["spec", "new"]`,
			`"labels": {"type": "object"`, `"new": {}, "labels": {"type": "object"`,
		},
		[]string{pod + "input new is new and required"},
	},
	"an output may be missing": {
		[]string{`["name"], "of": "Pod"`, `[]`}, []string{pod + "output name was always there and is optional"},
	},
	"the type of an element changes": {
		[]string{`"additionalProperties": {"type": "string"}`, `"additionalProperties": {"type": "number"}`},
		[]string{pod + "input labels was a map of string and is a map of number"},
	},
	"outputs are not taken": {
		[]string{`core/v1:PodSpec"`, `core/v1:PodSpec", "plain": true`},
		[]string{pod + "input spec accepted outputs and now accepts only plain values"},
	},
	"outputs are not taken as one of the choices": {
		[]string{`:logmonitor:ETW"}`, `:logmonitor:ETW", "plain": true}`},
		[]string{pod + "input logs, an element accepted outputs and now accepts only plain values"},
	},
	"a constant changes": {
		[]string{`"const": "File"`, `"const": "file"`},
		[]string{"type mixedkube:logmonitor:File: input type was always File and is always file"},
	},
	"a constant is new": {
		[]string{`"directory": {"type": "string"}`, `"directory": {"type": "string", "const": "C:"}`},
		[]string{"type mixedkube:logmonitor:File: input directory was any value and is always C:"},
	},
	"outputs are not taken as elements": {
		[]string{`"additionalProperties": {"type"`, `"additionalProperties": {"plain": true, "type"`},
		[]string{pod + "input labels, an element accepted outputs and now accepts only plain values"},
	},
	"an output is no longer a secret": {
		[]string{`, "secret": true`, ``}, []string{pod + "output token: secret was true and is false"},
	},
	"an output is a secret": {
		[]string{`{"type": "string"}, "token"`, `{"type": "string", "secret": true}, "token"`},
		[]string{pod + "output name: secret was false and is true"},
	},
	"a choice is removed": {
		[]string{`, {"name": "Windows", "value": "windows"}`, ``},
		[]string{"type mixedkube:platform:Platform: the value windows is removed"},
	},
	"a choice has another name": {
		[]string{`"name": "Windows"`, `"name": "Win"`},
		[]string{"type mixedkube:platform:Platform: the value windows was called Windows and is called Win"},
	},
	"choices become an object": {
		[]string{`"type": "string", "enum"`, `"type": "object", "enum"`},
		[]string{"type mixedkube:platform:Platform: the type was string and is object"},
	},
	"a type is renamed": {
		[]string{"topology:Pool", "topology:NodePool"},
		[]string{
			"type mixedkube:topology:Pool is removed: it seems to be mixedkube:topology:NodePool now",
			"type mixedkube:topology:Topology: input pools was a list of mixedkube:topology:Pool and is a list of " +
				"mixedkube:topology:NodePool",
			"type mixedkube:topology:Topology: output pools was a list of mixedkube:topology:Pool and is a list of " +
				"mixedkube:topology:NodePool",
		},
	},
	"a property of one of several types is removed": {
		[]string{`"directory"`, `"folder"`}, []string{"type mixedkube:logmonitor:File: input directory is removed"},
	},
	"a property of a type for inputs and outputs is required": {
		[]string{`["name"], "of": "Pool"`, `["name", "size"]`},
		[]string{pool + "input size was optional and is required"},
	},
	"a property of a type for inputs and outputs may be missing": {
		[]string{`["name"], "of": "Pool"`, `[]`}, []string{pool + "output name was always there and is optional"},
	},
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for name, tt := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after := strings.NewReplacer(tt.change...).Replace(before)
			if changes := after != before; changes != (tt.change != nil) {
				t.Fatalf("the schema has no %s", tt.change[0])
			}
			got, err := Changes([]byte(before), []byte(after))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}
