package report

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/rule"
)

// Ignore says which findings are ignored: those that match every list that is given, each in one
// of its elements. At least one list has to be given. Rules that are mandatory are not ignored.
//
// Patterns are those of pulumi --target: * stands for any text without a colon, ** for any text.
type Ignore struct {
	// Rules are IDs, "MK205" for example. The default is all rules.
	Rules []string `json:"rules,omitempty"`
	// Namespaces are patterns of the namespaces of objects. An object that says none is in
	// "default", unless its kind has no namespace; one whose namespace is not known yet is in none.
	// The default is all objects.
	Namespaces []string `json:"namespaces,omitempty"`
	// Resources are patterns of objects, in one of these forms: the URN; its end, TYPE::NAME, such
	// as "kubernetes:batch/v1:Job::migrate-*"; the name of the resource; KIND/NAME or NAME as
	// Kubernetes has them, such as "Job/migrate-*". The default is all objects.
	Resources []string `json:"resources,omitempty"`
	// Reason is why, for the reports. The default is no reason.
	Reason string `json:"reason,omitempty"`
}

// String says what is ignored: "MK205, MK301 in the namespace legacy".
func (i Ignore) String() string {
	text := strings.Join(i.Rules, ", ")
	if text == "" {
		text = "all rules"
	}
	if len(i.Namespaces) > 0 {
		text += " in the namespace " + strings.Join(i.Namespaces, " or ")
	}
	if len(i.Resources) > 0 {
		text += " of " + strings.Join(i.Resources, " or ")
	}
	return text
}

// ValidateIgnores returns what is wrong with a list, with paths below path: unknown IDs,
// rules that nobody can ignore, elements that say nothing.
func ValidateIgnores(path *field.Path, rules rule.Set, ignores []Ignore) field.ErrorList {
	var errs field.ErrorList
	for i, ignore := range ignores {
		at := path.Index(i)
		errs = append(errs, rules.CheckIgnored(at.Child("rules"), ignore.Rules)...)
		if len(ignore.Rules)+len(ignore.Namespaces)+len(ignore.Resources) == 0 {
			errs = append(errs, field.Required(at,
				"give rules, namespaces or resources: all findings would be ignored"))
		}
		errs = append(errs, ignore.selection().validate(at)...)
	}
	return errs
}

// ignoring is an Ignore that is ready to be used.
type ignoring struct {
	Ignore
	selecting
}

func (i Ignore) selection() Selection { return Selection{i.Namespaces, i.Resources} }

func (i ignoring) matches(o Object, of rule.Rule) bool {
	return !of.Mandatory && (len(i.Rules) == 0 || slices.Contains(i.Rules, of.ID)) && i.selects(o)
}
