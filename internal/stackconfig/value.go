package stackconfig

import (
	"fmt"
	"maps"
	"slices"

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

func (v value) text() (string, bool) {
	switch raw := whole(v.raw).(type) {
	case string:
		return raw, true
	case nil:
		v.mustBe(`a string: write "" for an empty one`)
	case []any, map[string]any, map[any]any:
		v.mustBe("a string")
	case float64:
		// What was written is lost: the fix cannot repeat it.
		v.mustBe("a string: write it in quotes, as a number loses its last zeros (1.30 is 1.3)")
	default:
		v.mustBe("a string: write it in quotes")
	}
	return "", false
}

func (v value) integer() int {
	n, ok := whole(v.raw).(int)
	if !ok {
		v.mustBe("a whole number")
	}
	return n
}

func (v value) number() float64 {
	switch n := whole(v.raw).(type) {
	case int:
		return float64(n)
	case float64:
		return n
	default:
		v.mustBe("a number")
		return 0
	}
}

func (v value) boolean() (b, ok bool) {
	b, ok = v.raw.(bool)
	if !ok {
		v.mustBe("true or false")
	}
	return b, ok
}

// whole makes an int of a whole number, as JSON has floating-point numbers
// only, YAML both, and a plain tree int64.
func whole(raw any) any {
	if n, ok := raw.(int64); ok {
		return int(n)
	}
	if f, ok := raw.(float64); ok {
		if n := int(f); float64(n) == f {
			return n
		}
	}
	return raw
}

func (v value) list() []value {
	raw, ok := v.raw.([]any)
	if !ok {
		v.mustBe("a list")
		return nil
	}
	out := make([]value, len(raw))
	for i := range raw {
		out[i] = value{v.path.Index(i), raw[i], v.errs}
	}
	return out
}

func (v value) object() (*object, bool) {
	values, ok := v.raw.(map[string]any)
	if mixed, isMixed := v.raw.(map[any]any); isMixed {
		values, ok = v.stringKeys(mixed), true
	}
	if !ok {
		v.mustBe("an object")
		return nil, false
	}
	return &object{path: v.path, values: values, errs: v.errs}, true
}

// stringKeys reports the keys that are no strings, which YAML can have.
func (v value) stringKeys(mixed map[any]any) map[string]any {
	values := map[string]any{}
	for key, raw := range mixed {
		if name, ok := key.(string); ok {
			values[name] = raw
			continue
		}
		value{v.path.Key(fmt.Sprint(key)), key, v.errs}.mustBe("a string, as all keys: write it in quotes")
	}
	return values
}

// mustBe reports a value of another type: a scalar itself, of anything larger
// what it is.
func (v value) mustBe(what string) {
	bad := whole(v.raw)
	switch bad.(type) {
	case []any:
		bad = "a list"
	case map[string]any, map[any]any:
		bad = "an object"
	}
	v.report(field.TypeInvalid(v.path, bad, "must be "+what))
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
		text, _ := v.text()
		return text
	}
	return ""
}

func (o *object) integer(key string) int {
	if v, ok := o.get(key); ok {
		return v.integer()
	}
	return 0
}

func (o *object) boolean(key string) bool {
	if v, ok := o.get(key); ok {
		b, _ := v.boolean()
		return b
	}
	return false
}

// finish reports the keys that nobody has asked for.
func (o *object) finish() {
	for _, key := range slices.Sorted(maps.Keys(o.values)) {
		if slices.Contains(o.known, key) {
			continue
		}
		*o.errs = append(*o.errs, field.Invalid(o.path.Child(key), key, nearest.Unknown("key", key, o.known)))
	}
}
