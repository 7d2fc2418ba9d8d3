package kustomize

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/api/filters/patchjson6902"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// patchStep is a patch, in a file or in the kustomization: documents of a strategic merge patch, or operations of a
// JSON patch. Each is a part.
type patchStep struct {
	types.Patch

	kustomization *kustomization
	// field has the patch, and at its text if it is in the kustomization.
	field, at string
	known     []part
	isKnown   bool
}

func (p *patchStep) parts(r *reader) []part {
	if !p.isKnown {
		p.isKnown, p.known = true, p.read(r)
	}
	return p.known
}

// written is the text of a patch, where it is.
type written struct {
	text []byte
	file string
	// before is the number of lines of the file before the text. If it is negative, line is the line of all of it.
	before, line int
}

// written returns the text of the patch.
func (p *patchStep) written(r *reader) written {
	w := written{text: []byte(p.Patch.Patch), file: r.shown(p.kustomization.file)}
	if p.Path != "" {
		file := p.kustomization.path(p.Path)
		w.text, _ = r.files.read(file)
		w.file = r.shown(r.files.stat(file).at)
	} else {
		w.line = p.kustomization.line(p.at)
		w.before = p.kustomization.inlineLine(p.at) - 1
	}
	return w
}

// read returns the parts of the patch, none if it cannot be read: then the build has failed.
func (p *patchStep) read(r *reader) []part {
	w := p.written(r)
	docs, _ := manifests.ReadObjects(bytes.NewReader(w.text), w.file)
	if len(docs) == 1 && tree.List(docs[0].Value) != nil {
		return p.operations(w, docs[0])
	}
	patches, err := r.files.factory.RF().SliceFromBytes(w.text)
	if err != nil {
		return nil
	}
	parts, of := make([]part, len(patches)), documentsOf(docs, patches)
	for i, patch := range patches {
		if p.Options != nil && p.Options.AllowNameChange {
			patch.AllowNameChange()
		}
		if p.Options != nil && p.Options.AllowKindChange {
			patch.AllowKindChange()
		}
		doc := of[i]
		parts[i] = part{
			apply: func(m resmap.ResMap) bool { return p.merge(m, patch) },
			where: func(path []string, after any) position {
				if doc < 0 {
					return w.at(1)
				}
				return w.at(docs[doc].Line(pathIn(docs[doc].Value, path, after)))
			},
		}
	}
	return parts
}

// at returns the position of a line of the text.
func (w written) at(line int) position {
	if w.before < 0 {
		return position{file: w.file, line: w.line}
	}
	return position{file: w.file, line: w.before + max(1, line)}
}

// merge applies a document of a strategic merge patch to the object if it is the one that it names, or that the target
// selects.
func (p *patchStep) merge(m resmap.ResMap, patch *resource.Resource) bool {
	if p.Target != nil {
		selected, err := m.Select(*p.Target)
		if err == nil && len(selected) > 0 {
			_ = m.ApplySmPatch(resource.MakeIdSet(selected), patch)
		}
		return len(selected) > 0
	}
	target, err := m.GetById(patch.OrgId())
	if err == nil {
		_ = target.ApplySmPatch(patch.DeepCopy())
		m.DropEmpties()
	}
	return err == nil
}

// operations returns a part for each operation of a JSON patch.
func (p *patchStep) operations(w written, doc manifests.Document) (parts []part) {
	for i, operation := range tree.List(doc.Value) {
		text, err := json.Marshal([]any{operation})
		if err != nil {
			return nil
		}
		to, _ := tree.Text(tree.Map(operation)["path"])
		at := "[" + strconv.Itoa(i) + "]"
		parts = append(parts, part{
			apply: func(m resmap.ResMap) bool { return p.operate(m, string(text), i == 0) },
			where: func(path []string, _ any) position {
				line := doc.Line(at + ".path")
				if below, is := belowPointer(to, path); is {
					line = doc.Line(at + ".value" + joined(below))
				}
				return w.at(line)
			},
		})
	}
	return parts
}

// operate applies an operation to the object if the target selects it.
func (p *patchStep) operate(m resmap.ResMap, operation string, first bool) bool {
	if p.Target == nil {
		return false
	}
	selected, err := m.Select(*p.Target)
	if err != nil || len(selected) == 0 {
		return false
	}
	one := selected[0]
	if first {
		one.StorePreviousId()
	}
	internal := kioutil.GetInternalAnnotations(&one.RNode)
	if err := one.ApplyFilter(patchjson6902.Filter{Patch: operation}); err != nil {
		return false
	}
	annotations := one.GetAnnotations()
	maps.Copy(annotations, internal)
	_ = one.SetAnnotations(annotations)
	return true
}

// documentsOf returns the index of the document of a text for each resource that the library reads from it, -1 if there
// is none. The library has the items of lists after everything else.
func documentsOf(docs []manifests.Document, resources []*resource.Resource) []int {
	of, used := make([]int, len(resources)), make([]bool, len(docs))
	for i, r := range resources {
		of[i] = slices.IndexFunc(docs, func(doc manifests.Document) bool { return isOf(tree.Map(doc.Value), r) })
		for j, doc := range docs {
			if !used[j] && isOf(tree.Map(doc.Value), r) {
				of[i], used[j] = j, true
				break
			}
		}
	}
	return of
}

// isOf reports whether an object has the kind and the names of a resource.
func isOf(object map[string]any, r *resource.Resource) bool {
	text := func(keys ...string) string { text, _ := tree.Text(tree.At(object, keys...)); return text }
	return text("kind") == r.GetKind() && text("apiVersion") == r.GetApiVersion() &&
		text("metadata", "name") == r.GetName() && text("metadata", "namespace") == r.GetNamespace()
}
