package structure

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Fault is the way in which a part of an object does not match its type.
type Fault int

// The faults.
const (
	// UnknownField is a field that the type does not have.
	UnknownField Fault = iota
	// OtherVersion is a field that the type has in other versions of Kubernetes.
	OtherVersion
	// WrongType is a value whose type is not the field's.
	WrongType
	// Malformed is a value of the right type that cannot be parsed: a quantity or a time in another format, a number
	// that is too large.
	Malformed
	// Disabled is a field that API servers drop, unless a feature gate is on.
	Disabled
)

// Problem is what the API server refuses when it decodes an object.
type Problem struct {
	Fault Fault
	// Path is the path of the field, with list indexes and map keys.
	Path string
	// Value is the value of the field if it is a string, a number or a boolean.
	Value any
	// Detail describes the problem, and Fix the fix.
	Detail, Fix string
	// Certain is false if a version of Kubernetes other than the known ones may accept the value, and if the value is a
	// placeholder.
	Certain bool
}

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

// walker walks an object together with its types.
type walker struct {
	minor int
	// lenient means that unknown fields are silently ignored.
	lenient bool
	// within are the types of the objects on the path, for a hint.
	within   []*Type
	path     []part
	problems []Problem
	// written is the size of the paths of the problems, and more the number of problems that are not among them.
	written, more int
}

// maxPaths is how many bytes the paths of an object's problems can have together: with a very long key, each problem
// below it would repeat the key.
const maxPaths = 16 << 20

// found returns the problems, with one more for those that are left out.
func (w *walker) found() []Problem {
	if w.more > 0 {
		w.problems = append(w.problems, Problem{
			Fault: w.problems[len(w.problems)-1].Fault, Certain: true,
			Detail: fmt.Sprintf("has %d more problems, whose paths are too long to list them", w.more),
			Fix:    "fix the others first",
		})
	}
	return w.problems
}

// part is a part of a path: a field, the key of a map, or the index in a list.
type part struct {
	name string
	at   int32 // the index in a list
	kind partKind
}

type partKind uint8

const (
	fieldName partKind = iota
	mapKey
	listIndex
)

func (w *walker) push(p part) { w.path = append(w.path, p) }
func (w *walker) pop()        { w.path = w.path[:len(w.path)-1] }

// pathOf formats a path in the same way as the API server.
func pathOf(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		switch p.kind {
		case listIndex:
			b.WriteString("[" + strconv.Itoa(int(p.at)) + "]")
		case mapKey:
			b.WriteString("[" + p.name + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(p.name)
		}
	}
	return b.String()
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

func (w *walker) report(p Problem) {
	if w.written >= maxPaths {
		w.more++
		return
	}
	p.Path = pathOf(w.path)
	w.written += len(p.Path)
	if p.Fault == WrongType || p.Fault == Malformed {
		p.Certain = true
		if v, ok := p.Value.(string); ok && IsPlaceholder(v) {
			p.Certain, p.Fix = false, "put a value in place of the placeholder first"
		}
	}
	w.problems = append(w.problems, p)
}

// placeholder matches a text that another program replaces before the API server sees the object: a template, envsubst,
// sed.
var placeholder = regexp.MustCompile(`\{\{.*\}\}|\$\{.+\}|\$\(.+\)|^\$\w+$|^__\w+__$|^<.+>$`)

// plain returns a value that a message can show, nil for a map and a list.
func plain(v any) any {
	switch v := v.(type) {
	case string, bool, int64, float64, tree.Secret:
		return v
	default:
		return nil
	}
}

// longestPlaceholder is the maximum size of a placeholder, in bytes: an alias can repeat a text thousands of times, and
// each time it would be searched.
const longestPlaceholder = 1000

// IsPlaceholder reports whether another program replaces a text before the API server sees it.
func IsPlaceholder(text string) bool {
	return len(text) <= longestPlaceholder && placeholder.MatchString(text)
}
