package breaking

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// version matches the version of another package's schema in a reference. A program uses one major version of it.
var version = regexp.MustCompile(`^(/\w+/v\d+)[^/]*`)

// shape returns a readable form of a type, without what [comparison.tightened] compares.
func shape(t schema.TypeSpec) string {
	switch {
	case len(t.OneOf) > 0:
		choices := make([]string, len(t.OneOf))
		for i, choice := range t.OneOf {
			choices[i] = shape(choice)
		}
		slices.Sort(choices)
		return strings.Join(choices, " or ")
	case t.Ref != "":
		return version.ReplaceAllString(strings.TrimPrefix(t.Ref, "#/types/"), "$1")
	case t.Items != nil:
		return "a list of " + shape(*t.Items)
	case t.AdditionalProperties != nil:
		return "a map of " + shape(*t.AdditionalProperties)
	}
	return t.Type
}

// tightened reports inputs that took outputs and now take only plain values. Both types have the same shape.
func (c *comparison) tightened(what string, was, is schema.TypeSpec) {
	if is.Plain && !was.Plain {
		c.report("%s accepted outputs and now accepts only plain values", what)
	}
	if was.Items != nil && is.Items != nil {
		c.tightened(what+", an element", *was.Items, *is.Items)
	}
	if was.AdditionalProperties != nil && is.AdditionalProperties != nil {
		c.tightened(what+", an element", *was.AdditionalProperties, *is.AdditionalProperties)
	}
	for _, choice := range was.OneOf {
		for _, now := range is.OneOf {
			if shape(now) == shape(choice) {
				c.tightened(what, choice, now)
			}
		}
	}
}

// parts returns the types that a type consists of: the type of its elements, or its alternatives.
func parts(t schema.TypeSpec) []schema.TypeSpec {
	all := slices.Clone(t.OneOf)
	for _, element := range []*schema.TypeSpec{t.Items, t.AdditionalProperties} {
		if element != nil {
			all = append(all, *element)
		}
	}
	return all
}

func (c *comparison) removed(about, now string) {
	if now != "" {
		now = ": it seems to be " + now + " now"
	}
	c.report("%s is removed%s", about, now)
}

// renamed returns the only new token with the specification of a removed one, "" unless there is exactly one.
func renamed[Spec any](was Spec, before, after map[string]Spec) string {
	var found []string
	for _, token := range slices.Sorted(maps.Keys(after)) {
		is := after[token]
		if _, old := before[token]; !old && reflect.DeepEqual(was, is) {
			found = append(found, token)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}
