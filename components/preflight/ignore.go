package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/nearest"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// IgnoreAnnotation is the annotation of an object that silences rules on it: IDs,
// separated by commas, "MK201,MK305". It is read on the object itself, not on the
// template of its pods. Silenced findings are still listed, as silenced ones.
const IgnoreAnnotation = "mixedkube.dev/ignore"

var metaRules = []Rule{
	{
		ID: "MK901", Severity: Error, Title: "an ignored rule does not exist",
		Reason: "The annotation " + IgnoreAnnotation + " names rules by their ID. A misspelled ID silences nothing, and nobody would notice.",
		Source: "this library",
	},
}

// withdrawn are the IDs of rules that are gone. They are never given to another rule,
// and it is no mistake to ignore one.
var withdrawn = []string{
	"MK508", // runAsUser with a projected token: the kubelet no longer fails on Windows
}

// ignored returns the IDs that the object ignores, and reports those that are none.
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
		if _, ok := rules[id]; !ok && !slices.Contains(withdrawn, id) {
			c.noSuchRule(id, annotations[IgnoreAnnotation])
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// noSuchRule reports an ID that is none. Of a secret annotation nothing is shown,
// nor anything that is near to it.
func (c *check) noSuchRule(id string, annotation any) {
	found := problem{
		path: "metadata.annotations[" + IgnoreAnnotation + "]", value: id,
		detail: "there is no such rule", fix: "use an ID of RULES.md, or remove it",
	}
	if _, secret := annotation.(Secret); secret {
		found.value = Secret{}
	} else if near, ok := nearest.Of(id, ruleIDs()); ok {
		found.fix = "did you mean " + near + "?"
	}
	c.report("MK901", found)
}

func ruleIDs() []string {
	var ids []string
	for _, rule := range Rules() {
		ids = append(ids, rule.ID)
	}
	return ids
}
