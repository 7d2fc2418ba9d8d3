package structure

import "slices"

// fits reports whether the fields of an object are certainly right. Most are: it is faster than [walker.object], which
// knows where it is.
func (t *Type) fits(has map[string]any, minor int) bool {
	// To ask for a field takes less time than to iterate over the object, if most answers are yes.
	right, usual := 0, t.fields.usual
	for _, s := range usual[:min(len(usual), 2*len(has)+1)] {
		if right == len(has) {
			return true
		}
		if v, ok := has[s.name]; ok {
			if !s.fits(v, minor) {
				return false
			}
			right++
		}
	}
	if right == len(has) {
		return true
	}
	for name, v := range has {
		if f := t.fields.get(name); f == nil || !f.fits(v, minor) {
			return false
		}
	}
	return true
}

// fits reports whether the value of a field is certainly right.
func (f *field) fits(v any, minor int) bool {
	return (f.always() || minor != 0 && f.has(minor)) && f.gate == nil && f.shape.fits(v, minor)
}

// fits reports whether a value is certainly right.
func (s *shape) fits(v any, minor int) bool {
	switch v := v.(type) {
	case string:
		return s.takesText(v)
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
		return s.takesText(v)
	case bool:
		return s.form == boolean
	case int64:
		return s.form == int64s || s.form == int32s && v == int64(int32(v))
	default:
		return false
	}
}

// takesText reports whether a text is certainly right.
func (s *shape) takesText(v string) bool {
	return s.form == str || s.form == intOrString || s.form == quantity && isCommonQuantity(v)
}
