package structure

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
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

func (w *walker) report(p Problem) {
	if w.written >= maxPaths {
		w.more++
		return
	}
	p.Path = pathOf(w.path)
	w.written += len(p.Path)
	if p.Fault == WrongType || p.Fault == Malformed {
		p.Certain = true
		if v, ok := p.Value.(string); ok && (placeholder.In(v) || placeholder.Word(v)) {
			p.Certain, p.Fix = false, PutAValue
		}
	}
	w.problems = append(w.problems, p)
}

// PutAValue is the fix of a placeholder.
const PutAValue = "put a value in place of the placeholder first"

// plain returns a value that a message can show, nil for a map and a list.
func plain(v any) any {
	switch v := v.(type) {
	case string, bool, int64, float64, tree.Secret:
		return v
	default:
		return nil
	}
}
