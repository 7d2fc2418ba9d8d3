package structure

import "slices"

// fits reports whether the fields of an object are certainly right. Most are: it is faster than [walker.object], which
// knows where it is.
func (t *Type) fits(has map[string]any, minor int) bool {
	if len(t.fields.sorted) > 2*len(has) {
		for name, v := range has {
			if f := t.fields.get(name); f == nil || !f.fits(v, minor) {
				return false
			}
		}
		return true
	}
	// To ask for each field of a small type takes less time than to iterate over the object.
	right := 0
	for _, s := range t.fields.sorted {
		if v, ok := has[s.name]; ok {
			if !s.fits(v, minor) {
				return false
			}
			right++
		}
	}
	return right == len(has)
}

// fits reports whether the value of a field is certainly right.
func (f *field) fits(v any, minor int) bool {
	return (f.always() || minor != 0 && f.has(minor)) && f.gate == nil && f.shape.fits(v, minor)
}

// fits reports whether a value is certainly right.
func (s *shape) fits(v any, minor int) bool {
	switch v := v.(type) {
	case map[string]any:
		if s.form == object {
			return s.typ.fits(v, minor)
		}
		if s.form != mapping {
			return false
		}
		for _, element := range v {
			if !s.elem.fits(element, minor) {
				return false
			}
		}
		return true
	case []any:
		return s.form == list && !slices.ContainsFunc(v, func(element any) bool { return !s.elem.fits(element, minor) })
	default:
		return s.takes(v)
	}
}

// takes reports whether a value that has no others in it is certainly right.
func (s *shape) takes(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return s.form == str || s.form == intOrString || s.form == quantity && isCommonQuantity(v)
	case bool:
		return s.form == boolean
	case int64:
		return s.form == int64s || s.form == int32s && v == int64(int32(v))
	default:
		return false
	}
}
