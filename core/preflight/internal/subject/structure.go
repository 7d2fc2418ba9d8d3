package subject

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Structure is what the API server finds when it decodes an object. Nothing is known about custom resources.
type Structure struct {
	// Kind is the kind of the object in the version of its API, nil if no supported version of Kubernetes has it.
	Kind *structure.Kind
	// NotServed is what is known about a kind that no supported version of Kubernetes has, nil if that is nothing.
	NotServed *structure.Answer
	// Problems are the fields and values that the API server refuses.
	Problems []structure.Problem
}

// Lacks reports whether the version of Kubernetes certainly lacks the kind of the object.
func (o *Object) Lacks(kind *structure.Kind) bool {
	_, lacks := kind.Versions(o.Cluster.Minor)
	return lacks
}

// Structure compares the object with its kind.
func (o *Object) Structure() *Structure { return o.structure.get(o.readStructure) }

func (o *Object) readStructure() *Structure {
	name, named := tree.Text(o.Tree["kind"])
	if !named {
		return &Structure{Problems: o.mustBeText("kind")}
	}
	version, isText := tree.Text(o.Tree["apiVersion"])
	s := &Structure{Kind: structure.Find(version, name)}
	switch {
	case s.Kind != nil:
		if !o.Lacks(s.Kind) {
			s.Problems = s.Kind.Check(o.Tree, o.Cluster.Minor)
		}
	case isText:
		if answer, known := structure.NotServed(version, name); known {
			s.NotServed = &answer
		}
		s.Problems = o.templateProblems()
	case o.Kind != "" && !tree.IsUnknown(o.Tree["apiVersion"]):
		// Without a version, the newest one is assumed.
		group, _ := pods.Group(o.Kind)
		s.Problems = structure.Newest(group, name).Check(o.Tree, o.Cluster.Minor)
	default:
		s.Problems = o.mustBeText("apiVersion")
		return s
	}
	if name == "Secret" {
		for i := range s.Problems {
			s.Problems[i].Value = hidden(s.Problems[i].Value)
		}
	}
	return s
}

// templateProblems checks the pod template of a kind that the API server had in an older version. The template has not
// changed.
func (o *Object) templateProblems() []structure.Problem {
	_, own := pods.Group(o.Kind)
	keys, ok := pods.Template(o.Kind)
	if !ok || !own || len(keys) == 0 {
		return nil
	}
	return structure.CheckPodTemplate(tree.Map(tree.At(o.Tree, keys...)), o.Cluster.Minor, keys...)
}

// mustBeText returns the problem of a version or a kind that is not a string: no kind can be found for it.
func (o *Object) mustBeText(key string) []structure.Problem {
	v := o.Tree[key]
	if v == nil || tree.IsUnknown(v) {
		return nil
	}
	p := structure.MustBeText(v)
	p.Path, p.Certain = key, true
	return []structure.Problem{p}
}

// hidden hides the content of Secrets from messages, including fields that a Secret does not have.
func hidden(v any) any {
	if _, ok := v.(tree.Secret); ok || v == nil {
		return v
	}
	return tree.Secret{Value: v}
}
