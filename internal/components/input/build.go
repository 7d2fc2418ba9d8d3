package input

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// types are the types of new arguments.
type types []reflect.Type

// inputs are the types of the arguments that edits create. The SDK has no list of the arguments that
// implement an interface such as corev1.PodOSPtrInput: an interface without a type in this list is
// an error. If several types fit, the first one is taken: Pulumi's untyped form for an interface
// that any type fits.
var inputs = types{
	reflect.TypeFor[pulumi.Map](), reflect.TypeFor[pulumi.Array](),
	reflect.TypeFor[pulumi.String](), reflect.TypeFor[pulumi.Bool](),
	reflect.TypeFor[pulumi.Int](), reflect.TypeFor[pulumi.Float64](),
	reflect.TypeFor[pulumi.StringMap](), reflect.TypeFor[pulumi.StringArray](),

	reflect.TypeFor[corev1.PodTemplateSpecArgs](), reflect.TypeFor[corev1.PodSpecArgs](),
	reflect.TypeFor[corev1.PodOSArgs](),
	reflect.TypeFor[corev1.PodSecurityContextArgs](), reflect.TypeFor[corev1.WindowsSecurityContextOptionsArgs](),
	reflect.TypeFor[corev1.TolerationArray](), reflect.TypeFor[corev1.TolerationArgs](),
	reflect.TypeFor[corev1.AffinityArgs](), reflect.TypeFor[corev1.NodeAffinityArgs](),
	reflect.TypeFor[corev1.NodeSelectorArgs](),
	reflect.TypeFor[corev1.NodeSelectorTermArray](), reflect.TypeFor[corev1.NodeSelectorTermArgs](),
	reflect.TypeFor[corev1.NodeSelectorRequirementArray](), reflect.TypeFor[corev1.NodeSelectorRequirementArgs](),
}

// Build builds a value of a type, plain or of arguments, from a plain tree. In addition to the types
// of arguments that [Edit] creates, it knows the types of the values in more.
func Build(t reflect.Type, in any, more ...any) (reflect.Value, error) {
	known := slices.Clone(inputs)
	for _, value := range more {
		known = append(known, reflect.TypeOf(value))
	}
	return known.build(t, in, nil)
}

// build builds a value of a type, plain or of arguments, from a tree; path is for errors.
func (known types) build(t reflect.Type, in any, path []string) (reflect.Value, error) {
	out := reflect.New(t).Elem()
	v := reflect.ValueOf(in)
	switch {
	case !v.IsValid():
		return out, nil
	case t.Kind() == reflect.Interface:
		return known.buildInterface(t, v, path)
	case t.Kind() == reflect.Pointer:
		element, err := known.build(t.Elem(), in, path)
		if err != nil {
			return out, err
		}
		return pointerTo(element, t), nil
	case !holds(t, v):
		return out, fmt.Errorf("cannot set %s: a value of type %T does not fit into %s", pathText(path), in, t)
	}
	switch in := in.(type) {
	case map[string]any:
		return known.buildMapping(out, in, path)
	case []any:
		out.Set(reflect.MakeSlice(t, len(in), len(in)))
		for i, element := range in {
			made, err := known.build(t.Elem(), element, append(slices.Clip(path), strconv.Itoa(i)))
			if err != nil {
				return out, err
			}
			out.Index(i).Set(made)
		}
		return out, nil
	default:
		return v.Convert(t), nil
	}
}

// buildInterface builds a value that implements an interface.
func (known types) buildInterface(t reflect.Type, v reflect.Value, path []string) (reflect.Value, error) {
	if v.Type().Implements(t) {
		return v, nil // an interface such as any
	}
	i := slices.IndexFunc(known, func(args reflect.Type) bool { return holds(args, v) && args.Implements(t) })
	if i < 0 {
		return reflect.Zero(t), fmt.Errorf("cannot set %s: no known type of arguments makes a %s of a value of type %s",
			pathText(path), t, v.Type())
	}
	return known.build(known[i], v.Interface(), path)
}

// buildMapping fills a struct, or a map.
func (known types) buildMapping(out reflect.Value, in map[string]any, path []string) (reflect.Value, error) {
	t := out.Type()
	if t.Kind() == reflect.Map {
		out.Set(reflect.MakeMapWithSize(t, len(in)))
	}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		at := append(slices.Clip(path), key)
		if t.Kind() == reflect.Map {
			made, err := known.build(t.Elem(), in[key], at)
			if err != nil {
				return out, err
			}
			out.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), made)
			continue
		}
		field, err := fieldNamed(t, key, path)
		if err != nil {
			return out, err
		}
		made, err := known.build(t.Field(field).Type, in[key], at)
		if err != nil {
			return out, err
		}
		out.Field(field).Set(made)
	}
	return out, nil
}

// holds reports whether a value of a tree fits into a type that is not an interface.
func holds(t reflect.Type, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map:
		return t.Kind() == reflect.Struct || t.Kind() == reflect.Map
	case reflect.Slice, reflect.String, reflect.Bool:
		return t.Kind() == v.Kind()
	case reflect.Float32, reflect.Float64:
		return reflect.Zero(t).CanFloat()
	default:
		return v.CanInt() && (reflect.Zero(t).CanInt() && !t.OverflowInt(v.Int()) || reflect.Zero(t).CanFloat())
	}
}
