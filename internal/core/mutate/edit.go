package mutate

import "github.com/mixedkube/mixedkube/internal/core/value/tree"

// Edit is a change of an object: an addition or, if Remove is true, a removal.
type Edit = tree.Edit

// Apply makes the edits in a copy of an object.
func Apply(object map[string]any, edits []Edit) map[string]any { return tree.Edited(object, edits) }
