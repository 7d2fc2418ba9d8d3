package structure

import (
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Check returns what is wrong with the structure of an object for Kubernetes 1.minor, 0 if the version is unknown.
func (k *Kind) Check(object map[string]any, minor int) []Problem {
	if minor == 0 {
		minor = k.one() // 0 if all versions have it
	}
	if k.typ.fits(object, minor) {
		return nil
	}
	w := walker{minor: minor}
	w.object(k.typ, object)
	return w.found()
}

// CheckPodTemplate is Check for the pod template at a path of an otherwise unknown object.
func CheckPodTemplate(template map[string]any, minor int, path ...string) []Problem {
	w := walker{minor: minor}
	for _, key := range path {
		w.push(part{name: key})
	}
	w.object(table().types["core.v1.PodTemplateSpec"], template)
	return w.found()
}

// MustBeText returns the problem of a value that is not a string.
func MustBeText(v any) Problem {
	var w walker
	w.value(&shape{form: str}, v)
	return w.problems[0]
}

// object checks the fields of a value of a type.
func (w *walker) object(t *Type, has map[string]any) {
	w.within = append(w.within, t)
	for name, v := range has {
		f := t.fields.get(name)
		if f != nil && f.always() && f.gate == nil && f.takes(v) {
			continue
		}
		w.push(part{name: name})
		switch {
		case f == nil:
			w.unknown(t, name, v)
		case !f.always() && !f.has(w.minor):
			w.ofOtherVersion(t, *f, v)
		default:
			w.value(f.shape, v)
			if f.gate != nil {
				w.disabled(f.gate, v)
			}
		}
		w.pop()
	}
	w.within = w.within[:len(w.within)-1]
}

// value checks a value. An unknown value and null may be of any type.
func (w *walker) value(s *shape, v any) {
	switch known := v.(type) {
	case nil, tree.Unknown:
	case map[string]any:
		w.fields(s, known)
	case []any:
		w.elements(s, known)
	case string:
		if s.form != str {
			w.text(s, known, v)
		}
	case bool, int64, float64:
		w.scalar(s, v, v)
	case tree.Secret:
		w.secret(s, known)
	default:
		w.value(s, tree.Normalize(v))
	}
}

// secret checks a value that must not be shown, not even in part.
func (w *walker) secret(s *shape, v tree.Secret) {
	switch held := tree.Normalize(tree.Reveal(v)).(type) {
	case nil, tree.Unknown:
	case string:
		w.text(s, held, v)
	case map[string]any, []any:
		w.value(s, tree.Seal(held))
	default:
		w.scalar(s, held, v)
	}
}

func (w *walker) fields(s *shape, v map[string]any) {
	switch s.form {
	case object:
		w.object(s.typ, v)
	case mapping:
		for key, element := range v {
			if s.elem.takes(element) {
				continue
			}
			w.push(part{name: key, kind: mapKey})
			w.value(s.elem, element)
			w.pop()
		}
	case schemaOrList, schemaOrBool, schemaOrStrings:
		w.schema(s, v)
	case anything:
	default:
		w.wrongType(s, v, nil)
	}
}

// schema checks a schema that decodes itself: unknown fields are silently ignored.
func (w *walker) schema(s *shape, v map[string]any) {
	lenient := w.lenient
	w.lenient = true
	w.object(s.typ, v)
	w.lenient = lenient
}

func (w *walker) elements(s *shape, v []any) {
	switch s.form {
	case list:
		w.each(s.elem, v)
	case schemaOrList:
		lenient := w.lenient
		w.lenient = true
		w.each(&shape{form: object, typ: s.typ}, v)
		w.lenient = lenient
	case schemaOrStrings:
		w.each(&shape{form: str}, v)
	case base64s:
		w.bytes(v)
	case anything:
	default:
		w.wrongType(s, v, nil)
	}
}

func (w *walker) each(s *shape, v []any) {
	for i, element := range v {
		if s.takes(element) {
			continue
		}
		w.push(part{at: int32(i), kind: listIndex})
		w.value(s, element)
		w.pop()
	}
}

// bytes checks a list in place of a base64 string. The API server reads it as bytes.
func (w *walker) bytes(v []any) {
	for i, element := range v {
		n, whole := tree.Int(element)
		if element == nil || tree.IsUnknown(element) || whole && n >= 0 && n <= 255 {
			continue
		}
		w.push(part{at: int32(i), kind: listIndex})
		w.report(Problem{Fault: WrongType, Detail: "is not the number of a byte", Fix: "write a text in base64"})
		w.pop()
	}
}
