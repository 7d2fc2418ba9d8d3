package change

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Differences lists the differences, sorted by path, as deep as both sides are objects or lists. Secrets are compared
// by their contents. An unknown value differs from everything. A list is compared by position, and null is equal to no
// value.
func Differences(before, after property.Map) []Difference {
	var found []Difference
	differ(nil, property.New(before), property.New(after), func(d Difference) { found = append(found, d) })
	return found
}

func differ(path resource.PropertyPath, before, after property.Value, found func(Difference)) {
	switch {
	case before.IsMap() && after.IsMap():
		a, b := before.AsMap(), after.AsMap()
		for _, key := range keys(a, b) {
			differ(extend(path, key), a.Get(key), b.Get(key), found)
		}
	case before.IsArray() && after.IsArray():
		a, b := before.AsArray(), after.AsArray()
		for i := range max(a.Len(), b.Len()) {
			differ(extend(path, i), element(a, i), element(b, i), found)
		}
	case before.IsNull() && after.IsNull():
	case before.IsNull():
		found(Difference{Path: path, Kind: Added, After: stripped(after)})
	case after.IsNull():
		found(Difference{Path: path, Kind: Removed, Before: stripped(before)})
	default:
		a, b := stripped(before), stripped(after)
		if a.HasComputed() || b.HasComputed() || !a.Equals(b) {
			found(Difference{Path: path, Kind: Changed, Before: a, After: b})
		}
	}
}

func keys(maps ...property.Map) []string {
	var all []string
	for _, m := range maps {
		for key := range m.All {
			all = append(all, key)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func element(a property.Array, i int) property.Value {
	if i < a.Len() {
		return a.Get(i)
	}
	return property.Value{}
}

// stripped returns a value without secrets and dependencies.
func stripped(v property.Value) property.Value {
	switch {
	case v.IsMap():
		m := map[string]property.Value{}
		for key, e := range v.AsMap().All {
			m[key] = stripped(e)
		}
		return property.New(m)
	case v.IsArray():
		list := v.AsArray().AsSlice()
		for i, e := range list {
			list[i] = stripped(e)
		}
		return property.New(list)
	default:
		return v.WithSecret(false).WithDependencies(nil)
	}
}

func extend(path resource.PropertyPath, part any) resource.PropertyPath {
	return append(slices.Clip(path), part)
}

// at returns the value at a path of names; null if there is none.
func at(m property.Map, names ...string) property.Value {
	v := property.New(m)
	for _, name := range names {
		if !v.IsMap() {
			return property.Value{}
		}
		v = v.AsMap().Get(name)
	}
	return v
}

// text returns the string at a path; "" if there is none.
func text(m property.Map, names ...string) string {
	if v := at(m, names...); v.IsString() {
		return v.AsString()
	}
	return ""
}

// isTrue reports whether the value at a path is true. The inputs of a provider can be JSON in a string.
func isTrue(m property.Map, names ...string) bool {
	v := at(m, names...)
	return v.IsBool() && v.AsBool() || v.IsString() && v.AsString() == "true"
}
