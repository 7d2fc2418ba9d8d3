package mutate

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// Edit is a change of an object: an addition or, if Remove is true, a removal.
type Edit = tree.Edit

// Apply makes the edits in a copy of an object.
func Apply(object map[string]any, edits []Edit) map[string]any { return tree.Edited(object, edits) }

// Retain returns the removals without the elements that additions add again at the beginning of the same list. They
// stay in their places, and would otherwise move to the end of the list. Elements that are added after others are not
// retained, so that the additions have the same order each time.
func Retain(removals, additions []Edit) []Edit {
	var out []Edit
	for _, r := range removals {
		elements, isList := r.Value.([]any)
		if !r.Remove || !isList {
			out = append(out, r)
			continue
		}
		for _, a := range additions {
			again, isList := a.Value.([]any)
			if !isList || a.Remove || !slices.Equal(a.Path, r.Path) {
				continue
			}
			for len(again) > 0 && tree.Contains(elements, again[0]) {
				elements, again = tree.Missing(again[:1], elements), again[1:]
			}
		}
		if r.Value = elements; len(elements) > 0 {
			out = append(out, r)
		}
	}
	return out
}
