package provider

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// request is the request of a program, read against the type of the component's arguments.
type request struct {
	// plain is the tree of the plain values. A [leaf] replaces each value that Pulumi's SDK reads.
	plain any
	// inputs are the values of the leaves.
	inputs resource.PropertyMap
	// unknown are the paths of outputs of other components that are not known yet.
	unknown []*field.Path
	// after are the URNs of the resources that the outputs of other components depend on.
	after map[string]bool
	errs  field.ErrorList
}

// leaf is the key of a value in [request.inputs].
type leaf string

// read reads the inputs of a component.
func read(args reflect.Type, inputs resource.PropertyMap) *request {
	r := &request{inputs: resource.PropertyMap{}, after: map[string]bool{}}
	r.plain = r.value(args, resource.NewProperty(inputs), nil)
	return r
}

// value returns a value as a tree, for its type in Go: nil if the type is not known.
func (r *request) value(t reflect.Type, v resource.PropertyValue, path *field.Path) any {
	if t != nil {
		t = below(t)
	}
	switch {
	case v.IsNull():
		return nil
	case t != nil && isInput(t):
		return r.leaf(t, v, path)
	case t != nil && isComponentOutput(t):
		return r.componentOutput(v, path)
	}
	v = plainly(v)
	switch {
	case v.IsNull():
		return nil
	case isOutput(v):
		return r.invalid(path, mustBePlain)
	case v.IsArray():
		return r.list(t, v.ArrayValue(), path)
	case v.IsObject():
		return r.object(chosen(t, v.ObjectValue()), v.ObjectValue(), path)
	case v.IsAsset(), v.IsArchive(), v.IsResourceReference():
		return r.invalid(path, notA(v))
	default:
		return v.V
	}
}

// invalid adds an error that does not show the value.
func (r *request) invalid(path *field.Path, why string) any {
	r.errs = append(r.errs, field.Invalid(path, field.OmitValueType{}, why))
	return nil
}

// The errors for outputs. docs/components.md describes the same rules for the plain inputs of Go.
const (
	mustBePlain = "must be plain, as the component decides on it in the preview, and is an output: read it before, " +
		"from the configuration of the stack, from a file, or from another stack (getOutputDetails of its reference)"
	mustBeShown = "is a secret, and previews show what follows from it: set a value that is not secret"
)

func notA(v resource.PropertyValue) string {
	if v.IsResourceReference() {
		return "must be a value, not a resource: take one of its outputs"
	}
	return "must be a value, not an " + v.TypeString()
}

// plainly unwraps an output that is known, depends on nothing and is not a secret: programs in some languages make all
// values outputs.
func plainly(v resource.PropertyValue) resource.PropertyValue {
	for v.IsOutput() {
		o := v.OutputValue()
		if !o.Known || o.Secret || len(o.Dependencies) > 0 {
			return v
		}
		v = o.Element
	}
	return v
}

func (r *request) list(t reflect.Type, values []resource.PropertyValue, path *field.Path) any {
	var element reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		element = t.Elem()
	}
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = r.value(element, v, path.Index(i))
	}
	return list
}

func (r *request) object(t reflect.Type, values resource.PropertyMap, path *field.Path) any {
	object := map[string]any{}
	var known map[string]reflect.StructField
	if t != nil && t.Kind() == reflect.Struct {
		known = fields(t)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if resource.IsInternalPropertyKey(key) {
			continue
		}
		var element reflect.Type
		at := path.Child(string(key))
		if f, ok := known[string(key)]; ok {
			element = f.Type
		} else if t != nil && t.Kind() == reflect.Map {
			element, at = t.Elem(), path.Key(string(key))
		}
		object[string(key)] = r.value(element, values[key], at)
	}
	return object
}

// leaf stores a value that Pulumi's SDK reads. The SDK ignores unknown keys, so leaf checks for them.
func (r *request) leaf(t reflect.Type, v resource.PropertyValue, path *field.Path) any {
	if t.Kind() == reflect.Struct && isOutput(plainly(v)) {
		return r.invalid(path, "must be plain, because the component completes them: only their fields may be outputs")
	}
	wrong := misspelled(elementOf(t), v, path)
	if r.errs = append(r.errs, wrong...); len(wrong) > 0 {
		return nil
	}
	key := leaf(strconv.Itoa(len(r.inputs)))
	r.inputs[resource.PropertyKey(key)] = v
	return key
}

func isOutput(v resource.PropertyValue) bool { return v.IsOutput() || v.IsSecret() || v.IsComputed() }

