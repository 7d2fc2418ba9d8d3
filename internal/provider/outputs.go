package provider

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/core/topology"
)

// output is an output that is not a field with a tag, because it is plain in Go or cannot have the same name there.
type output struct {
	name string
	// from is the field or the method of the result that it comes from.
	from string
}

// optional reports whether a field is optional.
func optional(f reflect.StructField) bool {
	flags := strings.Split(f.Tag.Get("pulumi"), ",")[1:]
	return slices.Contains(flags, "optional")
}

// fieldsOfOutputs returns the fields of the outputs, by their names. An output that is a method has no index.
func (c Component) fieldsOfOutputs() map[string]reflect.StructField {
	found := map[string]reflect.StructField{}
	for f := range c.Result.Fields() {
		if name, tagged := f.Tag.Lookup("pulumi"); tagged && f.IsExported() {
			found[name] = f
		}
	}
	for _, o := range c.outputs {
		f, isField := c.Result.FieldByName(o.from)
		m, isMethod := reflect.PointerTo(c.Result).MethodByName(o.from)
		switch {
		case isMethod:
			f = reflect.StructField{Name: o.from, Type: m.Type.Out(0)}
		case !isField:
			panic("provider: " + c.Token() + " has no " + o.from)
		}
		found[o.name] = f
	}
	return found
}

// result returns the outputs of a component for a program in another language.
func (c Component) result(made pulumi.ComponentResource) *provider.ConstructResult {
	state := pulumi.Map{}
	pointer := reflect.ValueOf(made)
	outputs := c.fieldsOfOutputs()
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		switch v := valueOf(pointer, outputs[name]).(type) {
		case pulumi.Input:
			state[name] = v
		case topology.Topology:
			state[name] = pulumi.ToOutput(topology.Encode(v))
		case aks.KubeletIdentity:
			state[name] = objectOf(reflect.ValueOf(v))
		default:
			state[name] = pulumi.ToOutput(v)
		}
	}
	return &provider.ConstructResult{URN: made.URN(), State: state}
}

// objectOf returns a struct of outputs as an object.
func objectOf(v reflect.Value) pulumi.Map {
	object := pulumi.Map{}
	for key, f := range fields(v.Type()) {
		object[key] = v.FieldByIndex(f.Index).Interface().(pulumi.Input)
	}
	return object
}

func valueOf(pointer reflect.Value, f reflect.StructField) any {
	if f.Index == nil {
		return pointer.MethodByName(f.Name).Call(nil)[0].Interface()
	}
	return pointer.Elem().FieldByIndex(f.Index).Interface()
}
