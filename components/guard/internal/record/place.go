package record

import (
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// place completes pods if the arguments enable it. It returns the edits, and which of them an existing object ignores.
func (r *Recorder) place(o *object) (edits []mutate.Edit, ignored []string) {
	if r.toPlace == nil || !o.cluster.pools {
		return nil, nil
	}
	if !r.toPlace.Selects(o.reported()) {
		return nil, nil
	}
	policy := r.options.Place.Policy
	d := mutate.Decide(o.Object, o.cluster.checker.Context(), policy)
	o.outcome = d.Outcome
	if len(d.Edits) == 0 {
		return nil, nil
	}
	if !policy.MovePins {
		ignored = mutate.IgnoreChanges(o.Tree, d.Edits)
	}
	stated := o.Stated
	o.Object = pods.ReadObject(mutate.Apply(o.Tree, d.Edits))
	o.Stated = stated
	return d.Edits, ignored
}
