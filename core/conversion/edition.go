package conversion

import (
	"reflect"
	"slices"
	"unique"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// edition edits a part of a file.
type edition struct {
	*source
	// edits are the edits of each document, nil if it needs none.
	edits [][]mutate.Edit
	// renamed is true for each document in which kustomize changes an image or a label: its values are not those of the
	// text.
	renamed []bool
}

func newEdition(s *source, documents int) *edition {
	return &edition{s, make([][]mutate.Edit, documents), make([]bool, documents)}
}

// make applies the edits to the text, and checks that the text now has the intended meaning.
func (e *edition) make(part *manifests.Part) {
	if !slices.ContainsFunc(e.edits, func(edits []mutate.Edit) bool { return len(edits) > 0 }) {
		return
	}
	text := part
	if slices.Contains(e.renamed, true) {
		text, _ = part.Again()
	}
	changes, problems := e.edited(part, text)
	for i := range changes { // most objects get the same lines
		changes[i].Text = unique.Make(changes[i].Text).Value()
	}
	e.changes, e.refused = append(e.changes, changes...), append(e.refused, problems...)
}

// edited makes the edits. It removes everything before it adds anything, so that additions do not depend on the values
// that they replace. A removal may leave an empty map or list, which is an addition to the tree.
func (e *edition) edited(part, text *manifests.Part) (changes []manifests.Change, problems []error) {
	var removals, additions [][]mutate.Edit
	removes := false
	for _, edits := range e.edits {
		added := slices.IndexFunc(edits, func(e mutate.Edit) bool { return !e.Remove && !tree.Empty(e.Value) })
		if added < 0 {
			added = len(edits)
		}
		removals, additions = append(removals, edits[:added]), append(additions, edits[added:])
		removes = removes || added > 0
	}
	if !removes {
		if problems = edit(text, additions); len(problems) > 0 {
			return nil, problems
		}
		return text.Changes(), e.unlike(part, text)
	}
	if problems = edit(text, removals); len(problems) > 0 {
		return nil, problems
	}
	bare, ok := text.Again()
	if !ok {
		return nil, e.unreadable()
	}
	if problems = edit(bare, additions); len(problems) > 0 {
		return nil, problems
	}
	return manifests.Compose(text.Changes(), bare.Changes(), text.End()), e.unlike(part, bare)
}

// edit makes the edits of each document.
func edit(text *manifests.Part, all [][]mutate.Edit) (problems []error) {
	for i, edits := range all {
		if err := text.Edit(text.Documents[i], edits); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// unlike returns an error for each document of an edited text that has not the intended meaning.
func (e *edition) unlike(part, edited *manifests.Part) (problems []error) {
	again, ok := edited.Again()
	if !ok {
		return e.unreadable()
	}
	for i, doc := range again.Documents {
		if e.renamed[i] {
			e.options.repository.Transform(e.file.Name, tree.Map(doc.Value))
		}
		want := part.Documents[i].Value
		if len(e.edits[i]) > 0 {
			want = mutate.Apply(tree.Map(want), e.edits[i])
		}
		if !reflect.DeepEqual(want, doc.Value) {
			problems = append(problems, e.notInPlace(part.Documents[i]))
		}
	}
	return problems
}

// unreadable is the error about an edited text that cannot be read: one for the whole file.
func (e *edition) unreadable() []error {
	if e.isUnreadable {
		return nil
	}
	e.isUnreadable = true
	return []error{&manifests.Error{File: e.file.Name, Detail: notInPlace}}
}

// notInPlace is the error if there is no better one: the edited text did not have the intended meaning.
func (e *edition) notInPlace(doc manifests.Document) error {
	return &manifests.Error{File: e.file.Name, Line: doc.Line(""), Detail: notInPlace}
}

const notInPlace = "cannot be completed in place: write the object without anchors, merge keys and lines that " +
	"continue on the next one"
