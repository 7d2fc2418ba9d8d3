package preflight

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	fieldValidation = "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation"
	openAPI         = "api/openapi-spec/swagger.json of Kubernetes 1.34.4, 1.35.4 and 1.36.3"
	deprecations    = "https://kubernetes.io/docs/reference/using-api/deprecation-guide/"
)

var (
	versionNotServed = rule.Rule{
		ID: "MK104", Severity: rule.Error, Title: "an API version that is not served",
		Reason: "The API server refuses an object in a version that it does not serve. The beta versions of " +
			"RuntimeClass and CronJob were removed in Kubernetes 1.25, those of the workloads in 1.16.",
		Source: deprecations,
	}
	fieldUnknown = rule.Rule{
		ID: "MK164", Severity: rule.Error, Title: "a field that its type does not have",
		Reason: "Field names are case-sensitive. kubectl and server-side apply, which Pulumi uses, refuse an object " +
			"with an unknown field. If Pulumi's server-side apply is disabled, the field is dropped with a warning, " +
			"and has no effect.",
		Source: fieldValidation,
	}
	fieldOfOtherVersion = rule.Rule{
		ID: "MK165", Severity: rule.Error, Title: "a field that the version of Kubernetes does not have",
		Reason: "An API server knows neither the fields of later versions nor removed ones, and refuses them like " +
			"misspelled fields. If the version is unknown, this is a warning.",
		Source: openAPI,
	}
	valueOfWrongType = rule.Rule{
		ID: "MK166", Severity: rule.Error, Title: "a value of the wrong type",
		Reason: "The API server cannot decode the object, and refuses it. Often quotes are missing, because YAML " +
			"reads 1.0 as a number and true as a boolean, or there are too many quotes. A placeholder, such as " +
			"${REPLICAS}, is a warning: another program may replace it.",
		Source: "vendor/sigs.k8s.io/json of Kubernetes 1.36.3; " + openAPI,
	}
	valueMalformed = rule.Rule{
		ID: "MK167", Severity: rule.Error, Title: "a value that cannot be read",
		Reason: "Quantities, times and base64 have a format, and integers have a range: the API server cannot decode " +
			"an object with other values, and refuses it. A placeholder is a warning, as for MK166.",
		Source: "apimachinery/pkg/api/resource/quantity.go, pkg/apis/meta/v1/time.go and " +
			"pkg/util/intstr/intstr.go of Kubernetes 1.36.3",
	}
	kindUnknown = rule.Rule{
		ID: "MK168", Severity: rule.Error, Title: "a misspelled kind",
		Reason: "The API server has no such kind in this version of its API, but one with a similar spelling.",
		Source: openAPI,
	}
	versionNotServedByDefault = rule.Rule{
		ID: "MK169", Severity: rule.Warning, Title: "an API version that is disabled by default",
		Reason: "API servers serve alpha versions, and beta versions since 1.24, only if --runtime-config enables " +
			"them. Managed clusters do not enable them.",
		Source: "https://kubernetes.io/docs/reference/using-api/#api-versioning; DefaultAPIResourceConfigSource in " +
			"pkg/controlplane/instance.go of Kubernetes 1.36.3",
	}
)

// faults are the rules for each way in which the structure of an object can be wrong.
var faults = map[structure.Fault]rule.Rule{
	structure.UnknownField: fieldUnknown, structure.OtherVersion: fieldOfOtherVersion,
	structure.WrongType: valueOfWrongType, structure.Malformed: valueMalformed,
}

// structure reports what the API server refuses when it decodes the object: versions, fields and types. Custom
// resources are not checked.
func (c *check) structure(o *pods.Object) {
	name, named := tree.Text(o.Tree["kind"])
	if !named {
		c.mustBeText("kind")
		return
	}
	var problems []structure.Problem
	version, isText := tree.Text(o.Tree["apiVersion"])
	kind := structure.Find(version, name)
	switch {
	case kind != nil:
		if !c.lacksKind(kind) {
			problems = kind.Check(o.Tree, c.minor)
		}
	case isText:
		c.notServed(version, name)
		_, own := pods.Group(o.Kind)
		if keys, ok := pods.Template(o.Kind); ok && own && len(keys) > 0 {
			// The pod template of the kind has not changed.
			template := tree.Map(tree.At(o.Tree, keys...))
			problems = structure.CheckPodTemplate(template, c.minor, keys...)
		}
	case o.Kind != "" && !tree.IsUnknown(o.Tree["apiVersion"]):
		// Without a version, the newest one is assumed.
		group, _ := pods.Group(o.Kind)
		problems = structure.Newest(group, name).Check(o.Tree, c.minor)
	default:
		c.mustBeText("apiVersion")
	}
	for _, p := range problems {
		severity := rule.Error
		if !p.Certain {
			severity = rule.Warning
		}
		if name == "Secret" {
			p.Value = hidden(p.Value)
		}
		c.report(faults[p.Fault], rule.Problem{
			Path: p.Path, Value: p.Value, Detail: p.Detail, Fix: p.Fix, Severity: severity,
		})
	}
}

