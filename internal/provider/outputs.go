package provider

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"

	"github.com/mixedkube/mixedkube/components/topology"
)

// output is an output that is no field with a tag: one that is plain in Go, or that cannot have its
// name there.
type output struct {
	name string
	// field is the field of the result that it comes from.
	field string
}

// optional says whether a field may be left out.
func optional(f reflect.StructField) bool {
	flags := strings.Split(f.Tag.Get("pulumi"), ",")[1:]
	return slices.Contains(flags, "optional")
}

// fieldsOfOutputs are the fields of the outputs, by their names.
func (c Component) fieldsOfOutputs() map[string]reflect.StructField {
	found := map[string]reflect.StructField{}
	for f := range c.Result.Fields() {
		if name, tagged := f.Tag.Lookup("pulumi"); tagged && f.IsExported() {
			found[name] = f
		}
	}
	for _, o := range c.outputs {
		f, ok := c.Result.FieldByName(o.field)
		if !ok {
			panic("provider: " + c.Token() + " has no field " + o.field)
		}
		found[o.name] = f
	}
	return found
}

// result is what a program in another language gets of a component.
func (c Component) result(made pulumi.ComponentResource) *provider.ConstructResult {
	state := pulumi.Map{}
	value := reflect.ValueOf(made).Elem()
	outputs := c.fieldsOfOutputs()
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		switch v := value.FieldByIndex(outputs[name].Index).Interface().(type) {
		case pulumi.Input:
			state[name] = v
		case topology.Topology:
			state[name] = pulumi.ToOutput(topology.Encode(v))
		default:
			state[name] = pulumi.ToOutput(v)
		}
	}
	return &provider.ConstructResult{URN: made.URN(), State: state}
}
