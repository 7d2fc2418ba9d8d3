package kustomize

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Place is where a value of a built object is written.
type Place struct {
	// File is the path of the file, as a path of the named directory, and Line is in it.
	File string
	Line int
	// Also are further places that have written a part of the value, from the last to the first: an image can have its
	// name from a document, and its tag from a kustomization.
	Also []string
	// Exact is false if the place is only the kustomization that has the value from somewhere.
	Exact bool
}

type position struct {
	file string
	line int
	// isGuess is true if the place is only where the value may come from.
	isGuess bool
}

func (p position) String() string { return p.file + ":" + strconv.Itoa(p.line) }

// Place returns the place that has written the value at a path of the object, such as
// spec.template.spec.containers[0].image. If there is no such value, it is the place that has removed it, or else the
// one that has written the nearest parent.
func (t *Trace) Place(path string) Place {
	t.reader.mutex.Lock()
	defer t.reader.mutex.Unlock()
	var writers []position
	elements := elementsOf(path)
	if len(elements) == 0 { // the whole object
		return placeOf([]position{t.first(nil)})
	}
	last := t.states[len(t.states)-1].tree
	value, full := at(t.object, elements)
	path2, found := t.into(last, elements)
	if old, same := at(last, path2); full && (!same || !found || !reflect.DeepEqual(old, value)) {
		by, keeps, is := t.replaced(elements)
		if is {
			writers = append(writers, by)
		}
		if is && !keeps {
			return placeOf(writers)
		}
	}
	return placeOf(append(writers, t.written(path2)...))
}

func placeOf(writers []position) Place {
	p := Place{File: writers[0].file, Line: writers[0].line, Exact: !writers[0].isGuess}
	for _, w := range writers[1:] {
		if also := w.String(); w != writers[0] && !slices.Contains(p.Also, also) {
			p.Also = append(p.Also, also)
		}
	}
	return p
}

// replaced returns the step after the repeated ones that has written a path.
func (t *Trace) replaced(path []string) (by position, keeps, is bool) {
	var opaque []item
	for _, one := range slices.Backward(t.later) {
		s, is := one.step.(*replacementStep)
		if !is {
			opaque = append(opaque, one)
			continue
		}
		if by, keeps, is := s.writes(t.reader, one.field, t.ids, path, t.object); is {
			return by, keeps, true
		}
	}
	if len(opaque) > 0 {
		by = t.reader.position(opaque[0])
		by.isGuess = true
		return by, true, true
	}
	return position{}, false, false // a name that the library adapts
}

// position returns the line of an item in its kustomization.
func (r *reader) position(one item) position {
	return position{file: r.shown(one.kustomization.file), line: one.kustomization.line(one.field)}
}

// into returns a path of the built object as a path of the last state.
func (t *Trace) into(last any, path []string) ([]string, bool) { return back(t.object, last, path) }

// written returns the places that have written a path of the last state, from the last to the first.
func (t *Trace) written(path []string) (writers []position) {
	for i := len(t.states) - 1; i > 0; i-- {
		s, before := t.states[i], t.states[i-1].tree
		earlier, _ := back(s.tree, before, path)
		value, is := at(s.tree, path)
		old, was := at(before, earlier)
		switch {
		case is && was && reflect.DeepEqual(value, old), !is && !was && t.parent(s.tree, before, path):
		case !is && !was: // it has created the nearest parent
			return append(writers, s.position(t.reader, path))
		default:
			writers = append(writers, s.position(t.reader, path))
			if !was || !is || !s.after.keeps && !isCompound(value) {
				return writers
			}
		}
		path = earlier
	}
	return append(writers, t.first(path))
}

// parent reports whether the nearest parent of a path in a state exists before it as well.
func (t *Trace) parent(after, before any, path []string) bool {
	for len(path) > 0 {
		if _, is := at(after, path); is {
			break
		}
		path = path[:len(path)-1]
	}
	earlier, _ := back(after, before, path)
	_, was := at(before, earlier)
	return was
}

// position returns where the change writes a path of the state.
func (s state) position(r *reader, path []string) position {
	if s.after.where != nil {
		return s.after.where(path, s.tree)
	}
	return r.position(s.item)
}

// first returns the place of a path in the document or the generator that the object comes from.
func (t *Trace) first(path []string) position {
	from := t.from
	if from.doc == nil {
		return t.reader.position(from.in.items[from.at])
	}
	return position{file: t.reader.shown(from.file), line: max(1, from.doc.Line(joined(path)))}
}

// elementsOf splits a path.
func elementsOf(path string) (elements []string) {
	for path != "" {
		var key string
		key, path = manifests.Step(path)
		elements = append(elements, key)
	}
	return elements
}

// joined joins the elements of a path.
func joined(elements []string) string {
	if len(elements) == 0 {
		return ""
	}
	return "[" + strings.Join(elements, "][") + "]"
}

func isCompound(v any) bool { return tree.Map(v) != nil || tree.List(v) != nil }

// Written returns the object as it is written, before any step: the document, or the kind and the name of a generator.
func (t *Trace) Written() map[string]any {
	if t.from.doc == nil {
		return tree.Map(t.states[0].tree)
	}
	return tree.Map(t.from.doc.Value)
}

// Source returns the file that the object comes from, and the index of its document among those that
// [manifests.ReadObjects] returns. It is false for an object that a generator generates.
func (t *Trace) Source() (file string, document int, is bool) {
	if t.from.doc == nil {
		return "", 0, false
	}
	t.reader.mutex.Lock()
	defer t.reader.mutex.Unlock()
	return t.reader.shown(t.from.file), t.from.index, true
}
