package policy

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// apply makes edits in a copy of properties, as [mutate.Apply] does in a tree. A value that is added to a secret also
// becomes secret. The error is for an edit whose value cannot be JSON.
func apply(in *structpb.Struct, edits []mutate.Edit) (*structpb.Struct, error) {
	out := structpb.NewStructValue(in)
	for _, e := range edits {
		if e.Remove {
			var left bool
			if out, left = remove(out, e.Path, e.Value); !left {
				out = structpb.NewStructValue(&structpb.Struct{})
			}
			continue
		}
		var err error
		if out, err = add(out, e.Path, e.Value); err != nil {
			return nil, fmt.Errorf("set %v: %w", e.Path, err)
		}
	}
	return out.GetStructValue(), nil
}

func add(in *structpb.Value, path []string, value any) (*structpb.Value, error) {
	switch kind := in.GetKind().(type) {
	case nil, *structpb.Value_NullValue:
		switch {
		case len(path) == 0:
			return structpb.NewValue(value)
		case slices.Contains(path, tree.Each):
			return in, nil
		}
		return add(structpb.NewStructValue(nil), path, value)
	case *structpb.Value_StructValue:
		switch is := sign(kind.StructValue); {
		case is == secret:
			return with(kind.StructValue, held, path, value)
		case is != "" || len(path) == 0 || path[0] == tree.Each:
			return in, nil
		}
		return with(kind.StructValue, path[0], path[1:], value)
	case *structpb.Value_ListValue:
		list := kind.ListValue.GetValues()
		added, isList := value.([]any)
		switch {
		case len(path) == 0 && isList:
			have, _ := read(in).([]any)
			more, err := structpb.NewList(tree.Missing(have, added))
			if err != nil {
				return nil, err
			}
			return listOf(slices.Concat(list, more.GetValues())), nil
		case len(path) > 0 && path[0] == tree.Each:
			list = slices.Clone(list)
			for i, element := range list {
				var err error
				if list[i], err = add(element, path[1:], value); err != nil {
					return nil, err
				}
			}
			return listOf(list), nil
		}
		return in, nil
	default:
		return in, nil
	}
}

// with returns a copy of a map with a value added below a key.
func with(in *structpb.Struct, key string, path []string, value any) (*structpb.Value, error) {
	made, err := add(in.GetFields()[key], path, value)
	if err != nil || made == nil {
		return structpb.NewStructValue(in), err
	}
	return set(in, key, made), nil
}

// remove returns false if nothing is left of a value.
func remove(in *structpb.Value, path []string, value any) (out *structpb.Value, left bool) {
	list, fields := in.GetListValue().GetValues(), in.GetStructValue()
	_, isList := in.GetKind().(*structpb.Value_ListValue)
	removed, several := value.([]any)
	switch {
	case isNull(in):
		return in, true
	case sign(fields) == secret:
		element, left := remove(fields.GetFields()[held], path, value)
		return set(fields, held, element), left
	case len(path) == 0 && isList && several:
		rest := slices.DeleteFunc(slices.Clone(list), func(element *structpb.Value) bool {
			return tree.Contains(removed, read(element))
		})
		return listOf(rest), len(rest) > 0 || len(list) == 0
	case len(path) == 0:
		return in, value != nil && !tree.Equal(read(in), value)
	case isList && path[0] == tree.Each:
		var rest []*structpb.Value
		for _, element := range list {
			if element, left := remove(element, path[1:], value); left {
				rest = append(rest, element)
			}
		}
		return listOf(rest), len(rest) > 0 || len(list) == 0
	}
	element := fields.GetFields()[path[0]]
	if isNull(element) || sign(fields) != "" || path[0] == tree.Each {
		return in, true
	}
	if element, left = remove(element, path[1:], value); left {
		return set(fields, path[0], element), true
	}
	rest := maps.Clone(fields.GetFields())
	delete(rest, path[0])
	for _, other := range rest {
		left = left || !isNull(other)
	}
	return structpb.NewStructValue(&structpb.Struct{Fields: rest}), left
}

// isNull reports whether there is no value.
func isNull(v *structpb.Value) bool {
	_, null := v.GetKind().(*structpb.Value_NullValue)
	return null || v.GetKind() == nil
}

func listOf(values []*structpb.Value) *structpb.Value {
	return structpb.NewListValue(&structpb.ListValue{Values: values})
}
