package input

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Edit makes edits in the arguments of a constructor: a struct of arguments of any SDK,
// or a part of one, as [mutate.Apply] makes them in their tree. It edits a copy: the
// program's arguments stay unchanged.
//
// If a part is an output, the edit is made when the output is known. A secret stays
// secret, and so are the additions to it. If only an output decides whether something is left
// of a value after a removal, the value becomes an output: unknown if a part of it is unknown,
// and secret if a part of it is secret.
//
// The error is for edits that the arguments cannot have: an addition to a field that does not
// exist, or of a type that is not a known type of arguments, and a removal that makes an output
// of another type than a field can have.
func Edit[T any](args T, edits []mutate.Edit) (T, error) {
	place := reflect.ValueOf(&args).Elem()
	for _, e := range edits {
		edited, err := edit(place, e)
		if err != nil {
			var none T
			return none, err
		}
		place.Set(edited)
	}
	return args, nil
}

func edit(v reflect.Value, e mutate.Edit) (reflect.Value, error) {
	if e.Remove {
		return remover{e}.from(v)
	}
	return writer{e}.write(v, 0)
}

// EditProperties makes edits like [Edit], in the properties of a resource that a transform
// receives. All edits of a plain tree fit there.
func EditProperties(props pulumi.Map, edits []mutate.Edit) pulumi.Map {
	edited, err := Edit(props, edits)
	if err != nil {
		panic(err) // the value of an edit is not a plain tree
	}
	return edited
}

// writer makes one addition. Like reader it uses the kinds of values, so that it can write into
// arguments and into the plain values that outputs resolve to.
type writer struct{ mutate.Edit }

// write returns the replacement of v, which is below the first keys of the path.
func (w writer) write(v reflect.Value, keys int) (reflect.Value, error) {
	held := argumentsOf(concrete(v), v.Type())
	if absent(held) {
		if w.toEach(keys) {
			return v, nil
		}
		return w.fill(v.Type(), keys)
	}
	switch class := classOf(held.Type()); {
	case class == output:
		return whenKnown(held, v.Type(), w.Path[:keys], func(known reflect.Value) (reflect.Value, error) {
			return w.write(known, keys)
		})
	case class == withoutForm:
		return v, nil
	case held.Kind() == reflect.Pointer:
		element, err := w.write(held.Elem(), keys)
		return pointerTo(element, held.Type()), err
	case keys < len(w.Path):
		return w.into(held, keys)
	default:
		return w.extend(held)
	}
}

// toEach reports whether the addition is to the elements of a list below the first keys of the path.
func (w writer) toEach(keys int) bool { return slices.Contains(w.Path[keys:], tree.Each) }

// into writes below the next key of the path.
func (w writer) into(v reflect.Value, keys int) (reflect.Value, error) {
	key := w.Path[keys]
	switch kind := v.Kind(); {
	case kind == reflect.Slice && key == tree.Each:
		out := shallow(v)
		for i := range out.Len() {
			changed, err := w.write(v.Index(i), keys+1)
			if err != nil {
				return v, err
			}
			out.Index(i).Set(changed)
		}
		return out, nil
	case key == tree.Each:
		return v, nil
	case kind == reflect.Struct:
		field, err := fieldNamed(v.Type(), key, w.Path[:keys])
		if err != nil {
			return v, err
		}
		changed, err := w.write(v.Field(field), keys+1)
		if err != nil {
			return v, err
		}
		out := shallow(v)
		out.Field(field).Set(changed)
		return out, nil
	case kind == reflect.Map: // in all SDKs, the keys are strings
		index := reflect.ValueOf(key).Convert(v.Type().Key())
		if !v.MapIndex(index).IsValid() && w.toEach(keys) {
			return v, nil
		}
		changed, err := w.element(v, index, keys+1)
		if err != nil {
			return v, err
		}
		out := shallow(v)
		out.SetMapIndex(index, changed)
		return out, nil
	default:
		return v, nil
	}
}

// element writes into an element of a map. A missing element is not the same as an empty
// text in a plain map.
func (w writer) element(of, index reflect.Value, keys int) (reflect.Value, error) {
	if existing := of.MapIndex(index); existing.IsValid() {
		return w.write(existing, keys)
	}
	return w.fill(of.Type().Elem(), keys)
}

