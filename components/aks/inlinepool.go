package aks

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// keepInline gives the pool that the cluster has inline what the program leaves out of it, as Azure
// describes it. Its changes cannot be ignored as those of other pools are: the path would be a number,
// under which the state can have another pool, as an import takes all pools in Azure's order. `az aks
// update` sends back what it has read, too.
func keepInline(profile *containerservice.ManagedClusterAgentPoolProfileArgs, inAzure map[string]any) error {
	// The fields have the names of Azure's properties, except for their case, to which this package is
	// indifferent. What azure-native only reads is not among them.
	var there containerservice.ManagedClusterAgentPoolProfile
	text, err := json.Marshal(inAzure)
	if err == nil {
		err = json.Unmarshal(text, &there)
	}
	if err != nil {
		return fmt.Errorf("reading the pool that the cluster has inline: %w", err)
	}
	keepUnsaid(reflect.ValueOf(profile).Elem(), reflect.ValueOf(there))
	return nil
}

// keepUnsaid sets the fields that arguments of azure-native leave out, as [unsaid] names them, to those
// of the plain values.
func keepUnsaid(args, there reflect.Value) {
	for i := range args.NumField() {
		field, name := args.Field(i), args.Type().Field(i).Name
		tag, _ := there.Type().FieldByName(name)
		has := there.FieldByName(name)
		if !has.IsValid() || has.IsZero() || slices.Contains(together, tag.Tag.Get("pulumi")) {
			continue
		}
		if field.IsNil() {
			field.Set(reflect.ValueOf(outputOf(has)))
			continue
		}
		// Arguments that are not an output have unsaid fields of their own.
		_, output := reflect.TypeAssert[pulumi.Output](field)
		if said := reflect.Indirect(field.Elem()); !output && said.Kind() == reflect.Struct {
			both := reflect.New(said.Type()).Elem()
			both.Set(said)
			keepUnsaid(both, reflect.Indirect(has))
			field.Set(both)
		}
	}
}

// outputOf is an output of a plain value, of the type that the SDK has for it.
func outputOf(plain reflect.Value) pulumi.Output {
	of := reflect.FuncOf([]reflect.Type{reflect.TypeFor[any]()}, []reflect.Type{plain.Type()}, false)
	return pulumi.Any(nil).ApplyT(reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value {
		return []reflect.Value{plain}
	}).Interface())
}
