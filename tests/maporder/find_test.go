package maporder

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/golist"
)

// A line with a want comment is one that must be found. The first two functions had the order of a map in their
// results.
const places = `package p

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"
)

func validate(s struct{ Namespaces, Resources []string }) []error {
	var errs []error
	for what, patterns := range map[string][]string{"namespaces": s.Namespaces, "resources": s.Resources} {
		if n := slices.Index(patterns, ""); n >= 0 {
			errs = append(errs, fmt.Errorf("%s[%d]: an empty pattern matches nothing", what, n)) // want appends
		}
	}
	return errs
}

func checkBalancingRule(rule map[string]float64) error {
	for name, limits := range map[string][2]float64{"frontendPort": {0, 65534}, "backendPort": {0, 65535}} {
		if err := inRange(rule, name, limits); err != nil {
			return err // want returns
		}
	}
	return nil
}

func inRange(map[string]float64, string, [2]float64) error { return nil }

func hasEmpty(m map[string]int) bool {
	for _, n := range m {
		if n == 0 {
			return true
		}
	}
	return false
}

type names map[string]int

func (m names) list() (all, sorted, other []string, n int) {
	for name := range m {
		all = append(all, name) // want appends
		sorted = append(sorted, strings.ToUpper(name))
		other = append(other, "same")
		n += m[name]
	}
	sort.Strings(sorted)
	return all, sorted, other, n
}

func sortedBefore(m names) []string {
	var all []string
	sort.Strings(all)
	for name := range m {
		all = append(all, name) // want appends
	}
	return all
}

func nested(m map[string][]string) (groups map[string][]string, all []string) {
	groups = map[string][]string{}
	for name, values := range m {
		var own []string
		for _, v := range values {
			own = append(own, v)
			groups[name] = append(groups[name], v)
			groups["all"] = append(groups["all"], v) // want appends
		}
		slices.Sort(own)
		m[name] = own
	}
	return groups, all
}

func literals(m names) (all, sorted []string) {
	add := func(name string) { all = append(all, name) }
	insert := func(name string) { sorted = append(sorted, name) }
	for name := range maps.Keys(m) {
		add(name) // want appends
		insert(name)
	}
	slices.Sort(sorted)
	return all, sorted
}

func collected(m names) []string {
	keys := slices.Collect(maps.Keys(m)) // want lists
	values := slices.Collect(maps.Values(m))
	slices.Sort(values)
	other := slices.Sorted(maps.Keys(m))
	if len(keys) == len(other) {
		return slices.Collect(maps.Keys(m)) // want lists
	}
	return keys
}

func written(w io.Writer, m map[string]*strings.Builder) (text string) {
	var b strings.Builder
	for name, own := range m {
		fmt.Fprintln(w, name) // want writes
		fmt.Fprintln(own, name)
		own.WriteString(name)
		b.WriteString(name) // want writes
		text += name        // want adds
	}
	return text + b.String()
}

func sent(to chan string, m names) {
	for name := range m {
		to <- name // want sends
	}
}

var inVariable = func(m names) string {
	for name := range m {
		return name // want returns
	}
	return ""
}
`

func TestPlacesAreFound(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", places, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := newInfo()
	var imports []string
	for _, i := range file.Imports {
		imports = append(imports, strings.Trim(i.Path.Value, `"`))
	}
	config := types.Config{Importer: golist.Importer(set, golist.List(t, ".", imports...))}
	if _, err := config.Check("p", set, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, line := range strings.Split(places, "\n") {
		if _, verb, ok := strings.Cut(line, "// want "); ok {
			want = append(want, strconv.Itoa(i+1)+" "+verb)
		}
	}
	for _, f := range Find(set, []*ast.File{file}, info) {
		verb, _, _ := strings.Cut(f.Message, " ")
		got = append(got, strconv.Itoa(f.Pos.Line)+" "+verb)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the lines that are found (-want +got):\n%s", diff)
	}
}
