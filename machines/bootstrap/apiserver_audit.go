package bootstrap

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const auditAPIVersion = "audit.k8s.io/v1"

// auditPolicy is the Policy of audit.k8s.io/v1
// (https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/).
type auditPolicy struct {
	APIVersion        string      `json:"apiVersion"`
	Kind              string      `json:"kind"`
	Metadata          any         `json:"metadata"`
	Rules             []auditRule `json:"rules"`
	OmitStages        []string    `json:"omitStages"`
	OmitManagedFields bool        `json:"omitManagedFields"`
}

type auditRule struct {
	Level             string           `json:"level"`
	Users             []string         `json:"users"`
	UserGroups        []string         `json:"userGroups"`
	Verbs             []string         `json:"verbs"`
	Resources         []auditResources `json:"resources"`
	Namespaces        []string         `json:"namespaces"`
	NonResourceURLs   []string         `json:"nonResourceURLs"`
	OmitStages        []string         `json:"omitStages"`
	OmitManagedFields *bool            `json:"omitManagedFields"`
}

type auditResources struct {
	Group         string   `json:"group"`
	Resources     []string `json:"resources"`
	ResourceNames []string `json:"resourceNames"`
}

var (
	auditLevels = []string{"None", "Metadata", "Request", "RequestResponse"}
	auditStages = []string{"RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"}
)

// secretBodies are resources with secrets in their bodies, with how messages call them.
var secretBodies = []struct{ group, resource, subresource, called string }{
	{"", "secrets", "", "Secrets"},
	{"", "serviceaccounts", "token", "tokens of service accounts"},
	{"authentication.k8s.io", "tokenreviews", "", "TokenReviews"},
}

// validateAuditPolicy follows k8s.io/apiserver/pkg/apis/audit/validation: with anything else
// the API server does not start. It goes further where bodies have secrets.
func validateAuditPolicy(text string, path *field.Path) field.ErrorList {
	policy, errs := readAuditPolicy(text, path)
	if len(errs) > 0 {
		return errs
	}
	errs = validateAuditStages(policy.OmitStages, path.Child("omitStages"))
	for i, rule := range policy.Rules {
		errs = append(errs, rule.validate(path.Child("rules").Index(i))...)
	}
	for _, body := range secretBodies {
		i := slices.IndexFunc(policy.Rules, func(rule auditRule) bool {
			return rule.covers(body.group, body.resource, body.subresource) &&
				(rule.writesBodies() || rule.isForEverybody())
		})
		if i >= 0 && policy.Rules[i].writesBodies() {
			errs = append(errs, field.Invalid(path.Child("rules").Index(i).Child("level"), policy.Rules[i].Level,
				fmt.Sprintf("would write the bodies of %s into the log: put a rule of the level Metadata for all of "+
					"them before it", body.called)))
		}
	}
	return errs
}

func readAuditPolicy(text string, path *field.Path) (auditPolicy, field.ErrorList) {
	var policy auditPolicy
	wrong := func(what string) (auditPolicy, field.ErrorList) {
		return policy, field.ErrorList{field.Invalid(path, field.OmitValueType{}, what)}
	}
	var raw any
	decoder := yaml.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&raw); err != nil {
		reason := strings.TrimPrefix(err.Error(), "yaml: ")
		return wrong("must be a Policy of " + auditAPIVersion + " in YAML: " + reason)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return wrong("must be one document")
	}
	if errs := tree.Decode(&policy, raw, path); len(errs) > 0 {
		return policy, errs
	}
	if policy.APIVersion != auditAPIVersion || policy.Kind != "Policy" {
		return wrong("must have the apiVersion " + auditAPIVersion + " and the kind Policy")
	}
	if len(policy.Rules) == 0 {
		return wrong("must have a rule: use audit.disabled to write nothing")
	}
	return policy, nil
}

// writesBodies reports whether a rule writes more than who did what.
func (r auditRule) writesBodies() bool { return r.Level == "Request" || r.Level == "RequestResponse" }

func (r auditRule) validate(path *field.Path) field.ErrorList {
	errs := validateAuditStages(r.OmitStages, path.Child("omitStages"))
	if !slices.Contains(auditLevels, r.Level) {
		errs = append(errs, field.Invalid(path.Child("level"), r.Level,
			fielderrors.Unknown("level", r.Level, auditLevels)))
	}
	for i, url := range r.NonResourceURLs {
		if at := path.Child("nonResourceURLs").Index(i); url != "*" && !strings.HasPrefix(url, "/") ||
			strings.Contains(strings.TrimSuffix(url, "*"), "*") {
			errs = append(errs, field.Invalid(at, url, "must begin with /, and may have a * as its last character"))
		}
	}
	if len(r.NonResourceURLs) > 0 && (len(r.Resources) > 0 || len(r.Namespaces) > 0) {
		errs = append(errs, field.Invalid(path.Child("nonResourceURLs"), r.NonResourceURLs,
			"a rule is for resources or for other URLs: write two rules"))
	}
	for i, of := range r.Resources {
		if len(of.ResourceNames) > 0 && len(of.Resources) == 0 {
			errs = append(errs, field.Required(path.Child("resources").Index(i).Child("resources"),
				"resourceNames needs resources: name the resources"))
		}
	}
	return errs
}

func validateAuditStages(stages []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, stage := range stages {
		if !slices.Contains(auditStages, stage) {
			errs = append(errs, field.Invalid(path.Index(i), stage, fielderrors.Unknown("stage", stage, auditStages)))
		}
	}
	return errs
}

// covers reports whether a rule applies to requests about a resource, from at least some users.
func (r auditRule) covers(group, resource, subresource string) bool {
	if len(r.NonResourceURLs) > 0 {
		return false
	}
	return len(r.Resources) == 0 || slices.ContainsFunc(r.Resources, func(of auditResources) bool {
		return (of.Group == group || of.Group == "*") && of.names(resource, subresource)
	})
}

// names follows ruleMatchesResource in k8s.io/apiserver/pkg/audit/policy.
func (r auditResources) names(resource, subresource string) bool {
	combined := resource
	if subresource != "" {
		combined += "/" + subresource
	}
	return len(r.Resources) == 0 || slices.ContainsFunc(r.Resources, func(name string) bool {
		return name == "*" || name == combined || name == resource+"/*" ||
			subresource != "" && name == "*/"+subresource
	})
}

// isForEverybody reports whether no request about the rule's resources gets to the next rule.
func (r auditRule) isForEverybody() bool {
	return len(r.Users) == 0 && len(r.UserGroups) == 0 && len(r.Verbs) == 0 && len(r.Namespaces) == 0 &&
		!slices.ContainsFunc(r.Resources, func(of auditResources) bool { return len(of.ResourceNames) > 0 })
}
