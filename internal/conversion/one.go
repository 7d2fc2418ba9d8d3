package conversion

import (
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/completion"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// One converts objects that come one by one, without a text.
type One struct {
	options Options
	adopter *completion.Adopter
	checker *preflight.Checker
}

// NewOne takes valid options. It may be used by several goroutines at once.
func NewOne(o Options) *One {
	o.Topology = o.Topology.WithDefaults()
	return &One{
		options: o,
		adopter: completion.NewAdopter(completion.Options{Topology: o.Topology, AssumeLinux: o.AssumeLinux, RuntimeClasses: o.RuntimeClasses}),
		checker: preflight.New(preflight.Options{Topology: o.Topology, Matching: o.Matching}),
	}
}

// ConvertedOne is what became of one object.
type ConvertedOne struct {
	Object Object
	Edits  []mutate.Edit
	// Findings are about the completed object alone.
	Findings []Finding
	// Answered is the key of Options.Platforms that is about the object.
	Answered string
	// Errs say that the answer contradicts the object.
	Errs []error
}

// Convert completes an object. The name is for messages.
func (one *One) Convert(name string, object map[string]any) ConvertedOne {
	it := &item{Object: newObject(name, tree.Document{}, object)}
	a := newAnswers(one.options.Platforms)
	var out ConvertedOne
	out.Errs = it.adopt(one.adopter, a)
	if it.adoption.HasPods {
		out.Answered, _ = a.key(it.Object)
	}
	out.Object, out.Edits = it.Object, it.adoption.Edits
	if len(out.Errs) > 0 {
		return out // it is not completed, so that much is wrong with it
	}
	out.Findings = it.findings(one.checker.Check(it.Tree))
	return out
}
