package mocktest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// Op is what an update would do with a resource.
type Op string

// The operations. A resource that the program reads again is [OpSame].
const (
	OpSame    Op = "same"
	OpCreate  Op = "create"
	OpUpdate  Op = "update"
	OpReplace Op = "replace"
	OpDelete  Op = "delete"
	OpRead    Op = "read"
	OpImport  Op = "import"
	// OpNotKnown means that it is unknown whether the resource is replaced: its inputs have changed and its provider is
	// not known here, or its provider would replace it for a change of a secret that a graph from a file does not have.
	OpNotKnown Op = "changed, replacement not known"
)

// Change is what an update would do with one resource.
type Change struct {
	URN  resource.URN
	Type string
	Name string
	Op   Op
	// Was is the earlier URN, if an alias has found the resource under another one.
	Was resource.URN
	// DeletedFirst is true if the old resource is deleted before its replacement is created.
	DeletedFirst bool
	// Retained is true if the deleted or replaced resource stays where it is, because of the option RetainOnDelete:
	// Pulumi only removes it from its state.
	Retained bool
	// Differences are the differences of the inputs, sorted by path, without those that options ignore.
	Differences []Difference
	// Reasons are why the resource is replaced or, with OpNotKnown, why it may be.
	Reasons []string
	// NotCompared are the paths of inputs that cannot be compared: secrets of a graph that was stored in a file, values
	// that come from a resource with such a secret, and unknown values whose earlier value came from other resources.
	// They count as unchanged only if a change of them would not replace the resource. Unknown values that come only
	// from resources that stay, as in the earlier run, are unchanged, and are not among the paths.
	NotCompared []string
}

// Difference is one input, or one part of it, that differs.
type Difference struct {
	// Path is in Pulumi's notation, such as spec.containers[0].image.
	Path string
	// Before and After are as in [Plain], and nil if there is no value.
	Before, After any
	// Why is the reason why this difference replaces the resource. It is empty if the resource changes in place.
	Why string
}

// String names the resource and its operation.
func (c Change) String() string {
	text := fmt.Sprintf("%s %s %q: %s", marks[c.Op], c.Type, c.Name, c.Op)
	switch {
	case c.Op == OpNotKnown && len(c.Differences) == 0:
		text = fmt.Sprintf("%s %s %q: replacement not known", marks[c.Op], c.Type, c.Name)
	case c.Op == OpReplace && c.DeletedFirst:
		text += ", the old one goes first"
	case c.Op == OpReplace:
		text += ", the new one comes first"
	}
	if c.Retained {
		text += ", retained"
	}
	if c.Was != "" {
		text += ", was " + string(c.Was)
	}
	return text
}

var marks = map[Op]string{
	OpSame: " ", OpCreate: "+", OpUpdate: "~", OpReplace: "±", OpDelete: "-", OpRead: ">", OpImport: "=",
	OpNotKnown: "?",
}

// Changes are sorted by URN.
type Changes []Change

// Changes returns what an update would do, or did, with each resource, compared with the earlier run that was passed to
// [After]. Without an earlier run, everything is new. After an error of the program nothing counts as deleted, because
// Pulumi deletes only at the end.
func (g *Graph) Changes() Changes {
	if g.changes != nil {
		return slices.Clone(g.changes)
	}
	var all Changes
	for _, r := range g.resources {
		all = append(all, Change{URN: r.URN, Type: r.Type, Name: r.Name, Op: firstOp(r)})
	}
	return all
}

// firstOp returns the operation for a resource that did not exist before.
func firstOp(r Resource) Op {
	switch {
	case r.Read:
		return OpRead
	case r.ImportID != "" && r.Custom:
		return OpImport
	default:
		return OpCreate
	}
}

// Ops returns the changes with one of the operations.
func (c Changes) Ops(ops ...Op) Changes {
	return c.filtered(func(c Change) bool { return slices.Contains(ops, c.Op) })
}

// OfType returns the changes of resources with one of the types.
func (c Changes) OfType(types ...string) Changes {
	return c.filtered(func(c Change) bool { return slices.Contains(types, c.Type) })
}

// Any reports whether an update would change anything. A resource that only has another URN does not count.
func (c Changes) Any() bool {
	return slices.ContainsFunc(c, func(c Change) bool { return c.Op != OpSame })
}

// Removed returns the resources that are deleted or replaced, unless they are retained, and those that have
// [OpNotKnown].
func (c Changes) Removed() Changes {
	return c.Ops(OpDelete, OpReplace, OpNotKnown).filtered(func(c Change) bool { return !c.Retained })
}

func (c Changes) filtered(keep func(Change) bool) Changes {
	var result Changes
	for _, change := range c {
		if keep(change) {
			result = append(result, change)
		}
	}
	return result
}

// String lists all resources that change or have another URN, one after the other, with the values that differ and the
// reasons. It also lists inputs that cannot be compared. It is empty if nothing changes. A secret shows as [secret],
// including those that AdditionalSecretOutputs names, and an unknown value as [unknown].
func (c Changes) String() string {
	var text strings.Builder
	for _, change := range c {
		if change.Op == OpSame && change.Was == "" && len(change.NotCompared) == 0 {
			continue
		}
		fmt.Fprintln(&text, change)
		for _, d := range change.Differences {
			fmt.Fprintf(&text, "    %s\n", d)
		}
		because := "because"
		if change.Op == OpNotKnown {
			because = "perhaps because"
		}
		for _, reason := range change.Reasons {
			fmt.Fprintf(&text, "    %s %s\n", because, reason)
		}
		for _, path := range change.NotCompared {
			fmt.Fprintf(&text, "    %s: not known whether it differs\n", path)
		}
	}
	return text.String()
}

// String returns the path with both values.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s → %s", d.Path, shown(d.Before), shown(d.After))
}

// shown returns a value in one line.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return fmt.Sprintf("%q", v)
	case Marker:
		return fmt.Sprintf("[%s]", string(v))
	case []any:
		parts := make([]string, 0, len(v))
		for _, e := range v {
			parts = append(parts, shown(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, key := range sortedKeys(v) {
			parts = append(parts, key+": "+shown(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return fmt.Sprint(v)
	}
}

// newDifference returns a difference of inputs without their secrets.
func newDifference(d change.Difference, before, after resource.PropertyMap) Difference {
	old, oldSecret := valueAt(d.Path, before)
	now, nowSecret := valueAt(d.Path, after)
	difference := Difference{Path: d.Path.String(), Why: d.Why}
	if d.Kind != change.Added {
		difference.Before = shownValue(old, d.Before)
	}
	if d.Kind != change.Removed {
		difference.After = shownValue(now, d.After)
	}
	if oldSecret || nowSecret {
		for _, side := range []*any{&difference.Before, &difference.After} {
			if *side != nil {
				*side = SecretValue
			}
		}
	}
	return difference
}
