package report

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Ignore selects findings to ignore: those that match at least one element of every list that is set. At least one list
// must be set. Mandatory rules are never ignored.
//
// Patterns have the syntax of pulumi --target: * matches any text without a colon, ** matches any text.
type Ignore struct {
	// Rules are IDs of rules, for example "MK205". The default is all rules.
	Rules []string `json:"rules,omitempty"`
	// Namespaces are patterns for the namespaces of objects. An object that does not set a namespace is in "default",
	// unless its kind is cluster-scoped; an object whose namespace is not known yet is in no namespace. The default is
	// all objects.
	Namespaces []string `json:"namespaces,omitempty"`
	// Resources are patterns for objects, in one of these forms: the URN; its end, TYPE::NAME, such as
	// "kubernetes:batch/v1:Job::migrate-*"; the name of the resource; KIND/NAME or NAME of the Kubernetes object, such
	// as "Job/migrate-*". The default is all objects.
	Resources []string `json:"resources,omitempty"`
	// Reason is why the findings are ignored, for the reports. The default is empty.
	Reason string `json:"reason,omitempty"`
}

// String describes what is ignored: "MK205, MK301 in the namespace legacy".
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

// ValidateIgnores validates a list of ignores. It returns errors below path for unknown IDs, for mandatory rules, and
// for elements that set no list.
func ValidateIgnores(path *field.Path, rules rule.Set, ignores []Ignore) field.ErrorList {
	var errs field.ErrorList
	for i, ignore := range ignores {
		at := path.Index(i)
		errs = append(errs, rules.CheckIgnored(at.Child("rules"), ignore.Rules)...)
		if len(ignore.Rules)+len(ignore.Namespaces)+len(ignore.Resources) == 0 {
			errs = append(errs, field.Required(at,
				"set rules, namespaces or resources: all findings would be ignored"))
		}
		errs = append(errs, ignore.selection().validate(at)...)
	}
	return errs
}

// ignoring is a compiled [Ignore].
type ignoring struct {
	Ignore
	selecting
}

func (i Ignore) selection() Selection { return Selection{i.Namespaces, i.Resources} }

func (i ignoring) matches(o Object, of rule.Rule) bool {
	return !of.Mandatory && (len(i.Rules) == 0 || slices.Contains(i.Rules, of.ID)) && i.selects(o)
}