// componentOutput returns the value of another component's output. The component waits for it: the engine has done so
// already.
func (r *request) componentOutput(v resource.PropertyValue, path *field.Path) any {
	maps.Copy(r.after, dependencies(v))
	switch {
	case v.ContainsSecrets():
		return r.invalid(path, mustBeShown)
	case v.IsResourceReference():
		return r.invalid(path, notA(v))
	}
	known, ok := revealed(v)
	if !ok {
		r.unknown = append(r.unknown, path)
		return nil
	}
	return known
}

// dependencies returns the URNs of the resources that the outputs in a value depend on.
func dependencies(v resource.PropertyValue) map[string]bool {
	found := map[string]bool{}
	v.MapRepl(nil, func(v resource.PropertyValue) (any, bool) {
		if v.IsOutput() {
			for _, urn := range v.OutputValue().Dependencies {
				found[string(urn)] = true
			}
			maps.Copy(found, dependencies(v.OutputValue().Element))
		}
		if v.IsSecret() {
			maps.Copy(found, dependencies(v.SecretValue().Element))
		}
		return nil, isOutput(v)
	})
	return found
}

// waitFor adds the dependencies that a request has separately from its inputs: SDKs that do not send output values send
// them only there.
func (r *request) waitFor(inputs resource.PropertyMap, req *pulumirpc.ConstructRequest) {
	for key, all := range req.GetInputDependencies() {
		within := dependencies(inputs[resource.PropertyKey(key)])
		for _, urn := range all.GetUrns() {
			if !within[urn] {
				r.after[urn] = true
			}
		}
	}
}

// revealed returns a value without its outputs. It is false if a part of the value is not known.
func revealed(v resource.PropertyValue) (any, bool) {
	known := true
	value := v.MapRepl(nil, func(v resource.PropertyValue) (any, bool) {
		switch {
		case v.IsComputed() || v.IsOutput() && !v.OutputValue().Known:
			known = false
			return nil, true
		case v.IsOutput():
			inner, ok := revealed(v.OutputValue().Element)
			known = known && ok
			return inner, true
		}
		return nil, false
	})
	return value, known
}

// misspelled reports the keys of a value that a type does not have, and values that do not fit the type.
func misspelled(t reflect.Type, v resource.PropertyValue, path *field.Path) field.ErrorList {
	for isOutput(v) {
		switch {
		case v.IsSecret():
			v = v.SecretValue().Element
		case v.IsOutput() && v.OutputValue().Known:
			v = v.OutputValue().Element
		default:
			return nil
		}
	}
	if t == nil || v.IsNull() {
		return nil
	}
	var errs field.ErrorList
	switch t = below(t); {
	case t.Kind() == reflect.Struct && v.IsObject():
		known := fields(t)
		for _, key := range slices.Sorted(maps.Keys(v.ObjectValue())) {
			name := string(key)
			if f, ok := known[name]; ok {
				errs = append(errs, misspelled(f.Type, v.ObjectValue()[key], path.Child(name))...)
			} else if !resource.IsInternalPropertyKey(key) {
				errs = append(errs, field.Invalid(path.Child(name), name,
					fielderrors.Unknown("key", name, slices.Sorted(maps.Keys(known)))))
			}
		}
	case t.Kind() == reflect.Map && v.IsObject():
		for _, key := range slices.Sorted(maps.Keys(v.ObjectValue())) {
			errs = append(errs, misspelled(t.Elem(), v.ObjectValue()[key], path.Key(string(key)))...)
		}
	case t.Kind() == reflect.Slice && v.IsArray():
		for i, element := range v.ArrayValue() {
			errs = append(errs, misspelled(t.Elem(), element, path.Index(i))...)
		}
	default:
		if what := expected(t, v); what != "" {
			message := fmt.Sprintf("must be %s, not %s", what, v.TypeString())
			errs = append(errs, field.TypeInvalid(path, field.OmitValueType{}, message))
		}
	}
	return errs
}

// expected describes what a type takes if a value does not fit it.
func expected(t reflect.Type, v resource.PropertyValue) string {
	fits, what := true, ""
	switch t.Kind() {
	case reflect.String:
		fits, what = v.IsString() || v.IsNumber() || v.IsBool(), "a string"
	case reflect.Bool:
		fits, what = v.IsBool(), "true or false"
	case reflect.Int:
		fits, what = v.IsNumber() && v.NumberValue() == float64(int(v.NumberValue())), "a whole number"
	case reflect.Float64:
		fits, what = v.IsNumber(), "a number"
	case reflect.Slice:
		fits, what = v.IsArray(), "a list"
	case reflect.Map, reflect.Struct:
		fits, what = v.IsObject() || v.IsAsset() || v.IsArchive(), "an object"
	}
	if fits {
		return ""
	}
	return what
}
