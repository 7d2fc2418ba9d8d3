package conversion

import (
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// One converts objects that come one by one, without a text.
type One struct {
	options Options
	checker *preflight.Checker
}

// NewOne returns a converter with valid options. Several goroutines may use it at once.
func NewOne(o Options) *One {
	return &One{options: o, checker: o.checker()}
}

// ConvertedOne is the result of converting one object.
type ConvertedOne struct {
	Object Object
	Edits  []mutate.Edit
	// Findings are about the completed object alone.
	Findings []Finding
	// Answered is the key of Options.Platforms that is about the object.
	Answered string
	// Errs are the contradictions between the answer and the object.
	Errs []error
}

// Convert completes an object. The name is for messages.
func (one *One) Convert(name string, object map[string]any) ConvertedOne {
	it := &item{Object: newObject(name, manifests.Document{}, object)}
	var out ConvertedOne
	out.Errs = it.complete(one.checker.Context(), one.options.policy(), one.options.Platforms)
	out.Object, out.Edits, out.Answered = it.Object, it.decision.Edits, it.answer
	if len(out.Errs) > 0 {
		return out // it is not completed, and that is all that is wrong with it
	}
	out.Findings = it.findings(it.alone(one.checker))
	return out
}