// mustBeText reports a version or a kind that is not a string: no kind can be found for it.
func (c *check) mustBeText(key string) {
	v := c.object[key]
	if v == nil || tree.IsUnknown(v) {
		return
	}
	p := structure.MustBeText(v)
	c.report(valueOfWrongType, rule.Problem{Path: key, Value: p.Value, Detail: p.Detail, Fix: p.Fix})
}

// hidden hides the content of Secrets from messages, including fields that a Secret does not have.
func hidden(v any) any {
	if _, ok := v.(Secret); ok || v == nil {
		return v
	}
	return Secret{Value: v}
}

// lacksKind reports a kind that only some versions of Kubernetes have, or serve only if configured to. It returns true
// if this version certainly lacks it.
func (c *check) lacksKind(kind *structure.Kind) bool {
	which, lacks := kind.Versions(c.minor)
	if lacks || which != "" && c.minor == 0 {
		p := rule.Problem{
			Path: "apiVersion", Value: c.object["apiVersion"],
			Detail: fmt.Sprintf("is a version that API servers serve for %s only %s",
				structure.WithArticle(kind.Name), which),
			Fix: fmt.Sprintf("write a version that Kubernetes 1.%d serves", c.minor),
		}
		if !lacks {
			p.Severity, p.Fix = rule.Warning, "write a version that the API server serves"
		}
		c.report(versionNotServed, p)
	}
	if lacks {
		return true
	}
	if !kind.ServedByDefault() {
		fix := "use it only if it is enabled in the API server's --runtime-config"
		if newest := kind.Newest(); newest.ServedByDefault() {
			if _, lacks := newest.Versions(c.minor); !lacks {
				fix = "write " + newest.GroupVersion
			}
		}
		c.report(versionNotServedByDefault, rule.Problem{
			Path: "apiVersion", Value: c.object["apiVersion"],
			Detail: "is a version that API servers serve only if configured to", Fix: fix,
		})
	}
	return false
}

// notServed reports a version or a kind that no API server of a supported version has.
func (c *check) notServed(version, kind string) {
	answer, known := structure.NotServed(version, kind)
	first, _ := structure.Range()
	switch {
	case !known:
	case answer.Suggestion != "":
		detail, fix := "is not a kind of "+version, "did you mean "+answer.Suggestion+"?"
		if c.secretKind() {
			detail, fix = "is not a kind of the API version", "check the spelling"
		}
		c.report(kindUnknown, rule.Problem{Path: "kind", Value: c.object["kind"], Detail: detail, Fix: fix})
	case c.minor != 0 && c.minor < first && (answer.RemovedIn == 0 || c.minor < answer.RemovedIn):
		// An older API server may serve it.
	default:
		detail := "is not a version that the API server serves for " + structure.WithArticle(kind)
		if answer.RemovedIn != 0 && !c.secretKind() {
			detail += fmt.Sprintf(" since Kubernetes 1.%d", answer.RemovedIn)
		}
		fix := "remove the object: no version serves the kind"
		if answer.Replacement != "" {
			fix = "write " + answer.Replacement
		}
		c.report(versionNotServed, rule.Problem{
			Path: "apiVersion", Value: c.object["apiVersion"], Detail: detail, Fix: fix,
		})
	}
}

// secretKind reports whether the kind of the object is secret, and with it everything that follows from it.
func (c *check) secretKind() bool {
	_, version := c.object["apiVersion"].(Secret)
	_, kind := c.object["kind"].(Secret)
	return version || kind
}
