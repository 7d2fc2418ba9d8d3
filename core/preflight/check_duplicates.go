package preflight

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

var keyTwice = rule.Rule{
	ID: "MK590", Severity: rule.Error, Title: "a duplicate key in a mapping of a manifest",
	Reason: "kubectl and Helm use the last value and silently drop the earlier one, even with `--validate=strict`: " +
		"the node selector, labels or limits in it reach no pod. YAML does not allow duplicate keys, and the API " +
		"server refuses them in strict validation if it receives the text itself. The object is checked with the " +
		"last value. If both values are equal nothing is lost, and this is a warning.",
	Source: "pkg/util/yaml/decoder.go (YAMLToJSONDecoder) and pkg/runtime/serializer/json/json.go (unmarshal) of " +
		"k8s.io/apimachinery 0.36.3; https://yaml.org/spec/1.2.2/#3213-node-comparison",
}

// DuplicateKeys returns findings for the keys that occur twice in the text of an object, which itself has only the last
// ones. A caller that has the text adds them to the findings of [Checker.Check].
func (c *Checker) DuplicateKeys(object map[string]any, keys []manifests.Duplicate) []Finding {
	run := check{Checker: c, object: object}
	for _, k := range keys {
		problem := rule.Problem{
			Path:   k.Path,
			Detail: fmt.Sprintf("line %d has this key already, and its value is lost", k.Earlier),
			Fix:    "keep one of the two",
		}
		if k.Same {
			problem.Severity, problem.Detail = rule.Warning, fmt.Sprintf("line %d has this key already", k.Earlier)
		}
		run.report(keyTwice, problem)
	}
	if len(run.findings) == 0 {
		return nil
	}
	ignored := run.ignored()
	run.findings = run.findings[:len(keys)] // Check reports errors in the annotation itself
	run.findings.Suppress(ignored)
	run.findings.Sort()
	return run.findings
}
