package seeds

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// row is a row of the seeds' inventory, and its current counterparts.
type row struct {
	Row  int    `json:"row"`
	What string `json:"what"`
	// Components are exported symbols: topology.Topology, kubeadm.ClusterArgs.Pools.
	Components []string `json:"components"`
	// Examples are directories of examples, stacks (stack:lab), or commands (command:check).
	Examples []string `json:"examples"`
	Rules    []string `json:"rules"`
	Pages    []string `json:"pages"`
	// Tests are functions: tests/e2e/lab_test.go#TestLab.
	Tests []string `json:"tests"`
}

// rowCount is the number of rows in the inventory.
const rowCount = 45

// TestRows has a test for each row: its counterparts exist, and the configuration that the seeds
// have for it still has the same meaning.
func TestRows(t *testing.T) {
	t.Parallel()
	all := load[[]row](t, "rows.yaml")
	if len(all) != rowCount {
		t.Fatalf("there are %d rows, want %d", len(all), rowCount)
	}
	known := rules(t)
	data := load[seedManifests](t, "manifests.yaml")
	for i, r := range all {
		t.Run(fmt.Sprintf("%02d %s", r.Row, r.What), func(t *testing.T) {
			t.Parallel()
			if r.Row != i+1 || r.What == "" {
				t.Fatalf("the row after %d is %d, %q", i, r.Row, r.What)
			}
			if len(r.Tests) == 0 {
				t.Error("the row has no test")
			}
			for _, symbol := range r.Components {
				if !symbols()[symbol] {
					t.Errorf("no public package exports %s", symbol)
				}
			}
			for _, example := range r.Examples {
				path := filepath.Join(root, "examples", example, "main.go")
				if stack, ok := strings.CutPrefix(example, "stack:"); ok {
					path = filepath.Join(root, "stacks", "Pulumi."+stack+".yaml")
				}
				if command, ok := strings.CutPrefix(example, "command:"); ok {
					path = filepath.Join(root, "internal", "cli", command+".go")
				}
				exists(t, path)
			}
			for _, id := range r.Rules {
				if known[id] == "" {
					t.Errorf("there is no rule %s", id)
				}
			}
			for _, page := range r.Pages {
				exists(t, filepath.Join(root, "docs", page))
			}
			for _, test := range r.Tests {
				file, function, _ := strings.Cut(test, "#")
				if !strings.Contains(read(t, root, file), "\nfunc "+function+"(t *testing.T) {\n") {
					t.Errorf("%s has no function %s", file, function)
				}
			}
			for _, s := range data.Snippets {
				if slices.Contains(s.Rows, r.Row) {
					t.Run(s.Name, snippetChecks[s.Name])
				}
			}
		})
	}
}

func exists(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// Each manifest and each snippet is about existing rows, and each snippet has a check.
func TestDataReferencesRows(t *testing.T) {
	t.Parallel()
	data := load[seedManifests](t, "manifests.yaml")
	of := func(name string, rows []int) {
		if len(rows) == 0 || slices.Min(rows) < 1 || slices.Max(rows) > rowCount {
			t.Errorf("%s is about the rows %v", name, rows)
		}
	}
	for _, m := range data.Manifests {
		of(m.Name, m.Rows)
	}
	var names []string
	for _, s := range data.Snippets {
		of(s.Name, s.Rows)
		names = append(names, s.Name)
		if snippetChecks[s.Name] == nil {
			t.Errorf("%s has no check", s.Name)
		}
	}
	for name := range snippetChecks {
		if !slices.Contains(names, name) {
			t.Errorf("there is a check of %s, but no such snippet", name)
		}
	}
	for dir, listed := range map[string]int{"manifests": len(data.Manifests), "snippets": len(data.Snippets)} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.yaml"))
		if err != nil || len(files) != listed {
			t.Errorf("%s has %d files, but %d are listed: %v", dir, len(files), listed, err)
		}
	}
}

