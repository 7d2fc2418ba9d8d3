package subject

import "github.com/mixedkube/mixedkube/internal/core/manifests"

// Text is the text of an object.
type Text struct {
	*Object
	// Twice are the keys that mappings have more than once. The object itself has only their last values.
	Twice []manifests.Duplicate
}
