package rule

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

// Rule is something that is checked. It is a variable beside its check, which reports
// through it.
type Rule struct {
	// ID never changes and is never given to another rule.
	ID string
	// Severity is that of the rule's findings.
	Severity Severity
	// Title says in a few words what is wrong.
	Title string
	// Since and Until are the first and the last minor version of Kubernetes for
	// which the rule holds, for example "1.34". Empty means all.
	Since, Until string
	// Reason says why it matters.
	Reason string
	// Source is where the rule comes from: a file of Kubernetes, a page of its
	// documentation or of Microsoft's.
	Source string
	// Mandatory says that a component relies on the rule, so that nobody can ignore it.
	Mandatory bool
}

// Severity says how bad a finding is.
type Severity string

// The severities, the worst first.
const (
	// Error is what fails: the API server, the kubelet or Windows refuses it, or
	// it can never work.
	Error Severity = "error"
	// Warning is what is unwise, or works only under conditions that are not known.
	Warning Severity = "warning"
	// Info is what is good to know.
	Info Severity = "info"
)

// Severities are all severities, the worst first.
func Severities() []Severity { return []Severity{Error, Warning, Info} }

// oldest is the oldest minor version of Kubernetes that the rules were compared with.
const oldest = 33

// For is the rule as it applies to Kubernetes 1.minor, false if it does not. The minor
// version is 0 where it is not known: an error of some versions only is a [Warning] then.
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

// Set is rules in the order of their IDs.
type Set []Rule

// NewSet puts rules in order.
func NewSet(rules ...Rule) Set {
	return slices.SortedFunc(slices.Values(rules), func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
}

// Find returns the rule of an ID, false if there is no such rule.
func (s Set) Find(id string) (Rule, bool) {
	i, found := slices.BinarySearchFunc(s, id, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
	if !found {
		return Rule{}, false
	}
	return s[i], true
}

// Nearest returns the ID that a misspelled one most likely means, false if none is near.
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

// CheckIgnored returns what is wrong with a list of IDs of rules to ignore, which stands at path:
// IDs of which there is no rule, and rules that nobody can ignore.
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
			errs = append(errs, field.Invalid(path, id, "no such rule: "+fix))
		}
	}
	return errs
}
