package rule

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Rule describes something that a check verifies.
type Rule struct {
	// ID identifies the rule. It never changes and is never reused for another rule.
	ID string
	// Severity is the severity of the rule's findings.
	Severity Severity
	// Title is a short description of the problem.
	Title string
	// Since and Until are the first and the last minor version of Kubernetes to which the rule applies, for example
	// "1.34". Empty means no limit.
	Since, Until string
	// Reason explains why the problem matters.
	Reason string
	// Fix is how to fix the problem, unless a finding knows better.
	Fix string
	// Source is where the rule comes from: a source file of Kubernetes, or a page of the documentation of Kubernetes or
	// Microsoft.
	Source string
	// Page is the name of the page of docs/rules that explains the rule, without its extension.
	Page string
	// Across means that the rule compares objects with each other, and finds nothing in one object alone.
	Across bool
	// Mandatory means that a component relies on the rule, so the rule cannot be ignored.
	Mandatory bool
}

// Severity is how serious a finding is.
type Severity string

// The severities, most severe first.
const (
	// Error means that the object fails: the API server, the kubelet or Windows refuses it, or it can never work.
	Error Severity = "error"
	// Warning means that something is unwise, or works only under conditions that are unknown.
	Warning Severity = "warning"
	// Info is useful information.
	Info Severity = "info"
)

// Severities returns all severities, most severe first.
func Severities() []Severity { return []Severity{Error, Warning, Info} }

// oldest is the oldest minor version of Kubernetes that the rules were compared with.
const oldest = 33

// For returns the rule as it applies to Kubernetes 1.minor, or false if it does not apply. A minor version of 0 means
// that the version is unknown: an error that exists in some versions only is a [Warning] then.
func (r Rule) For(minor int) (Rule, bool) {
	since, _ := kubeversion.Parse(r.Since)
	until, bounded := kubeversion.Parse(r.Until)
	if minor != 0 {
		return r, minor >= since.Minor && (!bounded || minor <= until.Minor)
	}
	if r.Severity == Error && (since.Minor > oldest || bounded) {
		r.Severity = Warning
	}
	return r, true
}

// Set is a list of rules, sorted by ID.
type Set []Rule

// NewSet returns a Set of rules.
func NewSet(rules ...Rule) Set {
	return slices.SortedFunc(slices.Values(rules), func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
}

// Find returns the rule with an ID, or false if there is no such rule.
func (s Set) Find(id string) (Rule, bool) {
	i, found := slices.BinarySearchFunc(s, id, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
	if !found {
		return Rule{}, false
	}
	return s[i], true
}

// Nearest returns the ID that is most similar to a misspelled one, or false if none is similar.
func (s Set) Nearest(id string) (string, bool) {
	// All IDs begin alike, so only the rest tells whether two are near.
	rest := func(id string) string { return strings.TrimPrefix(strings.ToUpper(id), "MK") }
	rests := make([]string, len(s))
	for i, r := range s {
		rests[i] = rest(r.ID)
	}
	near, ok := fielderrors.Nearest(rest(id), rests)
	if !ok {
		return "", false
	}
	return s[slices.Index(rests, near)].ID, true
}

// CheckIgnored validates a list of IDs of rules to ignore. It returns an error below path for each ID that does not
// exist or whose rule is mandatory.
func (s Set) CheckIgnored(path *field.Path, ids []string) field.ErrorList {
	var errs field.ErrorList
	for i, id := range ids {
		path := path.Index(i)
		switch r, found := s.Find(id); {
		case r.Mandatory:
			errs = append(errs, field.Invalid(path, id, "the component relies on this rule: remove it"))
		case !found:
			fix := "remove it"
			if near, ok := s.Nearest(id); ok {
				fix += fmt.Sprintf(", or did you mean %s?", near)
			}
			errs = append(errs, field.Invalid(path, id, "is not a rule: "+fix))
		}
	}
	return errs
}