// fill creates a value for a place that was empty.
func (w writer) fill(t reflect.Type, keys int) (reflect.Value, error) {
	rest := mutate.Edit{Path: w.Path[keys:], Value: w.Value}
	return inputs.build(t, rest.Apply(nil), w.Path[:keys])
}

// extend appends the missing elements to a list. Other values stay unchanged.
func (w writer) extend(v reflect.Value) (reflect.Value, error) {
	added, isList := w.Value.([]any)
	if v.Kind() != reflect.Slice || !isList {
		return v, nil
	}
	have, _ := Tree(v.Interface()).([]any)
	more, err := inputs.build(v.Type(), tree.Missing(have, added), w.Path)
	if err != nil {
		return v, err
	}
	return reflect.AppendSlice(shallow(v), more), nil
}

// whenKnown changes the value of an output when it is known. The type place is the type of the
// field or element: the resulting output can have another type than held, which may not fit there.
func whenKnown(
	held reflect.Value, place reflect.Type, path []string, change func(known reflect.Value) (reflect.Value, error),
) (reflect.Value, error) {
	out := held.Interface().(pulumi.Output)
	changed := applied(out, out.ElementType(), change)
	if !changed.Type().AssignableTo(place) {
		return held, misfit(held.Type(), changed.Type(), path)
	}
	return changed, nil
}

func misfit(from, into reflect.Type, path []string) error {
	return fmt.Errorf("cannot change %s: it is an output of type %s, which turns into one of type %s", pathText(path),
		from, into)
}

// applied returns an output of the results of a function, which have a type.
func applied(
	out pulumi.Output, result reflect.Type, change func(known reflect.Value) (reflect.Value, error),
) reflect.Value {
	// ApplyT derives the type of its output from the result type of the function.
	function := reflect.FuncOf([]reflect.Type{out.ElementType()}, []reflect.Type{result, errorType}, false)
	return reflect.ValueOf(out.ApplyT(reflect.MakeFunc(function, func(args []reflect.Value) []reflect.Value {
		value, failure := reflect.New(result).Elem(), reflect.New(errorType).Elem()
		if changed, err := change(args[0]); err != nil {
			failure.Set(reflect.ValueOf(err))
		} else {
			value.Set(changed)
		}
		return []reflect.Value{value, failure}
	}).Interface()))
}

var errorType = reflect.TypeFor[error]()

// concrete returns the value in an interface: the zero Value for nil.
func concrete(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// argumentsOf converts the result of a helper of the SDKs such as corev1.PodOSPtr: a pointer to a
// struct whose type is not exported, which the SDK itself cannot marshal
// (https://github.com/pulumi/pulumi/blob/sdk/v3.255.0/sdk/go/pulumi/rpc.go,
// marshalInputOptionsImpl). It returns the arguments that this type is defined as, if they fit
// into place.
func argumentsOf(held reflect.Value, place reflect.Type) reflect.Value {
	if held.Kind() != reflect.Pointer || held.IsNil() || held.Elem().Kind() != reflect.Struct ||
		token.IsExported(held.Elem().Type().Name()) {
		return held
	}
	i := slices.IndexFunc(inputs, func(args reflect.Type) bool {
		return args.AssignableTo(place) && args.Kind() == reflect.Struct && held.Elem().CanConvert(args)
	})
	if i < 0 {
		return held
	}
	return held.Elem().Convert(inputs[i])
}

// absent is Missing for a concrete value.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return v.IsNil()
	default:
		return false
	}
}

// shallow copies a struct, a map or a list, so that parts of it can be set.
func shallow(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for entries := v.MapRange(); entries.Next(); {
			out.SetMapIndex(entries.Key(), entries.Value())
		}
	case reflect.Slice:
		out.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
	default:
		out.Set(v)
	}
	return out
}

// pointerTo returns a pointer of a type to a value.
func pointerTo(v reflect.Value, pointer reflect.Type) reflect.Value {
	out := reflect.New(pointer.Elem())
	out.Elem().Set(v)
	return out
}

// fieldNamed returns the index of the field for a property.
func fieldNamed(t reflect.Type, property string, path []string) (int, error) {
	fields := fieldsOf(t)
	i := slices.IndexFunc(fields, func(f taggedField) bool { return f.name == property })
	if i < 0 {
		return 0, fmt.Errorf("there is no %s: %s has no such field", pathText(append(slices.Clip(path), property)), t)
	}
	return fields[i].index, nil
}

func pathText(path []string) string { return strings.Join(path, ".") }
