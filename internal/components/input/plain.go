package input

import (
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Plain unwraps an input that is not an output into the type that it holds: a
// struct of arguments, a map, a string. It returns false if the input is nil, an
// output, or has another type.
//
// The SDKs' pointer helpers (pulumi.StringPtr, corev1.PodSpecPtr) return types
// that are not exported, so Plain compares kinds instead of types.
func Plain[T any](in any) (T, bool) {
	var zero T
	if _, ok := in.(pulumi.Output); ok {
		return zero, false
	}
	// For nil, and for a nil pointer, this is the zero Value, whose kind is Invalid.
	v := reflect.Indirect(reflect.ValueOf(in))
	want := reflect.TypeFor[T]()
	if v.Kind() != want.Kind() || !v.CanConvert(want) {
		return zero, false
	}
	return v.Convert(want).Interface().(T), true
}
