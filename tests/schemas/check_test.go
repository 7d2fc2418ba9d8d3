package schemas

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// decoders decode the files of the schemas.
var decoders = map[string]func(value any) error{
	"topology.json": func(value any) error { _, errs := topology.Decode(value, nil); return joined(errs) },
	"config.json":   func(value any) error { _, errs := cli.DecodeConfig(value); return joined(errs) },
	"machines.json": func(value any) error { _, errs := cli.DecodeMachines(value); return joined(errs) },
	"stack.json": func(value any) error {
		file, _ := value.(map[string]any)
		config, ok := file["config"].(map[string]any)
		if !ok {
			return field.TypeInvalid(field.NewPath("config"), file["config"], "must be an object")
		}
		own := maps.Clone(config) // as Pulumi passes it to a program
		maps.DeleteFunc(own, func(key string, _ any) bool { return !strings.HasPrefix(key, stackconfig.Project+":") })
		_, err := stackconfig.Decode(own)
		return err
	},
}

func joined(list field.ErrorList) error {
	errs := make([]error, len(list))
	for i, err := range list {
		errs[i] = err
	}
	return errors.Join(errs...)
}

// compiled returns the schemas, compiled by a validator.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	all := map[string]*jsonschema.Schema{}
	for name := range decoders {
		file, err := os.Open(filepath.Join(root, dir, name))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("must not fetch schemas") }
		err = compiler.AddResource(name, file)
		_ = file.Close()
		if err == nil {
			all[name], err = compiler.Compile(name)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

func schemaOf(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, dir, name))
	var schema map[string]any
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSchemasAcceptWhatDecodersAccept(t *testing.T) {
	t.Parallel()
	schemas := compiled(t)
	for name, documents := range acceptedByBoth(t) {
		for i, value := range documents {
			if err := decoders[name](value); err != nil {
				t.Errorf("%s: the decoder refuses %v:\n%v", name, documents[i], err)
			}
			if err := schemas[name].Validate(value); err != nil {
				t.Errorf("%s refuses %v:\n%#v", name, documents[i], err)
			}
		}
	}
}

// The schema and the decoder refuse these documents, the decoder with this text.
func TestSchemasRefuseWhatDecodersRefuse(t *testing.T) {
	t.Parallel()
	schemas := compiled(t)
	const linux = "{name: a, platform: linux}"
	for name, documents := range map[string]map[string]string{
		"topology.json": {
			"[]":                                   "must be an object",
			"{}":                                   "pools: Required value",
			"pools: []":                            "pools: Required value",
			"pools: [{platform: linux}]":           "pools[0].name: Required value",
			"pools: [{name: '', platform: linux}]": "pools[0].name: Required value",
			"pools: [{name: a}]":                   "pools[0].platform: Required value",
			"pools: [{name: a, platform: windows-2022}]":                    "at least one Linux pool",
			"pools: [{name: a, platform: linus}]":                           "unknown platform",
			"pools: [" + linux + ", {name: b, platform: windows-2023}]":     "unknown platform",
			"pools: [" + linux + "]\nkubernetesVersion: 1.36":               "must be a string",
			"pools: [" + linux + "]\ncloud: ack":                            "valid clouds are",
			"pools: [" + linux + "]\nmissingFeatures: [dns]":                "unknown feature",
			"pools: [" + linux + "]\nmatching: loose":                       "unknown matching",
			"pool: [" + linux + "]":                                         "unknown key",
			"pools: [{name: a, platform: linux, count: 0}]":                 "0 means the default",
			"pools: [{name: a, platform: linux, count: 1.5}]":               "must be a whole number",
			"pools: [{name: a, platform: linux, mode: system}]":             "mode",
			"pools: [{name: a, platform: linux, osDiskType: managed}]":      "osDiskType",
			"pools: [{name: a, platform: linux, taints: [a]}]":              "taints[0]",
			"pools: [{name: a, platform: linux, taints: ['a:No']}]":         "effect",
			"pools: [{name: a, platform: linux, taints: [{key: a}]}]":       "must be a string",
			"pools: [{name: a, platform: linux, reserved: {cpu: 4}}]":       "must be a string",
			"pools: [{name: a, platform: linux, reserved: {cpu: much}}]":    "must be a quantity",
			"pools: [{name: a, platform: linux, reserved: {pods: '4'}}]":    "only cpu and memory",
			"pools: [{name: a, platform: linux, autoscaling: {min: 1}}]":    "max: Required value",
			"pools: [{name: a, platform: linux, upgrade: {maxSurge: 1.5}}]": "a whole number or a percentage",
			"pools: [{name: a, platform: linux, zones: [1]}]":               "must be a string",
			"pools: [{name: a, platform: linux, labels: {a: true}}]":        "must be a string",
			"pools: [{name: a, platform: linux, untainted: 'yes'}]":         "must be true or false",
		},
		"config.json": {
			"[]":                           "must be an object",
			"ignores: []":                  "unknown key",
			"topology: ''":                 "must be the path of a file",
			"topology: 3":                  "must be the path of a file",
			"topology: {pools: []}":        "topology.pools: Required value",
			"topology: [a]":                "must be the path of a file",
			"ignore: [{rules: [MK1]}]":     "is not a rule",
			"ignore: [{rules: [MK640]}]":   "the component relies on this rule",
			"ignore: [{rule: [MK118]}]":    "unknown key",
			"ignore: {rules: [MK118]}":     "must be a list",
			"severities: {MK118: false}":   "must be a string",
			"severities: {MK118: 'off'}":   "unknown severity",
			"severities: {MK1: error}":     "is not a rule",
			"severities: {MK640: warning}": "the component relies on this rule",
			"severities: [MK118]":          "must be an object",
			"exclude: samples":             "must be a list",
			"exclude: [3]":                 "must be a string",
		},
		"machines.json": {
			"[]":                                "must be an object",
			"nodes: [{}]":                       "topology: Required value",
			machinesWith(""):                    "nodes: Required value",
			machinesWith("nodes: []"):           "nodes: Required value",
			machinesWith("nodes: [{names: a}]"): "unknown key",
			machinesWith("nodes: [{controlPlane: 'yes'}]"):                                "must be true or false",
			machinesWith("nodes: [{}]\nrelease: {}"):                                      "unknown key",
			machinesWith("nodes: [{}]\nreleases: {pauseImage: 3.10}"):                     "must be a string",
			machinesWith("nodes: [{}]\nreleases: {kubernetes: {version: 1.36.4}}"):        "must be a list",
			machinesWith("nodes: [{}]\nreleases: {containerd: {windows: {sha512: '0'}}}"): "unknown key",
		},
		"stack.json": {
			"{}":                                  "config",
			"config: {'mixedkube:workloads': []}": "mixedkube:cluster: Required value",
			"config: {'mixedkube:cluster': {pools: [" + linux + "]}}":        "mixedkube:workloads: Required value",
			stackWith("'mixedkube:worklods': []"):                            "unknown key",
			stackWith("'mixedkube:connectivity': {skips: []}"):               "unknown key",
			stackWith("'mixedkube:installed': [dns]"):                        "unknown feature",
			stackWith("'mixedkube:installed': [gmsa-webhook, gmsa-webhook]"): "list each feature once",
			stackWith("'mixedkube:aks': {azureCLI: 'no'}"):                   "must be true or false",
			stackWith("'mixedkube:kubeadm': {controlPlane: {count: three}}"): "must be a whole number",
		},
	} {
		for text, want := range documents {
			value := fromYAML(t, text)
			if err := decoders[name](value); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the decoder's error for %s is %v, want %s", name, text, err, want)
			}
			if schemas[name].Validate(value) == nil {
				t.Errorf("%s accepts %s", name, text)
			}
		}
	}
}

