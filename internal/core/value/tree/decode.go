package tree

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Decode fills the value that out points to. The raw value consists of nil, bool, int, int64,
// float64, string, []any, map[string]any and map[any]any. The key of a field is in its tag pulumi
// or json, or is the name of the field; the fields of an embedded struct have their keys in the same
// map as the others. A key without a value is not set. A field with the tag required must be set and
// not empty, and the tag describes the field for the error. A string with the tag number may also be a
// whole number, and the tag describes the valid values. A field of type any gets the raw value
// unchanged. Types that implement [encoding.TextUnmarshaler], and types with a [TextAs], are
// written as text.
//
// A value that cannot be read leaves its field unchanged, and so does an empty list. Elements of
// lists keep their indexes, so that the paths of the others stay correct.
func Decode(out, raw any, path *field.Path, options ...Option) field.ErrorList {
	d := &decoder{parsers: map[reflect.Type]func(string) (any, error){}}
	for _, o := range append([]Option{TextAs(prefixOf), TextAs(addressOf)}, options...) {
		o(d)
	}
	d.value(reflect.ValueOf(out).Elem(), raw, path)
	return d.errs
}

// Option changes how [Decode] reads values.
type Option func(*decoder)

// TextAs reads values of a type that is written as text.
func TextAs[T any](parse func(text string) (T, error)) Option {
	return func(d *decoder) {
		d.parsers[reflect.TypeFor[T]()] = func(text string) (any, error) { return parse(text) }
	}
}

// As reads values of the types that match returns true for with the function set, which returns the errors.
func As(
	match func(reflect.Type) bool, set func(out reflect.Value, raw any, path *field.Path) field.ErrorList,
) Option {
	return func(d *decoder) { d.others = append(d.others, other{match, set}) }
}

type other struct {
	match func(reflect.Type) bool
	set   func(out reflect.Value, raw any, path *field.Path) field.ErrorList
}

// prefixOf and addressOf return errors that describe a valid value: the errors of
// package netip name the parser.
func prefixOf(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, errors.New("must be a CIDR, 10.240.0.0/24 for example")
	}
	return prefix, nil
}

func addressOf(text string) (netip.Addr, error) {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return address, errors.New("must be an IP address, 10.96.0.10 for example")
	}
	return address, nil
}

// Hidden leaves all values out of the errors, because they can be secret.
func Hidden(d *decoder) { d.hidden = true }

type decoder struct {
	parsers map[reflect.Type]func(text string) (any, error)
	others  []other
	hidden  bool
	errs    field.ErrorList
}

func (d *decoder) value(out reflect.Value, raw any, path *field.Path) {
	if parse, ok := d.parsers[out.Type()]; ok {
		d.parsed(out, raw, path, parse)
		return
	}
	for _, o := range d.others {
		if o.match(out.Type()) {
			d.errs = append(d.errs, o.set(out, raw, path)...)
			return
		}
	}
	if text, ok := reflect.TypeAssert[encoding.TextUnmarshaler](out.Addr()); ok {
		d.parsed(out, raw, path, func(s string) (any, error) {
			err := text.UnmarshalText([]byte(s))
			return out.Interface(), err
		})
		return
	}
	switch out.Kind() {
	case reflect.String:
		if text, ok := d.text(raw, path); ok {
			out.SetString(text)
		}
	case reflect.Bool:
		if b, ok := raw.(bool); ok {
			out.SetBool(b)
		} else {
			d.mustBe(raw, path, "true or false")
		}
	case reflect.Int:
		if n, ok := whole(raw).(int); ok {
			out.SetInt(int64(n))
		} else {
			d.mustBe(raw, path, "a whole number")
		}
	case reflect.Float64:
		d.number(out, raw, path)
	case reflect.Slice:
		d.list(out, raw, path)
	case reflect.Map:
		d.byKey(out, raw, path)
	case reflect.Struct:
		d.object(out, raw, path)
	case reflect.Interface:
		out.Set(reflect.ValueOf(raw))
	case reflect.Pointer:
		out.Set(reflect.New(out.Type().Elem()))
		d.value(out.Elem(), raw, path)
	default:
		panic(fmt.Sprintf("decode: a %s cannot be read", out.Type()))
	}
}

func (d *decoder) parsed(out reflect.Value, raw any, path *field.Path, parse func(string) (any, error)) {
	text, ok := d.text(raw, path)
	if !ok {
		return
	}
	parsed, err := parse(text)
	if err != nil {
		d.invalid(path, text, err.Error())
		return
	}
	out.Set(reflect.ValueOf(parsed))
}

func (d *decoder) text(raw any, path *field.Path) (string, bool) {
	switch raw := whole(raw).(type) {
	case string:
		return raw, true
	case nil:
		d.mustBe(raw, path, `a string: write "" for an empty one`)
	case []any, map[string]any, map[any]any:
		d.mustBe(raw, path, "a string")
	case float64:
		// The digits in the source are lost: the fix cannot repeat them.
		d.mustBe(raw, path, "a string: write it in quotes, as a number loses its last zeros (1.30 is 1.3)")
	default:
		d.mustBe(raw, path, "a string: write it in quotes")
	}
	return "", false
}

