package cli

import (
	"github.com/aymanbagabas/go-udiff"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// unified is the difference that changes make to a text as diff -u and git show it,
// empty without changes. It is not looked for but made from the changes: Myers' search
// takes memory that grows with the square of what differs.
func unified(name, before string, changes []manifests.Change) (string, error) {
	var edits []udiff.Edit
	for _, c := range changes {
		if c.Replaced > 0 || c.Text != "" {
			edits = append(edits, udiff.Edit{Start: c.At, End: c.At + c.Replaced, New: c.Text})
		}
	}
	name = oneLine(name)
	return udiff.ToUnified(name, name, before, edits, udiff.DefaultContextLines)
}
