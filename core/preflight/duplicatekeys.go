package preflight

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// DuplicateKeys returns findings for the keys that occur twice in the text of an object, which itself has only the last
// ones. A caller that has the text adds them to the findings of [Checker.Check].
func (c *Checker) DuplicateKeys(object map[string]any, keys []manifests.Duplicate) []Finding {
	o := c.objectOf(&pods.Object{Tree: object})
	return ofObject(o, textChecks.Find(&subject.Text{Object: o, Twice: keys}, c.minor))
}
