package input

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Watch returns a copy of arguments that calls found for each output at or below a path as
// soon as the output is known. An error fails the output, and so the resource. For an output
// above the path, found gets the part at the path. It is not called for an output that stays
// unknown, as in a preview.
//
// The parameter known is the plain tree of the value, with [tree.Secret] in the leaves of a
// secret, so that the error does not show it; nil if the output has no value there. The path
// is the path of the value: keys of maps, and indexes of lists.
func Watch[T any](args T, path []string, found func(path []string, known any) error) (T, error) {
	place := reflect.ValueOf(&args).Elem()
	watched, err := watcher{path, found}.wrap(place, nil)
	if err != nil {
		var none T
		return none, err
	}
	place.Set(watched)
	return args, nil
}

type watcher struct {
	path  []string
	found func(path []string, known any) error
}

// wrap returns the replacement of v, which is at a path.
func (w watcher) wrap(v reflect.Value, at []string) (reflect.Value, error) {
	held := argumentsOf(concrete(v), v.Type())
	if absent(held) {
		return v, nil
	}
	switch t := held.Type(); {
	case t.Implements(outputType):
		out := held.Interface().(pulumi.Output)
		return whenKnown(held, v.Type(), at, func(known reflect.Value) (reflect.Value, error) {
			return known, w.notify(out, known, at)
		})
	case t.Implements(assetType), t.Implements(resourceType):
		return v, nil
	case t.Kind() == reflect.Pointer:
		element, err := w.wrap(held.Elem(), at)
		return pointerTo(element, t), err
	}
	above := len(at) < len(w.path)
	if above && held.Kind() == reflect.Struct {
		if _, err := fieldNamed(held.Type(), w.path[len(at)], at); err != nil {
			return v, err
		}
	}
	out := shallow(held)
	of := parts(out)
	var keys []string
	if above {
		keys = w.path[len(at) : len(at)+1]
	} else {
		keys = slices.Sorted(maps.Keys(of))
	}
	for _, key := range keys {
		part, exists := of[key]
		if !exists {
			continue
		}
		wrapped, err := w.wrap(part.value, append(slices.Clip(at), key))
		if err != nil {
			return v, err
		}
		part.set(wrapped)
	}
	return out, nil
}

// notify must only be called in the callback of an output, when the value is known: before that,
// it is not known whether the output is a secret.
func (w watcher) notify(out pulumi.Output, value reflect.Value, at []string) error {
	known := Resolved(context.Background(), value.Interface())
	if pulumi.IsSecret(out) {
		known = tree.Seal(known)
	}
	if len(at) < len(w.path) {
		known, at = tree.At(known, w.path[len(at):]...), w.path
	}
	return w.found(at, known)
}

// part is a value in a struct, a map or a list.
type part struct {
	value reflect.Value
	set   func(reflect.Value)
}

// parts returns the parts of a value, with a function that sets each one.
func parts(v reflect.Value) map[string]part {
	all := map[string]part{}
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range fieldsOf(v.Type()) {
			all[f.name] = part{v.Field(f.index), v.Field(f.index).Set}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			key := entries.Key()
			all[key.String()] = part{entries.Value(), func(to reflect.Value) { v.SetMapIndex(key, to) }}
		}
	case reflect.Slice:
		for i := range v.Len() {
			all[strconv.Itoa(i)] = part{v.Index(i), v.Index(i).Set}
		}
	}
	return all
}
