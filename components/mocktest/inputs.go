package mocktest

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// ignoring replaces ignored inputs by their earlier values, as the engine does before it calls a provider.
func ignoring(paths []string, before, after resource.PropertyMap) resource.PropertyMap {
	if len(paths) == 0 {
		return after
	}
	// The conversion and its reverse create a deep copy.
	before = resource.ToResourcePropertyMap(resource.FromResourcePropertyMap(before))
	after = resource.ToResourcePropertyMap(resource.FromResourcePropertyMap(after))
	for _, text := range paths {
		if path, err := resource.ParsePropertyPath(text); err == nil {
			path.Reset(before, after) // It is impossible if only one side has the path.
		}
	}
	return after
}

// within reports whether a path is equal to, or below, one of the paths, which can contain *.
func within(paths []string, path resource.PropertyPath) bool {
	return slices.ContainsFunc(paths, func(text string) bool {
		above, err := resource.ParsePropertyPath(text)
		return err == nil && above.Contains(path)
	})
}

// valueAt returns the value at a path, and whether it is secret or inside of a secret. It returns null if there is
// none.
func valueAt(path resource.PropertyPath, properties resource.PropertyMap) (resource.PropertyValue, bool) {
	at, secret := resource.NewProperty(properties), false
	for i := 0; ; i++ {
		if at.IsSecret() {
			at, secret = plainly(at), true
		}
		if i == len(path) {
			return at, secret
		}
		switch part := path[i].(type) {
		case string:
			if !at.IsObject() {
				return resource.PropertyValue{}, secret
			}
			at = at.ObjectValue()[resource.PropertyKey(part)]
		case int:
			if !at.IsArray() || part >= len(at.ArrayValue()) {
				return resource.PropertyValue{}, secret
			}
			at = at.ArrayValue()[part]
		}
	}
}

// plainly returns a value without the secret around it.
func plainly(v resource.PropertyValue) resource.PropertyValue {
	for v.IsSecret() {
		v = v.SecretValue().Element
	}
	return v
}

// shownValue returns the plain view of a value of the inputs or, if there is none, of the value that a provider uses
// for it.
func shownValue(v resource.PropertyValue, otherwise property.Value) any {
	if v.IsNull() {
		v = resource.ToResourcePropertyValue(otherwise)
	}
	return plainValue(v)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
