package input

import (
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Plain unwraps an input that is not an output into the type that it holds: a
// struct of arguments, a map, a string. False means that it is nil, an output,
// or something else.
//
// The SDKs' pointer helpers (pulumi.StringPtr, corev1.PodSpecPtr) return types
// that are not exported, so this goes by kind instead of by type.
func Plain[T any](in any) (T, bool) {
	var zero T
	if _, ok := in.(pulumi.Output); ok {
		return zero, false
	}
	// Of nil, and of a nil pointer, this is a value of no kind.
	v := reflect.Indirect(reflect.ValueOf(in))
	want := reflect.TypeFor[T]()
	if v.Kind() != want.Kind() || !v.CanConvert(want) {
		return zero, false
	}
	return v.Convert(want).Interface().(T), true
}
