package cli

import (
	"github.com/aymanbagabas/go-udiff"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// unified returns the difference between a text before and after changes, as diff -u and git show it. It is empty if
// there are no changes. It is derived from the changes instead of a search: Myers' algorithm takes memory that grows
// with the square of the difference.
func unified(name, before string, changes []manifests.Change) (string, error) {
	var edits []udiff.Edit
	for _, c := range changes {
		// Lines that are the same before and after stay. A change is small.
		for _, e := range udiff.Lines(before[c.At:c.At+c.Replaced], c.Text) {
			edits = append(edits, udiff.Edit{Start: c.At + e.Start, End: c.At + e.End, New: e.New})
		}
	}
	name = escape.Line(name)
	return udiff.ToUnified(name, name, before, edits, udiff.DefaultContextLines)
}