// symbols has the exported symbols of the public packages: package.Name,
// package.Type.Method and package.Type.Field. An alias has the members of its type.
var symbols = sync.OnceValue(func() map[string]bool {
	all, aliases := map[string]bool{}, map[string]string{}
	for _, floor := range []string{"core", "machines", "system", "components"} {
		readSymbols(filepath.Join(root, floor), all, aliases)
	}
	for symbol := range maps.Clone(all) {
		for alias, name := range aliases {
			if member, ok := strings.CutPrefix(symbol, name+"."); ok {
				all[alias+"."+member] = true
			}
		}
	}
	return all
})

// readSymbols adds the symbols of the public packages below a directory, and the types that their aliases are.
func readSymbols(dir string, all map[string]bool, aliases map[string]string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "testdata") ||
			strings.Contains(path, string(filepath.Separator)+"internal"+string(filepath.Separator)) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			declare(all, aliases, file.Name.Name+".", declared)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
}

func declare(all map[string]bool, aliases map[string]string, prefix string, declared ast.Decl) {
	switch declared := declared.(type) {
	case *ast.FuncDecl:
		if declared.Recv == nil {
			all[prefix+declared.Name.Name] = true
			return
		}
		receiver := declared.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if name, ok := receiver.(*ast.Ident); ok {
			all[prefix+name.Name+"."+declared.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range declared.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					all[prefix+name.Name] = true
				}
			case *ast.TypeSpec:
				all[prefix+spec.Name.Name] = true
				if of, ok := spec.Type.(*ast.SelectorExpr); ok && spec.Assign.IsValid() {
					aliases[prefix+spec.Name.Name] = fmt.Sprint(of.X) + "." + of.Sel.Name
				}
				if structure, ok := spec.Type.(*ast.StructType); ok {
					for _, f := range structure.Fields.List {
						for _, name := range f.Names {
							all[prefix+spec.Name.Name+"."+name.Name] = true
						}
					}
				}
			}
		}
	}
}

const introduction = `<!-- Written by ` + "`make generate`" +
	`: edit tests/seeds/testdata/rows.yaml instead. -->

# What the guides describe

Use this page to find a feature of Kubernetes' guides to Windows, from version 1.9 to today. Each line has the
components for the feature, an example, the rules that find mistakes, and a test. The manifests of the guides are in ` +
	`[tests/seeds](../tests/seeds/testdata/manifests.yaml),
with their outdated values. [The script](../tests/seeds/testdata/script.txt) shows each line at work: commands, and what
they print. It also marks what runs only on real Windows, and so is not run in the tests.

| # | what | components | examples | rules | pages | tests |
|---|---|---|---|---|---|---|
`

// TestGeneratedGuide writes docs/guides.md with -update.
func TestGeneratedGuide(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(introduction)
	for _, r := range load[[]row](t, "rows.yaml") {
		cells := []string{strconv.Itoa(r.Row), r.What}
		cells = append(cells,
			joined(r.Components, func(s string) string { return "`" + s + "`" }),
			joined(r.Examples, func(s string) string {
				if stack, ok := strings.CutPrefix(s, "stack:"); ok {
					return "[the stack " + stack + "](../stacks/Pulumi." + stack + ".yaml)"
				}
				if command, ok := strings.CutPrefix(s, "command:"); ok {
					return "[mixedkube " + command + "](command.md#mixedkube-" + command + ")"
				}
				return "[" + s + "](../examples/" + s + "/main.go)"
			}),
			joined(r.Rules, func(id string) string { return "[" + id + "](" + ruleLink(id) + ")" }),
			joined(r.Pages, func(s string) string { return "[" + strings.TrimSuffix(s, ".md") + "](" + s + ")" }),
			joined(r.Tests, func(s string) string {
				file, function, _ := strings.Cut(s, "#")
				return "[" + function + "](../" + file + ")"
			}))
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	golden.Equal(t, root+"/docs/guides.md", b.String())
}

func joined(items []string, text func(string) string) string {
	var texts []string
	for _, item := range items {
		texts = append(texts, text(item))
	}
	return strings.Join(texts, ", ")
}
