package cli

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// others are documents that are no Kubernetes objects, by what they are; "" for what is not known.
type others map[string]int

func (o others) add(more others) {
	for what, n := range more {
		o[what] += n
	}
}

// String is a line about them, "" if there are none.
func (o others) String() string {
	all := 0
	var known []string
	for _, what := range slices.Sorted(maps.Keys(o)) {
		all += o[what]
		if what != "" {
			known = append(known, many(o[what], what))
		}
	}
	if all == 0 {
		return ""
	}
	text := fmt.Sprintf("skipped: %s without apiVersion or kind", many(all, "document"))
	if len(known) > 0 {
		text += ": " + strings.Join(known, ", ")
	}
	if n := o[""]; n > 0 && len(known) > 0 {
		text += fmt.Sprintf(", %d of another kind", n)
	}
	return text + "\n"
}

// notAnObject says what a document of a file is that is no Kubernetes object, as people call it.
func notAnObject(file string, value any) string {
	document := tree.Map(value)
	is := func(key string) bool { return tree.Map(document[key]) != nil }
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	switch {
	case is("services"):
		return "compose file"
	case is("jobs") && (document["on"] != nil || document["true"] != nil): // on is a boolean of YAML 1.1
		return "workflow"
	case isPatch(value):
		return "JSON patch"
	case name == "kustomization":
		return "kustomization"
	case name == "values" || strings.HasPrefix(name, "values-") || strings.HasSuffix(name, "-values"):
		return "Helm values file"
	default:
		return ""
	}
}

// isPatch says whether it is a list of operations of a JSON patch, as kustomize takes them.
func isPatch(value any) bool {
	operations := tree.List(value)
	return len(operations) > 0 && !slices.ContainsFunc(operations, func(v any) bool {
		operation := tree.Map(v)
		return operation["op"] == nil || operation["path"] == nil
	})
}
