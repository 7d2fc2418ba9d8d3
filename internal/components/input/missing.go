package input

import "reflect"

// Missing reports whether an input is not set: nil itself, or a nil pointer, map or slice
// in an interface, such as corev1.PodOSPtr(nil).
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
