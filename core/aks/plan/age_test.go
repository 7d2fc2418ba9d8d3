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
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// Rules use the facts that the info about their age names.
func TestUsedFactsAreListed(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, l := range lives.All() {
		for _, name := range l.Names {
			known[name] = true
		}
	}
	used := map[string]bool{}
	for _, pattern := range []string{"*.go", "../support/*.go"} {
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
				name := selector.Sel.Name
				if name == "SKUNamed" {
					name = "SKUs"
				}
				if of, ok := selector.X.(*ast.Ident); ok && of.Name == "facts" && known[name] {
					used[name] = true
				}
				return true
			})
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), usedFacts); diff != "" {
		t.Errorf("usedFacts (-in the code +in the list):\n%s", diff)
	}
}

func TestOldFactsAreAnInfo(t *testing.T) {
	t.Parallel()
	if found := CheckFacts(time.Date(2026, time.November, 29, 0, 0, 0, 0, time.UTC)); found != nil {
		t.Errorf("in time: %v", found)
	}
	found := CheckFacts(time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC))
	if len(found) != 1 || found[0].Rule != "MK888" || found[0].Severity != rule.Info {
		t.Errorf("in 2030: %v", found)
	}
	if found := CheckFacts(time.Time{}); found != nil {
		t.Errorf("without a day: %v", found)
	}
}
