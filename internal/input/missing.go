package input

import "reflect"

// Missing reports whether an input is left out: nil itself, or a nil pointer, map or slice
// in an interface, as corev1.PodOSPtr(nil) makes one.
func Missing(in any) bool {
	if in == nil {
		return true
	}
	switch v := reflect.ValueOf(in); v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return v.IsNil()
	default:
		return false
	}
}
