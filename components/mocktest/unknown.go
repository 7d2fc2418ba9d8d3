package mocktest

import (
	"fmt"
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Unknown returns an output whose value is not known, for tests of what a
// component does with such an input in a preview:
//
//	mocktest.Unknown[pulumi.StringOutput]()
//
// It panics if the SDK does not know O as the output type of its elements.
// Registering a resource with it outside of [Preview] fails the run.
func Unknown[O pulumi.Output]() O {
	var zero O
	signature := reflect.FuncOf(
		[]reflect.Type{reflect.TypeFor[any]()}, []reflect.Type{zero.ElementType()}, false)
	// It is never called: nothing applies to an unknown value. ApplyT takes the type of its result from it.
	never := reflect.MakeFunc(signature, func([]reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.Zero(zero.ElementType())}
	})
	typed, ok := pulumi.UnsafeUnknownOutput(nil).ApplyT(never.Interface()).(O)
	if !ok {
		panic(fmt.Sprintf("mocktest: %T is not the registered output type of %v", zero, zero.ElementType()))
	}
	return typed
}
