package stackconfig

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/nearest"
)

// value is one decoded JSON or YAML value at its path. Its methods report a
// value of another type and return the zero value then.
type value struct {
	path *field.Path
	raw  any
	errs *field.ErrorList
}

func (v value) text() string {
	switch raw := v.raw.(type) {
	case string:
		return raw
	case int, int64, float64:
		v.report(field.TypeInvalid(v.path, raw, fmt.Sprintf("must be a string: write it in quotes, %q", fmt.Sprint(raw))))
	default:
		v.report(field.TypeInvalid(v.path, raw, "must be a string"))
	}
	return ""
}

// integer reads a whole number; JSON has floating-point numbers only.
func (v value) integer() int {
	switch raw := v.raw.(type) {
	case int:
		return raw
	case float64:
		if raw == math.Trunc(raw) && math.Abs(raw) <= math.MaxInt32 {
			return int(raw)
		}
	}
	v.report(field.TypeInvalid(v.path, v.raw, "must be a whole number"))
	return 0
}

func (v value) list() []value {
	raw, ok := v.raw.([]any)
	if !ok {
		v.report(field.TypeInvalid(v.path, v.raw, "must be a list"))
		return nil
	}
	out := make([]value, len(raw))
	for i := range raw {
		out[i] = value{v.path.Index(i), raw[i], v.errs}
	}
	return out
}

func (v value) object() (*object, bool) {
	raw, ok := v.raw.(map[string]any)
	if !ok {
		v.report(field.TypeInvalid(v.path, v.raw, "must be an object"))
		return nil, false
	}
	return &object{path: v.path, values: raw, errs: v.errs}, true
}

func (v value) report(err *field.Error) { *v.errs = append(*v.errs, err) }

// object is a decoded mapping that notes which of its keys are asked for.
type object struct {
	path   *field.Path
	values map[string]any
	errs   *field.ErrorList
	known  []string
}

// get returns the value of a key. A key without a value counts as left out.
func (o *object) get(key string) (value, bool) {
	o.known = append(o.known, key)
	raw := o.values[key]
	return value{o.path.Child(key), raw, o.errs}, raw != nil
}

// require returns the value of a key that must be there.
func (o *object) require(key, detail string) (value, bool) {
	v, ok := o.get(key)
	if !ok {
		v.report(field.Required(v.path, detail))
	}
	return v, ok
}

func (o *object) text(key string) string {
	if v, ok := o.get(key); ok {
		return v.text()
	}
	return ""
}

// finish reports the keys that nobody has asked for.
func (o *object) finish() {
	for _, key := range slices.Sorted(maps.Keys(o.values)) {
		if slices.Contains(o.known, key) {
			continue
		}
		*o.errs = append(*o.errs, field.Invalid(o.path.Child(key), key, unknown("key", key, o.known)))
	}
}

// unknown says that a name is not known, which one may have been meant, and
// which ones there are.
func unknown(what, name string, known []string) string {
	detail := "unknown " + what
	if near, ok := nearest.Of(name, known); ok {
		detail += fmt.Sprintf(": did you mean %q?", near)
	}
	return fmt.Sprintf("%s (there are %s)", detail, strings.Join(known, ", "))
}
