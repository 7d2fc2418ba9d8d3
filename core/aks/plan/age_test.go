package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// Rules use the facts that the info about their age names.
func TestUsedFactsAreListed(t *testing.T) {
	t.Parallel()
	ofSupport := usedIn(t, "../support/*.go")
	if diff := cmp.Diff(ofSupport, support.UsedFacts()); diff != "" {
		t.Errorf("package support (-in the code +in the list):\n%s", diff)
	}
	all := slices.Compact(slices.Sorted(slices.Values(append(ofSupport, usedIn(t, "*.go")...))))
	if diff := cmp.Diff(all, usedFacts); diff != "" {
		t.Errorf("usedFacts (-in the code +in the list):\n%s", diff)
	}
}

// usedIn returns the facts that files use, sorted.
func usedIn(t *testing.T, pattern string) []string {
	t.Helper()
	known := map[string]bool{}
	for _, l := range lives.All() {
		for _, name := range l.Names {
			known[name] = true
		}
	}
	used := map[string]bool{}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name := map[string]string{
				"SKUNamed": "SKUs", "AKSReleaseOf": "AKSReleases", "ReleaseOf": "SKUReleases",
				"AKSPoolChangeOf": "AKSPoolChanges",
			}[selector.Sel.Name]
			if name == "" {
				name = selector.Sel.Name
			}
			if of, ok := selector.X.(*ast.Ident); ok && of.Name == "facts" && known[name] {
				used[name] = true
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(used))
}
