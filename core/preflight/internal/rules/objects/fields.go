package objects

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// fieldRules are about the fields that the API server refuses when it decodes an object, or drops.
var fieldRules = []engine.Rule{fieldUnknown, fieldOfOtherVersion, valueOfWrongType, valueMalformed, fieldDisabled}

const openAPI = "api/openapi-spec/swagger.json of Kubernetes 1.34.4, 1.35.4, 1.36.3 and 1.37.2"

var fieldUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK164", Severity: rule.Error, Title: "a field that its type does not have", Page: rulepages.Structure,
		Reason: "Field names are case-sensitive. kubectl and server-side apply, which Pulumi uses, refuse an object " +
			"with an unknown field. If Pulumi's server-side apply is disabled, the field is dropped with a warning, " +
			"and has no effect.",
		Source: "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation",
	},
	Checks: faulty(structure.UnknownField),
}

var fieldOfOtherVersion = engine.Rule{
	Rule: rule.Rule{
		ID: "MK165", Severity: rule.Error, Title: "a field that the version of Kubernetes does not have",
		Page: rulepages.Structure,
		Reason: "An API server knows neither the fields of later versions nor removed ones, and refuses them like " +
			"misspelled fields. If the version is unknown, this is a warning.",
		Source: openAPI,
	},
	Checks: faulty(structure.OtherVersion),
}

var valueOfWrongType = engine.Rule{
	Rule: rule.Rule{
		ID: "MK166", Severity: rule.Error, Title: "a value of the wrong type", Page: rulepages.Structure,
		Reason: "The API server cannot decode the object, and refuses it. Often quotes are missing, because YAML " +
			"reads 1.0 as a number and true as a boolean, or there are too many quotes. A placeholder, such as " +
			"${REPLICAS}, <replicas> or REPLACE_ME, is a warning: another program may replace it.",
		Source: "vendor/sigs.k8s.io/json of Kubernetes 1.36.3; " + openAPI,
	},
	Checks: faulty(structure.WrongType),
}

var valueMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK167", Severity: rule.Error, Title: "a value that cannot be read", Page: rulepages.Structure,
		Reason: "Quantities, times and base64 have a format, and integers have a range: the API server cannot decode " +
			"an object with other values, and refuses it. A placeholder is a warning, as for MK166.",
		Source: "apimachinery/pkg/api/resource/quantity.go, pkg/apis/meta/v1/time.go and " +
			"pkg/util/intstr/intstr.go of Kubernetes 1.36.3",
	},
	Checks: faulty(structure.Malformed),
}

var fieldDisabled = engine.Rule{
	Rule: rule.Rule{
		ID: "MK171", Severity: rule.Warning, Title: "a field that is disabled by default", Page: rulepages.Structure,
		Reason: "If the feature gate of a field is off, the API server drops the field without an error: a projected " +
			"volume lacks its files, and files lack their owner.",
		Source: "pkg/api/pod/util.go, dropDisabledFields, and pkg/features/kube_features.go of Kubernetes 1.34.4, " +
			"1.35.4, 1.36.3 and 1.37.2",
	},
	Checks: faulty(structure.Disabled),
}

// malformed are objects with fields that the API server refuses or drops.
var malformed = &engine.Scope[*subject.Object]{
	Name: "fields of all objects", Has: func(o *subject.Object) bool { return len(o.Structure().Problems) > 0 },
}

// faulty returns the check for the problems with a fault. A problem is an error only if it is certain.
func faulty(fault structure.Fault) []engine.Check {
	return []engine.Check{engine.On(malformed, func(o *subject.Object) []rule.Problem {
		var found []rule.Problem
		for _, p := range o.Structure().Problems {
			if p.Fault != fault {
				continue
			}
			severity := rule.Error
			if !p.Certain {
				severity = rule.Warning
			}
			found = append(found, rule.Problem{
				Path: p.Path, Value: p.Value, Detail: p.Detail, Fix: p.Fix, Severity: severity,
			})
		}
		return found
	})}
}
