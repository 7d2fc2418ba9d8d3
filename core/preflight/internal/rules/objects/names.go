package objects

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var nameRules = []engine.Rule{objectTwice}

var objectTwice = engine.Rule{
	Rule: rule.Rule{
		ID: "MK591", Severity: rule.Info, Title: "two objects with the same kind, namespace and name",
		Page: rulepages.Structure,
		Reason: "A cluster has one of them. The API server refuses to create the second one, even in another version " +
			"of the same API group. kubectl apply replaces the first with the second and reports no error. Files of " +
			"one directory can be alternatives, of which a cluster gets one. Hooks of Helm and Argo CD are not " +
			"compared.",
		Fix:    "give it another name, or remove one of the two",
		Source: "k8s.io/apiserver v0.36.3, pkg/registry/generic/registry/store.go, Store.Create",
	},
	Checks: []engine.Check{engine.On(collection.Twice, func(o *collection.Object) []rule.Problem {
		return []rule.Problem{{
			Path: "metadata.name", Value: tree.At(o.Tree, "metadata", "name"),
			Detail: "another object of this kind has the name",
		}}
	})},
}
