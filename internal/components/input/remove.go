package input

import (
	"fmt"
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// remover makes one removal. Like writer it uses the kinds of values.
type remover struct{ mutate.Edit }

// rest describes the result of a removal.
type rest int

const (
	all rest = iota
	some
	nothing
	// undecided is the rest of a value with an output that decides whether something is left.
	undecided
)

// from removes from whole arguments, of which something is always left.
func (r remover) from(v reflect.Value) (reflect.Value, error) {
	held := argumentsOf(concrete(v), v.Type())
	if absent(held) {
		return v, nil
	}
	if classOf(held.Type()) == output {
		return whenKnown(held, v.Type(), nil, r.from)
	}
	edited, left, err := r.remove(v, 0)
	if left == nothing {
		edited = empty(held)
	}
	return edited, err
}

// empty returns a value of the same type in which nothing is set.
func empty(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		return pointerTo(empty(v.Elem()), v.Type())
	case reflect.Map:
		return reflect.MakeMap(v.Type())
	case reflect.Slice:
		return reflect.MakeSlice(v.Type(), 0, 0)
	default:
		return reflect.Zero(v.Type())
	}
}

// remove returns the replacement of v, which is below the first keys of the path. It is valid if it is neither nothing
// nor undecided.
func (r remover) remove(v reflect.Value, keys int) (reflect.Value, rest, error) {
	held := argumentsOf(concrete(v), v.Type())
	if absent(held) {
		return v, all, nil
	}
	here := keys == len(r.Path)
	switch class := classOf(held.Type()); {
	case here && r.Value == nil:
		return v, nothing, nil
	case class == output:
		return v, undecided, nil
	case class == withoutForm:
		return v, all, nil
	case held.Kind() == reflect.Pointer:
		element, left, err := r.remove(held.Elem(), keys)
		if left == some && err == nil {
			return pointerTo(element, held.Type()), some, nil
		}
		return v, left, err
	case held.Kind() == reflect.Slice:
		return r.fromList(v, held, keys)
	case here:
		return v, compareWith(held, []any{r.Value}), nil
	case held.Kind() == reflect.Struct, held.Kind() == reflect.Map:
		return r.fromKey(v, held, keys)
	default:
		return v, all, nil
	}
}

// compareWith returns nothing for a value that equals one of those to remove.
func compareWith(v reflect.Value, removed []any) rest {
	have, left := Tree(v.Interface()), all
	for _, value := range removed {
		switch {
		case tree.Equal(have, value):
			return nothing
		case tree.MayEqual(have, value):
			left = undecided
		}
	}
	return left
}

// fromList removes elements of a list, or parts of them.
func (r remover) fromList(v, held reflect.Value, keys int) (reflect.Value, rest, error) {
	elements, several := r.Value.([]any)
	here := keys == len(r.Path)
	if here && !several || !here && r.Path[keys] != tree.Each {
		return v, all, nil
	}
	out := reflect.MakeSlice(held.Type(), 0, held.Len())
	changed := all
	for i := range held.Len() {
		element := held.Index(i)
		var left rest
		if here {
			left = compareWith(element, elements)
		} else {
			var err error
			if element, left, err = r.remove(element, keys+1); err != nil {
				return v, all, err
			}
		}
		switch left {
		case undecided:
			return v, undecided, nil
		case nothing:
			changed = some
			continue
		case some:
			changed = some
		case all:
		}
		out = reflect.Append(out, element)
	}
	switch {
	case changed == all:
		return v, all, nil
	case out.Len() == 0:
		return v, nothing, nil
	default:
		return out, some, nil
	}
}

// fromKey removes the next key of the path from a struct or a map, or a part of its value.
func (r remover) fromKey(v, held reflect.Value, keys int) (reflect.Value, rest, error) {
	key := r.Path[keys]
	out := shallow(held)
	part, exists := parts(out)[key]
	if !exists {
		return v, all, nil
	}
	element, left, err := r.remove(part.value, keys+1)
	if err != nil || left == all {
		return v, all, err
	}
	others := keys == 0 // something is always left of the whole arguments
	if left != some && !others {
		var decided bool
		if others, decided = r.others(held, key); !decided {
			return v, undecided, nil
		}
	}
	switch {
	case left == some:
		part.set(element)
	case left == nothing && !others:
		return v, nothing, nil
	case left == nothing && held.Kind() == reflect.Map:
		part.set(reflect.Value{})
	case left == nothing:
		if place := part.value.Type(); !nilable(place) {
			return v, all, fmt.Errorf("cannot remove %s: %s always has a value there, of type %s",
				pathText(r.Path[:keys+1]), held.Type(), place)
		}
		part.set(reflect.Zero(part.value.Type()))
	case !others:
		return v, undecided, nil
	default:
		return r.later(v, part, keys, func(element reflect.Value) reflect.Value { part.set(element); return out })
	}
	return out, some, nil
}

// others reports whether a struct or a map has a value of another key; false, false if only an output decides it.
func (r remover) others(v reflect.Value, key string) (others, decided bool) {
	decided = true
	for name, part := range parts(v) {
		if name == key {
			continue
		}
		switch value := Tree(part.value.Interface()); {
		case tree.IsUnknown(value):
			decided = false
		case value != nil:
			return true, true
		}
	}
	return false, decided
}

// later replaces the value of a part that is undecided with an output that may resolve to nil. If this output does not
// fit there, the value that has the part is undecided.
func (r remover) later(
	v reflect.Value, at part, keys int, set func(reflect.Value) reflect.Value,
) (reflect.Value, rest, error) {
	place := at.value.Type()
	held := argumentsOf(concrete(at.value), place)
	out, isOutput := reflect.TypeAssert[pulumi.Output](held)
	if !isOutput {
		out = pulumi.ToOutput(withoutNil(at.value).Interface())
	}
	value := out.ElementType()
	result := value
	if !nilable(value) {
		result = reflect.PointerTo(value)
	}
	changed := applied(out, result, func(known reflect.Value) (reflect.Value, error) {
		edited, left, err := r.remove(known, keys+1)
		switch {
		case left == nothing:
			return reflect.Zero(result), err
		case result != value:
			return pointerTo(edited, result), err
		default:
			return edited, err
		}
	})
	switch {
	case changed.Type().AssignableTo(place):
		return set(changed), some, nil
	case keys == 0:
		return v, all, misfit(held.Type(), changed.Type(), r.Path[:1])
	default:
		return v, undecided, nil
	}
}

// withoutNil returns a copy of arguments without the keys of maps that have no value: in an output they would have one,
// an empty text for example.
func withoutNil(v reflect.Value) reflect.Value {
	held := argumentsOf(concrete(v), v.Type())
	switch {
	case absent(held), classOf(held.Type()) == output, classOf(held.Type()) == withoutForm:
		return v
	case held.Kind() == reflect.Pointer:
		return pointerTo(withoutNil(held.Elem()), held.Type())
	}
	out := shallow(held)
	for _, part := range parts(out) {
		if held.Kind() == reflect.Map && absent(concrete(part.value)) {
			part.set(reflect.Value{})
			continue
		}
		part.set(withoutNil(part.value))
	}
	return out
}

// nilable reports whether a value of a type can be nil.
func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice:
		return true
	default:
		return false
	}
}