func (d *decoder) number(out reflect.Value, raw any, path *field.Path) {
	switch n := whole(raw).(type) {
	case int:
		out.SetFloat(float64(n))
	case float64:
		out.SetFloat(n)
	default:
		d.mustBe(raw, path, "a number")
	}
}

func (d *decoder) list(out reflect.Value, raw any, path *field.Path) {
	list, ok := raw.([]any)
	if !ok {
		d.mustBe(raw, path, "a list")
		return
	}
	if len(list) == 0 {
		return
	}
	out.Set(reflect.MakeSlice(out.Type(), len(list), len(list)))
	for i := range list {
		d.value(out.Index(i), list[i], path.Index(i))
	}
}

func (d *decoder) byKey(out reflect.Value, raw any, path *field.Path) {
	values, ok := d.keys(raw, path)
	if !ok {
		return
	}
	out.Set(reflect.MakeMapWithSize(out.Type(), len(values)))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		element := reflect.New(out.Type().Elem()).Elem()
		d.value(element, values[key], path.Key(key))
		out.SetMapIndex(reflect.ValueOf(key).Convert(out.Type().Key()), element)
	}
}

func (d *decoder) object(out reflect.Value, raw any, path *field.Path) {
	values, ok := d.keys(raw, path)
	if !ok {
		return
	}
	var known []string
	for _, f := range reflect.VisibleFields(out.Type()) {
		key := Key(f)
		if key == "" {
			continue
		}
		known = append(known, key)
		value := values[key]
		if what, ok := f.Tag.Lookup("number"); ok && value != nil {
			d.numberOrText(out.FieldByIndex(f.Index), value, path.Child(key), what)
		} else if value != nil {
			d.value(out.FieldByIndex(f.Index), value, path.Child(key))
		}
		if why, required := f.Tag.Lookup("required"); required && (value == nil || isEmpty(value)) {
			d.errs = append(d.errs, field.Required(path.Child(key), why))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, key) {
			d.invalid(path.Child(key), key, fielderrors.Unknown("key", key, known))
		}
	}
}

// numberOrText sets a string that may be written as a number, with or without quotes.
func (d *decoder) numberOrText(out reflect.Value, raw any, path *field.Path, what string) {
	switch v := whole(raw).(type) {
	case string:
		out.SetString(v)
	case int:
		out.SetString(strconv.Itoa(v))
	default:
		d.mustBe(raw, path, what)
	}
}

// Key returns the key of a field, "" if it does not have one.
func Key(f reflect.StructField) string {
	if f.Anonymous || !f.IsExported() {
		return ""
	}
	for _, tag := range []string{"pulumi", "json"} {
		if key, _, _ := strings.Cut(f.Tag.Get(tag), ","); key == "-" {
			return ""
		} else if key != "" {
			return key
		}
	}
	return f.Name
}

func isEmpty(raw any) bool {
	switch raw := raw.(type) {
	case string:
		return raw == ""
	case []any:
		return len(raw) == 0
	default:
		return false
	}
}

// keys returns a mapping with its keys as strings, and reports the other keys, which YAML can have.
func (d *decoder) keys(raw any, path *field.Path) (map[string]any, bool) {
	switch values := raw.(type) {
	case map[string]any:
		return values, true
	case map[any]any:
		named := map[string]any{}
		shown := func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		for _, key := range slices.SortedFunc(maps.Keys(values), shown) {
			if name, ok := key.(string); ok {
				named[name] = values[key]
				continue
			}
			d.mustBe(key, path.Key(fmt.Sprint(key)), "a string, like all keys: write it in quotes")
		}
		return named, true
	default:
		d.mustBe(raw, path, "an object")
		return nil, false
	}
}

// mustBe reports a value of another type. The error has the value itself if it is a scalar, otherwise only its kind. A
// text that is the whole document is not shown: it is a wrong file, perhaps one with a secret.
func (d *decoder) mustBe(raw any, path *field.Path, what string) {
	bad := whole(raw)
	switch bad.(type) {
	case string:
		if path == nil {
			bad = field.OmitValueType{}
		}
	case []any:
		bad = "a list"
	case map[string]any, map[any]any:
		bad = "an object"
	}
	if d.hidden {
		bad = field.OmitValueType{}
	}
	d.errs = append(d.errs, field.TypeInvalid(path, bad, "must be "+what))
}

func (d *decoder) invalid(path *field.Path, value any, detail string) {
	if d.hidden {
		value = field.OmitValueType{}
	}
	d.errs = append(d.errs, field.Invalid(path, value, detail))
}

// whole converts a whole number to int: JSON has only floating-point numbers, YAML has both, and a
// plain tree has int64.
func whole(raw any) any {
	if f, ok := raw.(float64); ok {
		raw = Number(f)
	}
	if n, ok := raw.(int64); ok {
		return int(n)
	}
	return raw
}
