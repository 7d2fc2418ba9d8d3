package report

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Selection selects objects: those that match at least one element of every list that is set. Patterns have the syntax
// of [Ignore].
type Selection struct {
	// Namespaces are patterns for the namespaces of objects. The default is all objects.
	Namespaces []string `json:"namespaces,omitempty"`
	// Resources are patterns for objects. The default is all objects.
	Resources []string `json:"resources,omitempty"`
}

// ValidateSelections validates a list of selections. It returns errors below path.
func ValidateSelections(path *field.Path, selections []Selection) field.ErrorList {
	var errs field.ErrorList
	for i, s := range selections {
		if len(s.Namespaces)+len(s.Resources) == 0 {
			errs = append(errs, field.Required(path.Index(i), "set namespaces or resources"))
		}
		errs = append(errs, s.validate(path.Index(i))...)
	}
	return errs
}

func (s Selection) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, list := range []struct {
		name     string
		patterns []string
	}{{"namespaces", s.Namespaces}, {"resources", s.Resources}} {
		if n := slices.Index(list.patterns, ""); n >= 0 {
			errs = append(errs, field.Required(path.Child(list.name).Index(n), "an empty pattern matches nothing"))
		}
	}
	return errs
}

// Selector selects the objects that match at least one of several selections.
type Selector struct{ of []selecting }

// NewSelector returns a selector. Without selections it selects all objects.
func NewSelector(selections []Selection) *Selector {
	s := &Selector{}
	for _, one := range selections {
		s.of = append(s.of, prepare(one))
	}
	return s
}

// Selects reports whether an object is selected.
func (s *Selector) Selects(o Object) bool {
	return len(s.of) == 0 || slices.ContainsFunc(s.of, func(s selecting) bool { return s.selects(o) })
}

// selecting is a compiled [Selection].
type selecting struct{ namespaces, resources []*regexp.Regexp }

func prepare(s Selection) selecting { return selecting{patterns(s.Namespaces), patterns(s.Resources)} }

func (s selecting) selects(o Object) bool {
	return (len(s.namespaces) == 0 || matchesAny(s.namespaces, o.namespace())) &&
		(len(s.resources) == 0 || slices.ContainsFunc(o.names(), func(name string) bool {
			return matchesAny(s.resources, name)
		}))
}

func patterns(of []string) []*regexp.Regexp {
	compiled := make([]*regexp.Regexp, len(of))
	for i, pattern := range of {
		text := regexp.QuoteMeta(pattern)
		text = strings.ReplaceAll(text, `\*\*`, `(?s:.*)`)
		text = strings.ReplaceAll(text, `\*`, `[^:]*`)
		compiled[i] = regexp.MustCompile(`^(?:` + text + `)$`)
	}
	return compiled
}

func matchesAny(patterns []*regexp.Regexp, text string) bool {
	return text != "" && slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(text) })
}

// names returns the names of an object that the patterns of an [Ignore] can match.
func (o Object) names() []string {
	names := []string{o.Name, o.String()}
	types, name, ok := o.urn()
	if !ok {
		return names
	}
	// With and without the types of the parent components.
	own := types[strings.LastIndex(types, "$")+1:]
	return append(names, o.Resource, types+urnDelimiter+name, own+urnDelimiter+name, name)
}
