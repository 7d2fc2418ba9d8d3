package kustomize

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Trace is what happened to an object of a build: the document or the generator that it comes from, and the steps that
// have changed it.
type Trace struct {
	reader *reader
	// object is as it was built.
	object map[string]any
	from   source
	// states are the object before the first change, and after each.
	states []state
	// ids are all names that the object has had.
	ids []resid.ResId
	// later are the steps for it that are not repeated.
	later []item
}

// state is an object after a change, which is nil for the first state.
type state struct {
	tree  any
	after *part
	// item has the change.
	item item
}

// source is where an object comes from.
type source struct {
	in *accumulated
	at int
	// file and doc are the document with its index, and resource what the library reads. doc is nil for a generator.
	file     string
	doc      *manifests.Document
	index    int
	resource *resource.Resource
}

// Trace follows an object of the build from where it comes from. It returns nil if that is not known: the object comes
// from the configuration of a generator.
func (b *Build) Trace(object map[string]any) *Trace {
	schemas.RLock()
	defer schemas.RUnlock()
	b.reader.mutex.Lock()
	defer b.reader.mutex.Unlock()
	kind, _ := tree.Text(object["kind"])
	name, _ := tree.Text(tree.At(object, "metadata", "name"))
	if b.sources == nil {
		b.sources = map[string][]source{}
		b.collect(b.root)
	}
	for _, s := range b.candidates(kind, name) {
		t := &Trace{reader: b.reader, object: object, from: s}
		if m := t.replay(); m != nil && isObject(object, m) {
			t.ids = append(m.PrevIds(), m.CurId())
			return t
		}
	}
	return nil
}

// candidates returns the sources of an object with a name, the most likely one first: most steps only add to a name.
func (b *Build) candidates(kind, name string) []source {
	candidates := slices.Clone(b.sources[kind])
	if !b.changesNames {
		candidates = slices.DeleteFunc(candidates, func(s source) bool {
			return !strings.Contains(name, s.resource.GetName()) && s.resource.GetKind() != "Namespace"
		})
	}
	// The others are parts of the name by chance.
	length := func(s source) int {
		if !strings.Contains(name, s.resource.GetName()) {
			return -1
		}
		return len(s.resource.GetName())
	}
	slices.SortStableFunc(candidates, func(x, y source) int { return cmp.Compare(length(y), length(x)) })
	return candidates
}

// changesName reports whether a patch may give an object another name.
func (p *patchStep) changesName(r *reader) bool {
	return p.Options != nil && p.Options.AllowNameChange ||
		strings.Contains(string(p.written(r).text), "/metadata/name")
}

// collect adds the objects of a list and of those below it.
func (b *Build) collect(a *accumulated) {
	for i, one := range a.items {
		if p, is := one.step.(*patchStep); is && p.changesName(b.reader) {
			b.changesNames = true
		}
		switch {
		case one.sub != nil:
			b.collect(one.sub)
		case one.generated != nil:
			if r := one.generated.resource(b.reader); r != nil {
				b.add(source{in: a, at: i, resource: r})
			}
		case one.file != "":
			parsed := b.reader.files.parse(one.file)
			for j, index := range documentsOf(parsed.docs, parsed.resources) {
				if index >= 0 {
					doc := &parsed.docs[index]
					b.add(source{in: a, at: i, file: one.file, doc: doc, index: index, resource: parsed.resources[j]})
				}
			}
		}
	}
}

func (b *Build) add(s source) {
	kind := s.resource.GetKind()
	b.sources[kind] = append(b.sources[kind], s)
}

// resource returns what a generator generates, without its data.
func (g *generated) resource(r *reader) *resource.Resource {
	metadata := map[string]any{"name": g.name}
	if g.namespace != "" {
		metadata["namespace"] = g.namespace
	}
	made, err := r.files.factory.RF().FromMap(map[string]any{"apiVersion": "v1", "kind": g.kind, "metadata": metadata})
	if err != nil {
		return nil
	}
	return made
}

// steps returns the steps after the object was added, in their order.
func (s source) steps() (found []item) {
	for list, at := s.in, s.at; list != nil; list, at = list.parent, list.at {
		for _, one := range list.items[at+1:] {
			if one.step != nil {
				found = append(found, one)
			}
		}
	}
	return found
}

// replay repeats the steps, and returns the object after them: nil if a step removes it.
func (t *Trace) replay() *resource.Resource {
	m := resmap.New()
	if err := m.Append(t.from.resource.DeepCopy()); err != nil {
		return nil
	}
	t.states = []state{{tree: treeOf(m)}}
	for _, one := range t.from.steps() {
		parts := one.step.parts(t.reader)
		if parts == nil {
			t.later = append(t.later, one)
		}
		for i := range parts {
			if !parts[i].apply(m) {
				continue
			}
			if m.Size() == 0 {
				return nil
			}
			after := treeOf(m)
			if !reflect.DeepEqual(after, t.states[len(t.states)-1].tree) {
				t.states = append(t.states, state{after, &parts[i], one})
			}
		}
	}
	return m.Resources()[0]
}

// treeOf returns the only object of m, without the annotations of the library.
func treeOf(m resmap.ResMap) any {
	one := m.Resources()[0]
	object, err := one.Map()
	if err != nil {
		return nil
	}
	value := tree.Map(tree.Normalize(object))
	metadata := tree.Map(value["metadata"])
	annotations := tree.Map(metadata["annotations"])
	for _, key := range resource.BuildAnnotations {
		delete(annotations, key)
	}
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	return value
}

// isObject reports whether a resource is an object that was built. The library adds a hash to names that are generated.
func isObject(object map[string]any, r *resource.Resource) bool {
	if isOf(object, r) {
		return true
	}
	name, _ := tree.Text(tree.At(object, "metadata", "name"))
	rest, is := strings.CutPrefix(name, r.GetName()+"-")
	hashed := r.GetKind() == "ConfigMap" || r.GetKind() == "Secret" || r.NeedHashSuffix()
	return is && len(rest) == hashLength && hashed
}

// hashLength is the length of the hash that the library adds to names: encode in hasher/hasher.go of
// sigs.k8s.io/kustomize/api v0.21.1.
const hashLength = 10
