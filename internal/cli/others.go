package cli

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// others are documents that are not Kubernetes objects.
type others struct {
	// counts has their number by what they are; "" if that is not known.
	counts map[string]int
	// partial warns of documents that may be incomplete objects.
	partial []conversion.Finding
}

// count adds a document.
func (o *others) count(file string, doc manifests.Document) {
	what := notAnObject(file, doc.Value)
	o.add(others{counts: map[string]int{what: 1}})
	if object, is := conversion.PartialObject(file, doc.Line(""), tree.Map(doc.Value)); is && what == "" {
		o.partial = append(o.partial, object)
	}
}

func (o *others) add(more others) {
	if o.counts == nil {
		o.counts = map[string]int{}
	}
	for what, n := range more.counts {
		o.counts[what] += n
	}
	o.partial = append(o.partial, more.partial...)
}

// String returns a line about each document that may be an object, and one about all, "" if there are none.
func (o *others) String() string {
	var lines strings.Builder
	for _, object := range o.partial {
		lines.WriteString(adoptLine(object, false, "") + "\n")
	}
	text, all := lines.String(), 0
	var known []string
	for _, what := range slices.Sorted(maps.Keys(o.counts)) {
		all += o.counts[what]
		if what != "" {
			known = append(known, fielderrors.Count(o.counts[what], what))
		}
	}
	if all == 0 {
		return ""
	}
	text += fmt.Sprintf("skipped: %s without apiVersion or kind", fielderrors.Count(all, "document"))
	if len(known) > 0 {
		text += ": " + strings.Join(known, ", ")
	}
	if n := o.counts[""]; n > 0 && len(known) > 0 {
		text += fmt.Sprintf(", %d of another kind", n)
	}
	return text + "\n"
}

// notAnObject names a document that is not a Kubernetes object, as users call it.
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

// isPatch reports whether a document is a list of operations of a JSON patch, as in kustomize.
func isPatch(value any) bool {
	operations := tree.List(value)
	return len(operations) > 0 && !slices.ContainsFunc(operations, func(v any) bool {
		operation := tree.Map(v)
		return operation["op"] == nil || operation["path"] == nil
	})
}
