package objects

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var nameRules = []engine.Rule{nameMalformed, objectTwice}

var nameMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK177", Severity: rule.Error, Title: "a name or a label that is not valid", Page: rulepages.Structure,
		Reason: "Names and namespaces have lower-case letters, digits and hyphens, and most names periods. The keys " +
			"and the values of labels can also have upper-case letters and underscores, and have at most 63 " +
			"characters, without the prefix of a key. The API server refuses all others. A placeholder is a warning, " +
			"as for MK166.",
		Fix: "write a valid one",
		Source: "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/; " +
			"https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
	},
	Checks: []engine.Check{
		engine.On(objectsOfKubernetes, func(o *subject.Object) []rule.Problem {
			return append(malformedNames(o), malformedLabels(tree.Map(o.Tree["metadata"]), "metadata.")...)
		}),
		engine.On(templates, func(p *subject.Pods) []rule.Problem {
			return malformedLabels(p.Metadata, p.Prefix+"metadata.")
		}),
	},
}

var templates = &engine.Scope[*subject.Pods]{
	Within: subject.ValidatedPods, Name: "pod templates", Has: func(p *subject.Pods) bool { return p.Kind != "Pod" },
}

// subdomains are kinds whose names are subdomains of DNS, and domainLabels those whose names are parts of one.
//
// Source: pkg/apis/*/validation of Kubernetes 1.36.3, NameIsDNSSubdomain and NameIsDNSLabel. A Service can have a name
// with a digit at the beginning since 1.34: pkg/features/kube_features.go, RelaxedServiceNameValidation.
var (
	subdomains = []string{
		"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "CronJob",
		"ConfigMap", "Secret", "ServiceAccount", "PersistentVolume", "PersistentVolumeClaim", "StorageClass",
		"RuntimeClass", "PriorityClass", "Ingress", "NetworkPolicy", "PodDisruptionBudget", "HorizontalPodAutoscaler",
		"LimitRange", "ResourceQuota",
	}
	domainLabels = []string{"Namespace", "Service"}
)

// malformedNames returns the problems with the name and the namespace of an object.
func malformedNames(o *subject.Object) (found []rule.Problem) {
	metadata := tree.Map(o.Tree["metadata"])
	found = invalidText(found, metadata["namespace"], "metadata.namespace", domainLabel)
	switch kind, _ := tree.Text(o.Tree["kind"]); {
	case slices.Contains(subdomains, kind):
		return invalidText(found, metadata["name"], "metadata.name", subdomain)
	case slices.Contains(domainLabels, kind):
		return invalidText(found, metadata["name"], "metadata.name", domainLabel)
	}
	return found
}

// syntax is what the API server requires of a name, or of a part of a label.
type syntax struct {
	// wrong returns what is wrong with a text.
	wrong func(string) []string
	// has are the characters that a text may have.
	has string
}

var (
	subdomain   = syntax{validation.IsDNS1123Subdomain, "lower-case letters, digits, - and periods"}
	domainLabel = syntax{validation.IsDNS1123Label, "lower-case letters, digits and -"}
	labelValue  = syntax{validation.IsValidLabelValue, "letters, digits, -, _ and periods"}
	labelKey    = syntax{validation.IsQualifiedName, labelValue.has + " behind the prefix and /, if it has one"}
)

// isPlain reports whether a text is valid in each syntax. Nearly all are, and the expressions of the API server are slow.
func isPlain(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || i == 0 || i == len(text)-1) {
			return false
		}
	}
	return text != "" && len(text) <= validation.DNS1123LabelMaxLength
}

// problem returns what is wrong with a text, "" if nothing is. The API server shows a regular expression.
func (s syntax) problem(text string) string {
	if isPlain(text) {
		return ""
	}
	wrong := s.wrong(text)
	switch {
	case len(wrong) == 0:
		return ""
	case strings.Contains(wrong[0], "regex"):
		return "must have only " + s.has + ", and begin and end with a letter or a digit"
	}
	return wrong[0]
}

// valid replaces characters that people write in names and labels.
var valid = strings.NewReplacer("_", "-", " ", "-", "/", "-")

// invalidText appends a problem if a name or the value of a label is not valid.
func invalidText(found []rule.Problem, v any, path string, s syntax) []rule.Problem {
	text, _ := tree.Text(v)
	detail := s.problem(text)
	if text == "" || detail == "" {
		return found
	}
	problem := rule.Problem{Path: path, Type: field.ErrorTypeInvalid, Value: v, Detail: detail}
	near := valid.Replace(strings.ToLower(text))
	_, secret := v.(tree.Secret)
	switch {
	case placeholder.InName(text):
		problem.Severity, problem.Fix = rule.Warning, structure.PutAValue
	case !secret && s.problem(near) == "":
		problem.Fix = "write " + strconv.Quote(near)
	}
	return append(found, problem)
}

// malformedLabels returns the problems with the labels of metadata.
func malformedLabels(metadata map[string]any, at string) (found []rule.Problem) {
	labels := tree.Map(metadata["labels"])
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		path := at + "labels[" + key + "]"
		if detail := labelKey.problem(key); detail != "" {
			found = append(found, rule.Problem{
				Path: path, Type: field.ErrorTypeInvalid, Value: key, Detail: detail,
				Fix: "correct the key of the label",
			})
		}
		found = invalidText(found, labels[key], path, labelValue)
	}
	return found
}

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
