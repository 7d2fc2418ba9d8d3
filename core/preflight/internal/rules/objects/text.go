package objects

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var textRules = []engine.Rule{keyTwice}

var texts = &engine.Scope[*subject.Text]{Name: "the text of objects"}

var keyTwice = engine.Rule{
	Rule: rule.Rule{
		ID: "MK590", Severity: rule.Error, Title: "a duplicate key in a mapping of a manifest",
		Page: rulepages.Structure,
		Reason: "kubectl and Helm use the last value and silently drop the earlier one, even with " +
			"`--validate=strict`: the node selector, labels or limits in it reach no pod. YAML does not allow " +
			"duplicate keys, and the API server refuses them in strict validation if it receives the text itself. " +
			"The object is checked with the last value. If both values are equal nothing is lost, and this is a " +
			"warning.",
		Fix: "keep one of the two",
		Source: "pkg/util/yaml/decoder.go (YAMLToJSONDecoder) and pkg/runtime/serializer/json/json.go (unmarshal) of " +
			"k8s.io/apimachinery 0.36.3; https://yaml.org/spec/1.2.2/#3213-node-comparison",
	},
	Checks: []engine.Check{engine.On(texts, func(t *subject.Text) []rule.Problem {
		found := make([]rule.Problem, len(t.Twice))
		for i, key := range t.Twice {
			found[i] = rule.Problem{
				Path:   key.Path,
				Detail: fmt.Sprintf("line %d has this key already, and its value is lost", key.Earlier),
			}
			if key.Same {
				found[i].Severity = rule.Warning
				found[i].Detail = fmt.Sprintf("line %d has this key already", key.Earlier)
			}
		}
		return found
	})},
}
