// Package breaking finds the changes of a package's schema that break the programs of its users: programs that
// compiled and ran with the old SDK, and do not with the new one.
package breaking

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Changes returns the changes between two schemas that break users, sorted. Each is a sentence that begins with
// the changed object. Additions do not break programs.
func Changes(before, after []byte) ([]string, error) {
	c := comparison{messages: map[string]bool{}}
	if err := json.Unmarshal(before, &c.before); err != nil {
		return nil, fmt.Errorf("reading the schema before: %w", err)
	}
	if err := json.Unmarshal(after, &c.after); err != nil {
		return nil, fmt.Errorf("reading the schema after: %w", err)
	}
	compare(&c, "resource", c.before.Resources, c.after.Resources, c.resource)
	compare(&c, "function", c.before.Functions, c.after.Functions, c.function)
	compare(&c, "type", c.before.Types, c.after.Types, c.typeComparison())
	return slices.Sorted(maps.Keys(c.messages)), nil
}

type comparison struct {
	before, after schema.PackageSpec
	messages      map[string]bool
}

func (c *comparison) report(format string, args ...any) {
	c.messages[fmt.Sprintf(format, args...)] = true
}

// direction is the direction of a value: programs set inputs, and read outputs.
type direction string

const (
	input  direction = "input"
	output direction = "output"
)

// compare compares the specifications that have the same token, and reports those that are removed.
func compare[Spec any](
	c *comparison, kind string, before, after map[string]Spec, with func(token, about string, was, is Spec),
) {
	for token, was := range before {
		about := kind + " " + token
		if is, ok := after[token]; ok {
			with(token, about, was, is)
		} else {
			c.removed(about, renamed(was, before, after))
		}
	}
}

func (c *comparison) resource(_, about string, was, is schema.ResourceSpec) {
	if was.IsComponent != is.IsComponent {
		c.report("%s: isComponent was %t and is %t", about, was.IsComponent, is.IsComponent)
	}
	c.properties(about, input, was.InputProperties, is.InputProperties, was.RequiredInputs, is.RequiredInputs)
	c.properties(about, output, was.Properties, is.Properties, was.Required, is.Required)
}

func (c *comparison) function(_, about string, was, is schema.FunctionSpec) {
	wasIn, isIn := inputs(was), inputs(is)
	c.properties(about, input, wasIn.Properties, isIn.Properties, wasIn.Required, isIn.Required)
	wasOut, isOut := outputs(was), outputs(is)
	c.properties(about, output, wasOut.Properties, isOut.Properties, wasOut.Required, isOut.Required)
}

func inputs(f schema.FunctionSpec) schema.ObjectTypeSpec {
	if f.Inputs == nil {
		return schema.ObjectTypeSpec{}
	}
	return *f.Inputs
}

func outputs(f schema.FunctionSpec) schema.ObjectTypeSpec {
	if f.ReturnType == nil || f.ReturnType.ObjectTypeSpec == nil {
		return schema.ObjectTypeSpec{}
	}
	return *f.ReturnType.ObjectTypeSpec
}

// typeComparison compares types, whose properties programs set or read.
func (c *comparison) typeComparison() func(token, about string, was, is schema.ComplexTypeSpec) {
	uses := map[direction]map[string]bool{input: {}, output: {}}
	for _, r := range c.before.Resources {
		c.used(uses[input], r.InputProperties)
		c.used(uses[output], r.Properties)
	}
	for _, f := range c.before.Functions {
		c.used(uses[input], inputs(f).Properties)
		c.used(uses[output], outputs(f).Properties)
	}
	return func(token, about string, was, is schema.ComplexTypeSpec) {
		if was.Type != is.Type {
			c.report("%s: the type was %s and is %s", about, was.Type, is.Type)
			return
		}
		c.choices(about, was.Enum, is.Enum)
		for _, d := range []direction{input, output} {
			if uses[d][token] {
				c.properties(about, d, was.Properties, is.Properties, was.Required, is.Required)
			}
		}
	}
}

// used adds the types that properties refer to, directly or through other types.
func (c *comparison) used(found map[string]bool, properties map[string]schema.PropertySpec) {
	for _, p := range properties {
		c.usedBy(found, p.TypeSpec)
	}
}

func (c *comparison) usedBy(found map[string]bool, t schema.TypeSpec) {
	token, own := strings.CutPrefix(t.Ref, "#/types/")
	if own && !found[token] {
		found[token] = true
		c.used(found, c.before.Types[token].Properties)
	}
	for _, part := range parts(t) {
		c.usedBy(found, part)
	}
}

// choices compares the values of an enum: programs refer to them by name.
func (c *comparison) choices(about string, before, after []schema.EnumValueSpec) {
	for _, was := range before {
		i := slices.IndexFunc(after, func(is schema.EnumValueSpec) bool { return is.Value == was.Value })
		if i < 0 {
			c.report("%s: the value %v is removed", about, was.Value)
		} else if after[i].Name != was.Name {
			c.report("%s: the value %v was called %s and is called %s", about, was.Value, was.Name, after[i].Name)
		}
	}
}

func (c *comparison) properties(
	about string, d direction, before, after map[string]schema.PropertySpec, wasRequired, isRequired []string,
) {
	for name, was := range before {
		what := fmt.Sprintf("%s: %s %s", about, d, name)
		is, ok := after[name]
		if !ok {
			c.report("%s is removed", what)
			continue
		}
		c.property(what, d, was, is)
		required := slices.Contains(isRequired, name)
		switch {
		case required == slices.Contains(wasRequired, name):
		case d == input && required:
			c.report("%s was optional and is required", what)
		case d == output && !required:
			c.report("%s was always there and is optional", what)
		}
	}
	for _, name := range isRequired {
		if _, was := before[name]; !was && d == input {
			c.report("%s: input %s is new and required", about, name)
		}
	}
}

func (c *comparison) property(what string, d direction, was, is schema.PropertySpec) {
	if before, after := shape(was.TypeSpec), shape(is.TypeSpec); before != after {
		c.report("%s was %s and is %s", what, before, after)
	} else if d == input {
		c.tightened(what, was.TypeSpec, is.TypeSpec)
	}
	if !reflect.DeepEqual(was.Const, is.Const) {
		c.report("%s was %s and is %s", what, constant(was), constant(is))
	}
	if was.Secret != is.Secret {
		c.report("%s: secret was %t and is %t", what, was.Secret, is.Secret)
	}
}

// constant describes the constant value of a property.
func constant(p schema.PropertySpec) string {
	if p.Const == nil {
		return "any value"
	}
	return fmt.Sprintf("always %v", p.Const)
}