// stackWith returns the configuration file of a stack with a value.
func stackWith(value string) string {
	return "config: {'mixedkube:cluster': {pools: [{name: a, platform: linux}]}, 'mixedkube:workloads': [], " +
		value + "}"
}

// machinesWith returns a description of machines with more keys.
func machinesWith(text string) string {
	return "topology: {pools: [{name: a, platform: linux}]}\n" + text
}

// A schema checks values, but not combinations of values: only the decoder refuses these documents.
func TestDocumentsThatOnlyDecodersRefuse(t *testing.T) {
	t.Parallel()
	schemas := compiled(t)
	const linux = "{name: a, platform: linux}"
	for name, documents := range map[string]map[string]string{
		"topology.json": {
			"pools: [{name: A, platform: linux}]":                           "name",
			"pools: [" + linux + ", {name: b, platform: windows-20222}]":    "unknown platform",
			"pools: [{name: a, platform: linux, spotMaxPrice: 1}]":          "spot",
			"{kubernetesVersion: new, pools: [{name: a, platform: linux}]}": "not a Kubernetes version",
		},
		"config.json": {
			"exclude: ['[']":          "not a valid .gitignore pattern",
			"ignore: [{reason: why}]": "set rules, namespaces or resources",
		},
		"stack.json": {
			stackWith("'mixedkube:aks': {}, 'mixedkube:kubeadm': {}"): "leave one of the two out",
			strings.Replace(stackWith(""), "[], ", "[iis]", 1):        "has no Windows pool",
		},
	} {
		for text, want := range documents {
			value := fromYAML(t, text)
			if err := decoders[name](value); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the decoder's error for %s is %v, want %s", name, text, err, want)
			}
			if err := schemas[name].Validate(value); err != nil {
				t.Errorf("%s refuses %s too: move it to TestSchemasRefuseWhatDecodersRefuse:\n%#v", name, text, err)
			}
		}
	}
}

// The test changes each value of the documents in each way. The schema must accept each document that the decoder
// accepts, and refuse each document that the decoder cannot read.
func TestSchemasAndDecodersAgreeOnChangedDocuments(t *testing.T) {
	t.Parallel()
	schemas := compiled(t)
	documents := acceptedByBoth(t)
	documents["stack.json"] = append(documents["stack.json"], sample(schemaOf(t, "stack.json")))
	for name, all := range documents {
		accepted, unreadable := 0, 0
		for _, document := range all {
			for changed, how := range variations(document) {
				decoded, validated := decoders[name](changed), schemas[name].Validate(changed)
				switch {
				case decoded == nil && validated != nil:
					t.Errorf("%s: %s: the decoder accepts it, but the schema refuses it:\n%#v", name, how, validated)
				case isUnreadable(decoded) && validated == nil:
					t.Errorf("%s: %s: the schema accepts it, but the decoder refuses it:\n%v", name, how, decoded)
				case decoded == nil:
					accepted++
				case isUnreadable(decoded):
					unreadable++
				}
			}
		}
		t.Logf("%s: %d accepted, %d unreadable", name, accepted, unreadable)
		if accepted < 100 || unreadable < 500 {
			t.Errorf("%s: only %d accepted and %d unreadable documents", name, accepted, unreadable)
		}
	}
}

// isUnreadable reports whether a value has a different type than the decoder expects, or a key is unknown.
func isUnreadable(err error) bool {
	switch wrapping := err.(type) { //nolint:errorlint // it checks each of the joined errors
	case nil:
		return false
	case *field.Error:
		return wrapping.Type == field.ErrorTypeTypeInvalid || strings.HasPrefix(wrapping.Detail, "unknown key")
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(wrapping.Unwrap(), isUnreadable)
	default:
		return isUnreadable(errors.Unwrap(err))
	}
}
