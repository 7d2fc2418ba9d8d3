package program

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// Outcome is what becomes of a resource, as the engine and mocktest both can say it.
type Outcome struct {
	Op mocktest.Op
	// DeletedFirst and Retained are as in mocktest.Change.
	DeletedFirst, Retained bool
	// Was is an earlier name, with the types above, if it is another one.
	Was string
	// For are the paths that replace the resource, Also those of other differences.
	For, Also []string
}

// OutcomeOf is what mocktest says.
func OutcomeOf(c mocktest.Change) Outcome {
	o := Outcome{Op: c.Op, DeletedFirst: c.DeletedFirst, Retained: c.Retained}
	if c.Was != "" {
		o.Was = Place(string(c.Was))
	}
	for _, d := range c.Differences {
		if d.Why != "" {
			o.For = append(o.For, d.Path)
		} else {
			o.Also = append(o.Also, d.Path)
		}
	}
	return o
}

// Place is a URN without the project and the stack.
func Place(urn string) string { return strings.Join(strings.Split(urn, "::")[2:], "::") }

// String is the outcome in one line.
func (o Outcome) String() string {
	parts := []string{string(o.Op)}
	if o.Op == mocktest.OpReplace {
		parts[0] += ", the new one first"
		if o.DeletedFirst {
			parts[0] = string(o.Op) + ", the old one first"
		}
	}
	if o.Retained {
		parts[0] += ", retained"
	}
	if o.Was != "" {
		parts = append(parts, "was "+o.Was)
	}
	for _, paths := range []struct {
		word string
		of   []string
	}{{"for", o.For}, {"also", o.Also}} {
		if len(paths.of) > 0 {
			slices.Sort(paths.of)
			parts = append(parts, paths.word+" "+strings.Join(paths.of, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
