package aks

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// keepInline sets the properties of the inline pool that the program leaves out to their values in Azure. Unlike the
// changes of other pools, changes of the inline pool cannot be ignored: their path has the index of the pool, and in
// the state the index can belong to another pool, because an import reads all pools in Azure's order. `az aks update`
// also sends back the values that it has read.
func keepInline(profile *containerservice.ManagedClusterAgentPoolProfileArgs, inAzure map[string]any) error {
	// The fields have the names of Azure's properties except for their case, which encoding/json ignores. They do not
	// include properties that azure-native only reads.
	var current containerservice.ManagedClusterAgentPoolProfile
	text, err := json.Marshal(inAzure)
	if err == nil {
		err = json.Unmarshal(text, &current)
	}
	if err != nil {
		return fmt.Errorf("reading the inline pool of the cluster: %w", err)
	}
	fillUnset(reflect.ValueOf(profile).Elem(), reflect.ValueOf(current))
	return nil
}

// fillUnset sets the fields that arguments of azure-native leave out, which [unset] lists, to the current plain values.
func fillUnset(args, current reflect.Value) {
	for i := range args.NumField() {
		field, name := args.Field(i), args.Type().Field(i).Name
		tag, _ := current.Type().FieldByName(name)
		value := current.FieldByName(name)
		if !value.IsValid() || value.IsZero() || slices.Contains(derived, tag.Tag.Get("pulumi")) {
			continue
		}
		if field.IsNil() {
			field.Set(reflect.ValueOf(outputOf(value)))
			continue
		}
		// Nested arguments that are not an output can have fields that are not set.
		_, output := reflect.TypeAssert[pulumi.Output](field)
		if nested := reflect.Indirect(field.Elem()); !output && nested.Kind() == reflect.Struct {
			merged := reflect.New(nested.Type()).Elem()
			merged.Set(nested)
			fillUnset(merged, reflect.Indirect(value))
			field.Set(merged)
		}
	}
}

// outputOf returns an output of a plain value, of the SDK's output type for that value.
func outputOf(plain reflect.Value) pulumi.Output {
	of := reflect.FuncOf([]reflect.Type{reflect.TypeFor[any]()}, []reflect.Type{plain.Type()}, false)
	return pulumi.Any(nil).ApplyT(reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value {
		return []reflect.Value{plain}
	}).Interface())
}
