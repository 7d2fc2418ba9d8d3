package bootstrap

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

const auditAPIVersion = "audit.k8s.io/v1"

// auditPolicy is the Policy of audit.k8s.io/v1
// (https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/).
type auditPolicy struct {
	typeMeta          `yaml:",inline"`
	Metadata          any         `yaml:"metadata"`
	Rules             []auditRule `yaml:"rules"`
	OmitStages        []string    `yaml:"omitStages"`
	OmitManagedFields bool        `yaml:"omitManagedFields"`
}

type auditRule struct {
	Level             string           `yaml:"level"`
	Users             []string         `yaml:"users"`
	UserGroups        []string         `yaml:"userGroups"`
	Verbs             []string         `yaml:"verbs"`
	Resources         []auditResources `yaml:"resources"`
	Namespaces        []string         `yaml:"namespaces"`
	NonResourceURLs   []string         `yaml:"nonResourceURLs"`
	OmitStages        []string         `yaml:"omitStages"`
	OmitManagedFields *bool            `yaml:"omitManagedFields"`
}

type auditResources struct {
	Group         string   `yaml:"group"`
	Resources     []string `yaml:"resources"`
	ResourceNames []string `yaml:"resourceNames"`
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
	policy, err := readAuditPolicy(text)
	if err != nil {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, err.Error())}
	}
	errs := validateAuditStages(policy.OmitStages, path.Child("omitStages"))
	for i, rule := range policy.Rules {
		errs = append(errs, rule.validate(path.Child("rules").Index(i))...)
	}
	for _, body := range secretBodies {
		for i, rule := range policy.Rules {
			if !rule.covers(body.group, body.resource, body.subresource) {
				continue
			}
			if rule.Level == "Request" || rule.Level == "RequestResponse" {
				errs = append(errs, field.Invalid(path.Child("rules").Index(i).Child("level"), rule.Level, fmt.Sprintf(
					"would write the bodies of %s into the log: put a rule of the level Metadata for all of them "+
						"before it", body.called)))
				break
			}
			if rule.isForEverybody() {
				break
			}
		}
	}
	return errs
}

func readAuditPolicy(text string) (auditPolicy, error) {
	var policy auditPolicy
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&policy); err != nil {
		reason := strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
		return policy, errors.New("must be a Policy of " + auditAPIVersion + " in YAML: " + reason)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return policy, errors.New("must be one document")
	}
	if policy.APIVersion != auditAPIVersion || policy.Kind != "Policy" {
		return policy, fmt.Errorf("must have the apiVersion %s and the kind Policy", auditAPIVersion)
	}
	if len(policy.Rules) == 0 {
		return policy, errors.New("must have a rule: use audit.disabled to write nothing")
	}
	return policy, nil
}

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
			"a rule is for resources or for other URLs: make two rules"))
	}
	for i, of := range r.Resources {
		if len(of.ResourceNames) > 0 && len(of.Resources) == 0 {
			errs = append(errs, field.Required(path.Child("resources").Index(i).Child("resources"),
				"there are names: say of which resource"))
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

// covers says whether a rule is for requests about a resource, of some users at least.
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
		switch {
		case name == "*", name == combined, name == resource+"/*":
			return true
		default:
			return subresource != "" && name == "*/"+subresource
		}
	})
}

// isForEverybody says whether no request about the rule's resources gets to the next rule.
func (r auditRule) isForEverybody() bool {
	return len(r.Users) == 0 && len(r.UserGroups) == 0 && len(r.Verbs) == 0 && len(r.Namespaces) == 0 &&
		!slices.ContainsFunc(r.Resources, func(of auditResources) bool { return len(of.ResourceNames) > 0 })
}
