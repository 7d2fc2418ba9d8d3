package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// largestList is how many versions, SKUs, sizes or days a literal outside of package facts may have. More are a table.
const largestList = 2

// otherTables are literals with more, and why they are not tables that age.
var otherTables = map[string]string{
	"internal/lab/tools/table.go versions of Kubernetes": "the programs of tests, whose versions are in go.mod files",
}

// ofTables are the forms of values that tables of clouds and of Kubernetes have.
var ofTables = map[string]*regexp.Regexp{
	"versions of Kubernetes": regexp.MustCompile(`^v?1\.[1-9]\d(\.\d+)?$`),
	"sizes of machines":      regexp.MustCompile(`^(Standard|Basic)_[A-Z]+\d`),
	"days":                   regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`),
	"osSKUs":                 regexp.MustCompile(`^(` + skuNames() + `)$`),
}

func skuNames() string {
	var names []string
	for _, sku := range facts.SKUs {
		names = append(names, sku.Name)
	}
	return strings.Join(names, "|")
}

// Tables of versions, SKUs, sizes and days are in package facts and in the packages below it, in the simulated Azure
// too.
func TestTablesAreFacts(t *testing.T) {
	t.Parallel()
	watch(t)
	used := map[string]bool{}
	files := 0
	for _, dir := range slices.Concat(publicFloors, []string{"internal", "stacks", "."}) {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			name, _ := filepath.Rel(root, path)
			name = filepath.ToSlash(name)
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (name == "internal/core/facts" || isExamples(name) ||
				filepath.Base(name) == "testdata" || dir == "." && name != "."):
				return fs.SkipDir
			case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files++
			for _, table := range factTables(file) {
				key := name + " " + table
				if used[key] = true; otherTables[key] == "" {
					t.Errorf("%s has a table of %s: declare it in internal/core/facts, with the day on which it was looked up",
						name, table)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
	for key := range otherTables {
		if !used[key] {
			t.Errorf("%s no longer exists: remove it from otherTables", key)
		}
	}
}

// factTables returns what the literals of a file have more of than a list may have.
func factTables(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		counts := map[string]int{}
		ast.Inspect(literal, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, _ := strconv.Unquote(text.Value)
				for what, form := range ofTables {
					if form.MatchString(value) {
						counts[what]++
					}
				}
			}
			return true
		})
		for what, count := range counts {
			if count > largestList && !slices.Contains(found, what) {
				found = append(found, what)
			}
		}
		return true
	})
	slices.Sort(found)
	return found
}

func TestFactTables(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p

var (
	skus     = map[string]bool{"Windows2022": true, "Windows2025": true, "Ubuntu": true}
	two      = []string{"Ubuntu", "AzureLinux"}
	versions = []struct{ a, b string }{{"1.34", "1.35"}, {"1.36.4", ""}}
	sizes    = []string{"Standard_D4s_v5", "Standard_D8s_v5", "Standard_B2s"}
	words    = []string{"2026-12-01 and later", "1.5 GiB", "Standard"}
)
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"osSKUs", "sizes of machines", "versions of Kubernetes"}
	if diff := cmp.Diff(want, factTables(file)); diff != "" {
		t.Errorf("factTables (-want +got):\n%s", diff)
	}
}
