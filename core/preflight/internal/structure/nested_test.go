package structure

import (
	"testing"
)

// searched is inside as it is defined: by a search for one name.
func searched(t *Type, name string) string {
	type place struct {
		at  string
		typ *Type
	}
	level := []place{{typ: t}}
	for range 3 {
		var next []place
		var found []string
		for _, p := range level {
			for _, child := range p.typ.names(0) {
				f := p.typ.fields.get(child)
				if f.form != object || child == "metadata" || child == "status" {
					continue
				}
				if f.typ.fields.get(name) != nil {
					found = append(found, p.at+child+"."+name)
				}
				next = append(next, place{p.at + child + ".", f.typ})
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 {
			return ""
		}
		level = next
	}
	return ""
}

func TestFieldsOfObjectsAreFound(t *testing.T) {
	t.Parallel()
	found := 0
	for name, typ := range table().types {
		for _, field := range []string{
			"name", "image", "nodeName", "selector", "ports", "key", "none", "fsGroup", "port",
		} {
			want := searched(typ, field)
			if got := inside(typ, field); got != want {
				t.Errorf("%s in %s: got %q, want %q", field, name, got, want)
			}
			if want != "" {
				found++
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d fields are found", found)
	}
}

// A file can have tens of thousands of wrong names: none of them costs a search or a sort.
func TestSuggestionsDoNotSearchAgain(t *testing.T) { //nolint:paralleltest // it counts allocations
	for _, typ := range table().types {
		inside(typ, "anything")
		if n := testing.AllocsPerRun(10, func() { inside(typ, "anything"); typ.names(0) }); n > 0 {
			t.Errorf("%s: %.0f allocations", typ.Name, n)
		}
	}
}
