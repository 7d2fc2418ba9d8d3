package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// IgnoreAnnotation is the annotation of an object that ignores rules on it: IDs, separated by commas, "MK201,MK305".
// It is read from the object itself, not from its pod template. Suppressed findings are still returned, marked as
// suppressed.
const IgnoreAnnotation = "mixedkube.dev/ignore"

// withdrawn are the IDs of rules that were removed. They are never reused, and it is not an error to ignore one.
var withdrawn = []string{
	// runAsUser with a projected token: since 1.29.13, 1.30.9 and 1.31 the kubelet does not
	// fail on Windows (https://github.com/kubernetes/kubernetes/pull/125040).
	"MK508",
}

// Withdrawn reports whether a rule with the ID was removed.
func Withdrawn(id string) bool { return slices.Contains(withdrawn, id) }

// ignored returns the IDs that the object ignores, and reports IDs that do not exist.
func (c *check) ignored() []string {
	annotations := tree.Map(tree.Map(c.object["metadata"])["annotations"])
	text, ok := tree.Text(annotations[IgnoreAnnotation])
	if !ok {
		return nil
	}
	var ids []string
	for id := range strings.SplitSeq(text, ",") {
		id = strings.TrimSpace(id)
		if id == "" {
			continue
		}
		if _, ok := rules.Find(id); !ok && !Withdrawn(id) {
			c.noSuchRule(id, annotations[IgnoreAnnotation])
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

var ignoredRuleUnknown = rule.Rule{
	ID: "MK901", Severity: rule.Error, Title: "an ignored rule does not exist",
	Reason: "The annotation " + IgnoreAnnotation +
		" lists the IDs of rules. A misspelled ID ignores nothing, and would not be noticed.",
	Source: "this library",
}

// noSuchRule reports an ID that does not exist. If the annotation is secret, it shows neither the ID nor a similar one.
func (c *check) noSuchRule(id string, annotation any) {
	found := rule.Problem{
		Path: "metadata.annotations[" + IgnoreAnnotation + "]", Value: id,
		Detail: "is not a rule", Fix: "use an ID from " + rule.URL("") + ", or remove it",
	}
	if _, secret := annotation.(Secret); secret {
		found.Value = Secret{}
	} else if near, ok := rules.Nearest(id); ok {
		found.Fix = "did you mean " + near + "?"
	}
	c.report(ignoredRuleUnknown, found)
}
