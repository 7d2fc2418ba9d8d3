package azurenative

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

// difference is what a program changes in the inputs of a resource.
type difference struct {
	// Changes are the old and the new values by their paths, null if there is no value, and the kind of the difference
	// if there is one.
	Changes map[string][]any
	// State is the output of the resource.
	State object
}

// The files are testdata/diffs/MODULE/TYPE.yaml.
func TestPropertiesThatReplaceResources(t *testing.T) {
	t.Parallel()
	for name, x := range casetest.Cases[difference](t, "testdata/diffs") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, _, _ := strings.Cut(name, ": ")
			token := tokenOf(file)
			var before, after any = object{}, object{}
			want, replaces := map[string]p.DiffKind{}, false
			for _, path := range slices.Sorted(maps.Keys(x.Changes)) {
				change := x.Changes[path]
				keys := pathKeys.FindAllString(path, -1)
				before, after = withValue(before, keys, change[0]), withValue(after, keys, change[1])
				if len(change) > 2 {
					want[path] = p.DiffKind(change[2].(string))
					replaces = replaces || strings.HasSuffix(change[2].(string), "&replace")
				}
			}
			answer, err := newServer(t, newCloud()).Diff(p.DiffRequest{
				Urn: urnOf(token), State: props(x.State), OldInputs: named(token, before.(object)),
				Inputs: named(token, after.(object)),
			})
			if err != nil {
				t.Fatal(err)
			}
			have := map[string]p.DiffKind{}
			for key, change := range answer.DetailedDiff {
				have[key] = change.Kind
				if !change.InputDiff {
					t.Errorf("%s is not a difference of inputs", key)
				}
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if answer.HasChanges != (len(want) > 0) {
				t.Errorf("has changes: %v", answer.HasChanges)
			}
			if _, made := x.Changes["__createBeforeDelete"]; answer.DeleteBeforeReplace != (replaces && !made) {
				t.Errorf("deleted before it is replaced: %v", answer.DeleteBeforeReplace)
			}
		})
	}
}

// tokenOf returns the type of a file, MODULE/TYPE.
func tokenOf(file string) string { return "azure-native:" + strings.ReplaceAll(file, "/", ":") }

var pathKeys = regexp.MustCompile(`[^.\[\]"]+`)

// withValue returns a tree with a value at a path. nil sets none.
func withValue(tree any, keys []string, value any) any {
	switch list, isList := tree.([]any); {
	case value == nil:
		return tree
	case len(keys) == 0:
		return value
	case isList || tree == nil && keys[0] == "0":
		if keys[0] == strconv.Itoa(len(list)) {
			return append(list, withValue(nil, keys[1:], value))
		}
		index, _ := strconv.Atoi(keys[0])
		list[index] = withValue(list[index], keys[1:], value)
		return list
	}
	inner, _ := tree.(object)
	if inner == nil {
		inner = object{}
	}
	inner[keys[0]] = withValue(inner[keys[0]], keys[1:], value)
	return inner
}

// named are inputs with a name, as all have after a check.
func named(token string, inputs object) property.Map {
	checked := props(inputs)
	if name := table[token].Named; checked.Get(name).IsNull() {
		checked = checked.Set(name, property.New("x"))
	}
	return checked
}

func TestUnchangedSecretIsNotAChange(t *testing.T) {
	t.Parallel()
	secret := property.New(props(object{"adminPassword": "a"})).WithSecret(true)
	answer, err := newServer(t, newCloud()).Diff(p.DiffRequest{
		Urn:       urnOf("azure-native:containerservice:ManagedCluster"),
		OldInputs: props(object{"windowsProfile": object{"adminPassword": "a"}}),
		Inputs:    property.NewMap(map[string]property.Value{"windowsProfile": secret}),
	})
	if err != nil || answer.HasChanges {
		t.Errorf("changes %v, error %v", answer.DetailedDiff, err)
	}
}

func TestUnknownValueIsAChange(t *testing.T) {
	t.Parallel()
	answer, err := newServer(t, newCloud()).Diff(p.DiffRequest{
		Urn:       urnOf("azure-native:containerservice:AgentPool"),
		OldInputs: props(object{"resourceName": "c", "podSubnetID": "/s"}),
		Inputs:    property.NewMap(map[string]property.Value{"resourceName": unknown, "podSubnetID": unknown}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer.DetailedDiff["resourceName"].Kind != p.UpdateReplace ||
		answer.DetailedDiff["podSubnetID"].Kind != p.Update {
		t.Errorf("changes %v", answer.DetailedDiff)
	}
}
