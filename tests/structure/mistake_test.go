package structure

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// mistakes makes random mistakes, each in one place of an object.
type mistakes struct{ random *rand.Rand }

// spot is a value in an object, and how to replace it.
type spot struct {
	path   string
	holder map[string]any // nil in a list
	key    string
	value  any
	set    func(any)
}

// spots returns all values below a value, except the version and the kind of the object itself.
func spots(v any, path string, all []spot) []spot {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if path == "" && (key == "apiVersion" || key == "kind") {
				continue
			}
			at := strings.TrimPrefix(path+"."+key, ".")
			all = append(all, spot{at, v, key, v[key], func(other any) { v[key] = other }})
			all = spots(v[key], at, all)
		}
	case []any:
		for i := range v {
			at := path + "[" + strconv.Itoa(i) + "]"
			all = append(all, spot{at, nil, "", v[i], func(other any) { v[i] = other }})
			all = spots(v[i], at, all)
		}
	}
	return all
}

// make makes one mistake, or a valid change, and describes it.
func (m *mistakes) make(object map[string]any) string {
	all := spots(object, "", nil)
	one := all[m.random.IntN(len(all))]
	switch m.random.IntN(10) {
	case 0, 1, 2:
		if one.holder == nil {
			return m.retype(one)
		}
		name := m.misspell(one.key)
		delete(one.holder, one.key)
		one.holder[name] = one.value
		return fmt.Sprintf("rename %s to %s", one.path, name)
	case 3, 4:
		return m.move(object, one)
	case 5:
		return m.version(object)
	default:
		return m.retype(one)
	}
}

// misspell makes a typical typing mistake in a name.
func (m *mistakes) misspell(name string) string {
	at := m.random.IntN(len(name))
	switch m.random.IntN(6) {
	case 0:
		return strings.ToUpper(name[:1]) + name[1:]
	case 1:
		return strings.ToLower(name)
	case 2:
		return name[:at] + name[at+1:]
	case 3:
		return name[:at] + name[at:at+1] + name[at:]
	case 4:
		return name + "s"
	default:
		if at+1 == len(name) {
			return name + "_"
		}
		return name[:at] + name[at+1:at+2] + name[at:at+1] + name[at+2:]
	}
}

// move moves a field to another object within the object, or back to its own.
func (m *mistakes) move(object map[string]any, one spot) string {
	if one.holder == nil {
		return m.retype(one)
	}
	delete(one.holder, one.key)
	var places []spot
	if one.key != "kind" && one.key != "apiVersion" {
		places = append(places, spot{path: "the object", value: object})
	}
	for _, s := range spots(object, "", nil) {
		if _, ok := s.value.(map[string]any); ok {
			places = append(places, s)
		}
	}
	to := places[m.random.IntN(len(places))]
	to.value.(map[string]any)[one.key] = one.value
	return fmt.Sprintf("move %s to %s", one.path, to.path)
}

var versions = []string{
	"extensions/v1beta1", "apps/v1beta1", "apps/v1beta2", "batch/v1beta1", "batch/v2alpha1", "autoscaling/v2beta2",
	"policy/v1beta1", "networking.k8s.io/v1beta1", "node.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1beta1",
	"storage.k8s.io/v1beta1", "v1", "apps/v1", "apps", "v2", "scheduling.k8s.io/v1beta1", "policy/v2",
	"admissionregistration.k8s.io/v1beta1", "apiextensions.k8s.io/v1beta1", "coordination.k8s.io/v1beta1",
}

// version writes another version, or misspells the kind.
func (m *mistakes) version(object map[string]any) string {
	if m.random.IntN(3) == 0 {
		object["kind"] = m.misspell(object["kind"].(string))
		return fmt.Sprint("write the kind ", object["kind"])
	}
	object["apiVersion"] = versions[m.random.IntN(len(versions))]
	return fmt.Sprint("write the version ", object["apiVersion"])
}

// values has values of all types, in some of the formats.
var values = []any{
	nil, "", "a", "true", "1", "8080", "1.5", "2Gi", "500m", "2 Gi", "1e3", "-1", "0x10", " 5 ", "5%", "YWJj", "YWJ",
	"2026-11-24", "2026-11-24T08:00:00Z", "2026-11-24T08:00:00.000001Z", "2026-11-24T08:00:00.5+01:00", "10s",
	true, false, 0, 1, -1, 300, 3000000000, -3000000000, 1.5, 0.001,
	[]any{},
	[]any{"a"},
	[]any{1},
	[]any{nil},
	[]any{300},
	[]any{map[string]any{}},
	map[string]any{},
	map[string]any{"a": "b"},
	map[string]any{"a": 1},
	map[string]any{"name": "shop"},
	map[string]any{"name": nil, "value": true},
	map[string]any{"a": map[string]any{}},
}

// retype replaces a value by one of another type or format, puts it into a list, or takes it out of a list.
func (m *mistakes) retype(one spot) string {
	other := values[m.random.IntN(len(values))]
	switch v := one.value.(type) {
	case []any:
		if len(v) > 0 && m.random.IntN(3) == 0 {
			other = v[0]
		}
	case nil:
	default:
		switch m.random.IntN(6) {
		case 0:
			other = []any{v}
		case 1:
			other = fmt.Sprint(v)
		}
	}
	one.set(clone(other))
	return fmt.Sprintf("make %s %#v", one.path, other)
}

// clone returns a deep copy.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, element := range v {
			out[key] = clone(element)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	default:
		return v
	}
}
