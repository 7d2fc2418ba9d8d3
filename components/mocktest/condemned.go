package mocktest

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// condemn finds the earlier resources that must be deleted before one that is deleted first: those whose provider is
// deleted, and those that would be replaced if the values that they got from it changed (calculateDependentReplacements
// in the engine's step_generator.go).
func (r *recorder) condemn(root Resource, now resource.URN) {
	deleted := map[resource.URN]bool{root.URN: true}
	for waiting := []resource.URN{root.URN}; len(waiting) > 0; waiting = waiting[1:] {
		for _, d := range r.past.dependents(waiting[0]) {
			_, decided := r.past.heirs[d.URN]
			if decided || deleted[d.URN] || !r.goesWith(d, deleted) {
				continue
			}
			deleted[d.URN] = true
			waiting = append(waiting, d.URN)
			r.past.condemned[d.URN] = now
			if d.Protect {
				r.refused = append(r.refused, fmt.Errorf("mocktest: unable to replace resource %q as part of "+
					"replacing %q as it is currently marked for protection. To unprotect the resource, remove the "+
					"`protect` flag from the resource in your Pulumi program and run `pulumi up`, or use the command: "+
					"`pulumi state unprotect %s`",
					d.URN, now, d.URN.Quote()))
			}
		}
	}
}

// dependents returns the earlier resources that depend directly on one of them.
func (g *Graph) dependents(urn resource.URN) []Resource {
	return g.filtered(func(r Resource) bool {
		return r.Provider == urn || slices.Contains(r.Dependencies, urn) || slices.Contains(r.ReplaceWith, urn)
	})
}

// goesWith reports whether an earlier resource is replaced because others are deleted.
func (r *recorder) goesWith(d Resource, deleted map[resource.URN]bool) bool {
	isDeleted := func(urn resource.URN) bool { return deleted[urn] }
	switch {
	case slices.ContainsFunc(d.ReplaceWith, isDeleted):
		return true
	case !d.Custom || d.Read:
		return false
	case deleted[d.Provider]:
		return true
	}
	left, unknown := r.past.remains[d.URN], resource.PropertyMap{}
	for key, value := range left.inputs {
		if slices.ContainsFunc(d.PropertyDependencies[string(key)], isDeleted) {
			value = resource.MakeComputed(resource.NewProperty(""))
		}
		unknown[key] = value
	}
	question := r.question(verdict{old: d, left: left, inputs: unknown}, d)
	question.ProviderAfter = question.ProviderBefore
	answer := change.Compare(question)
	return slices.ContainsFunc(answer.Differences, func(f change.Difference) bool {
		from := d.PropertyDependencies[f.Path[:1].String()]
		ofDeleted := !f.Before.HasComputed() || slices.ContainsFunc(from, isDeleted)
		return ofDeleted && (f.Why != "" || within(d.ReplaceOnChanges, f.Path))
	})
}

// dependsOn reports whether a resource depends on another one, directly or not.
func (r *recorder) dependsOn(res Resource, urn resource.URN) bool {
	seen := map[resource.URN]bool{}
	var depends func(res Resource) bool
	depends = func(res Resource) bool {
		for _, next := range slices.Concat(res.Dependencies, res.ReplaceWith, []resource.URN{res.Provider}) {
			if next == urn {
				return true
			}
			found := r.records[next]
			if found == nil || seen[next] {
				continue
			}
			seen[next] = true
			if depends(found.Resource) {
				return true
			}
		}
		return false
	}
	return depends(res)
}
