package mocktest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

// After runs the program as a change of the state that an earlier run has left: the graph of an update, or one that was
// stored in a file. [Graph.Changes] returns what an update would do. As in Pulumi, a resource is found by its URN or by
// its aliases.
//
// An unchanged resource keeps its ID and its outputs. A resource that changes in place keeps its ID; with [Preview],
// only the outputs are known that its provider returns in a preview: for an object in a cluster, the whole object with
// the new inputs; for a resource of azure-native, the inputs, the name and the location; for others, the inputs. A
// resource that is replaced is as unknown as a new one. In an update a new resource gets an ID that differs from the
// old one.
//
// The run fails if the engine refuses a change, for example of a protected resource.
func After(earlier *Graph) Option {
	return func(s *settings) { s.earlier = earlier }
}

// remains is the state that a run leaves of a resource, besides its registration.
type remains struct {
	inputs  resource.PropertyMap // after IgnoreChanges
	state   resource.PropertyMap
	trigger resource.PropertyValue // ReplacementTrigger
}

// past is an earlier run, with the results of comparing it so far.
type past struct {
	*Graph

	// heirs maps earlier URNs to current ones, and were maps current URNs to the earlier ones that an alias found.
	heirs, were map[resource.URN]resource.URN
	// changes are the changes of the registered resources, by URN.
	changes map[resource.URN]*Change
	// condemned are the earlier resources that are deleted because a dependency is deleted first, each with the current
	// URN of that dependency.
	condemned map[resource.URN]resource.URN
}

func newPast(g *Graph) *past {
	return &past{
		Graph: g, heirs: map[resource.URN]resource.URN{}, were: map[resource.URN]resource.URN{},
		changes: map[resource.URN]*Change{}, condemned: map[resource.URN]resource.URN{},
	}
}

// all returns the changes, sorted by URN.
func (p *past) all() Changes {
	all := Changes{}
	for _, change := range p.changes {
		all = append(all, *change)
	}
	slices.SortFunc(all, func(a, b Change) int { return strings.Compare(string(a.URN), string(b.URN)) })
	return all
}

// checkEarlier returns an error if the earlier graph cannot be used.
func (s settings) checkEarlier() error {
	switch {
	case s.earlier == nil:
		return nil
	case s.earlier.preview:
		return errors.New("mocktest: After needs the graph of an update, in which outputs are known: " +
			"run the earlier program without Preview")
	case s.earlier.fromFile && !s.preview:
		return errors.New("mocktest: After has a graph from a file, which has no secrets, and an update needs them: " +
			"run the program with Preview")
	default:
		return nil
	}
}

// find returns the earlier resource of a registered one. It looks for the URN first, and then for the aliases:
// getOldResource in the engine's step_generator.go.
func (r *recorder) find(res Resource) (Resource, bool) {
	p := r.past
	for _, urn := range append([]resource.URN{res.URN}, r.aliases(res)...) {
		old, found := p.ByURN(urn)
		if !found {
			continue
		}
		if heir, taken := p.heirs[urn]; taken {
			both := []string{string(heir), string(res.URN)}
			slices.Sort(both)
			r.refused = append(r.refused, fmt.Errorf("mocktest: %s: two resources have this URN or an alias for it: "+
				"%s: remove an alias", urn, strings.Join(both, " and ")))
		}
		p.heirs[urn] = res.URN
		if urn != res.URN {
			p.were[res.URN] = urn
		}
		return old, true
	}
	return Resource{}, false
}

// aliases returns the URNs of the aliases that a resource lists, and those that follow from the earlier identity of its
// parent: generateAliases in the engine's step_generator.go.
func (r *recorder) aliases(res Resource) []resource.URN {
	var urns []resource.URN
	for _, alias := range res.Aliases {
		urns = append(urns, r.aliasURN(res, alias))
	}
	was, moved := r.past.were[res.Parent]
	if !moved {
		return urns
	}
	own := slices.Clone(urns)
	urns = append(urns, r.inherited(res.Type, res.Name, res.Parent.Name(), was))
	for _, urn := range own {
		urns = append(urns, r.inherited(string(urn.Type()), urn.Name(), res.Parent.Name(), was))
	}
	return urns
}

// aliasURN completes an alias with the current parts of the resource's identity.
func (r *recorder) aliasURN(res Resource, alias Alias) resource.URN {
	if alias.URN != "" {
		return alias.URN
	}
	or := func(part, otherwise string) string {
		if part == "" {
			return otherwise
		}
		return part
	}
	parent := res.Parent
	if alias.Parent != "" {
		parent = alias.Parent
		if was, moved := r.past.were[parent]; moved {
			parent = was
		}
	}
	if alias.NoParent || parent != "" && parent.QualifiedType() == resource.RootStackType {
		parent = ""
	}
	return resource.CreateURN(or(alias.Name, res.Name), or(alias.Type, res.Type), parent,
		or(alias.Project, r.project), or(alias.Stack, r.stack))
}

// inherited returns the URN that a child had below the earlier parent. If its name begins with the parent's name, the
// earlier name began with the parent's earlier name.
func (r *recorder) inherited(typ, name, parentName string, parentWas resource.URN) resource.URN {
	if rest, ok := strings.CutPrefix(name, parentName); ok {
		name = parentWas.Name() + rest
	}
	return resource.NewURN(tokens.QName(r.stack), tokens.PackageName(r.project), parentWas.QualifiedType(),
		tokens.Type(typ), name)
}

// finish adds the deletion of resources that the program no longer has. The engine deletes at the end.
func (r *recorder) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.past == nil {
		return
	}
	for _, old := range r.past.resources {
		if _, stays := r.past.heirs[old.URN]; stays || old.Read {
			continue
		}
		r.past.changes[old.URN] = &Change{
			URN: old.URN, Type: old.Type, Name: old.Name, Op: OpDelete, Retained: old.RetainOnDelete,
		}
		if old.Protect {
			r.refused = append(r.refused, fmt.Errorf("mocktest: resource %q cannot be deleted because it is "+
				"protected. To unprotect the resource, either remove the `protect` flag from the resource in "+
				"your Pulumi program and run `pulumi up`, or use the command: `pulumi state unprotect %s`",
				old.URN, old.URN.Quote()))
		}
	}
}

// isOwnStack reports whether a name, with or without an organization and a project, is the stack's of this run.
func (s settings) isOwnStack(name resource.PropertyValue) bool {
	if !name.IsString() {
		return false
	}
	parts := strings.Split(name.StringValue(), "/")
	return parts[len(parts)-1] == s.stack && (len(parts) == 1 || parts[len(parts)-2] == s.project)
}

// earlierState answers an invoke that reads the state of this stack, which is the one that the earlier run has left.
func (r *recorder) earlierState() resource.PropertyMap {
	state := resource.PropertyMap{}
	if r.past != nil {
		for _, old := range r.past.resources {
			outputs := old.Outputs
			if old.Custom {
				outputs = r.past.remains[old.URN].state
			}
			state[resource.PropertyKey(old.URN)] = resource.NewProperty(resource.PropertyMap{
				"type": resource.NewProperty(old.Type), "outputs": resource.NewProperty(outputs),
			})
		}
	}
	return resource.PropertyMap{"outputs": resource.NewProperty(state)}
}
