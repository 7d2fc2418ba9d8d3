package cli

import (
	"github.com/aymanbagabas/go-udiff"

	"github.com/mixedkube/mixedkube/internal/escape"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// unified returns the difference between a text before and after changes, as diff -u and git show it. It is empty if
// there are no changes. It is derived from the changes instead of a search: Myers' algorithm takes memory that grows
// with the square of the difference.
func unified(name, before string, changes []manifests.Change) (string, error) {
	var edits []udiff.Edit
	for _, c := range changes {
		if c.Replaced > 0 || c.Text != "" {
			edits = append(edits, udiff.Edit{Start: c.At, End: c.At + c.Replaced, New: c.Text})
		}
	}
	name = escape.Line(name)
	return udiff.ToUnified(name, name, before, edits, udiff.DefaultContextLines)
}
