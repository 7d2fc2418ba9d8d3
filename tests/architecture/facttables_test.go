package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// largestList is how many versions, SKUs, sizes, limits or days a file outside of package facts may have. More are a
// table.
const largestList = 2

// otherTables have more, and why they are not tables that age.
var otherTables = map[string]string{
	"internal/lab/tools/table.go versions of Kubernetes": "the programs of tests, whose versions are in go.mod files",
	"internal/azuresim/azurenative/table.go days":        "versions of Azure's API, which azure-native's SDK has fixed",
	"internal/azuresim/arm/compute_profile.go limits":    "what Azure decides about machines: decision 0008",
	"internal/azuresim/arm/tags.go limits":               "what Azure decides about tags: decision 0008",
	"internal/azuresim/arm/windowsadmin.go limits":       "what Azure decides about passwords: decision 0008",
	"internal/azuresim/arm/load_balancer_rules.go numbers by name": "what Azure decides about load balancers: " +
		"decision 0008",
	"machines/bootstrap/network/ports.go numbers by name": "default ports of network plugins, which releases " +
		"keep",
	"internal/svg/width.go numbers by name":        "widths of letters in pictures",
	"machines/bootstrap/network/network.go limits": "constants of kubeadm and Calico, and the smallest range",
	"internal/cli/sources/json.go limits":          "what mixedkube accepts",
	"internal/cli/kustomize/limits.go limits":      "what mixedkube accepts",
	"internal/core/manifests/limits.go limits":     "what mixedkube accepts",
	"internal/svg/style.go numbers by name":        "sizes of texts and lines in pictures",
	"core/preflight/internal/structure/removed.go numbers by name": "the past: versions of Kubernetes that removed " +
		"an API, each a fact that does not change",
}

// ofTables are the forms of values that tables of clouds and of Kubernetes have.
var ofTables = map[string]*regexp.Regexp{
	"versions of Kubernetes": regexp.MustCompile(`^[<>=~^ ]*v?1\.[1-9]\d(\.(\d+|x))?\+?$`),
	"sizes of machines":      regexp.MustCompile(`^(Standard|Basic)_[A-Z]+\d|^[A-Z]{1,3}\d+[a-z]*(_[A-Z]+\d+)?_v\d$`),
	"days":                   regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`),
	"osSKUs":                 regexp.MustCompile(`^(` + skuNames() + `)$`),
}

// limit matches the names of numbers that are the end of a range.
var limit = regexp.MustCompile(`(?i)^(min|max|first|last|least|most|smallest|largest|shortest|longest|oldest|newest)`)

func skuNames() string {
	var names []string
	for _, sku := range facts.SKUs {
		names = append(names, sku.Name)
	}
	return strings.Join(names, "|")
}

// Tables of versions, SKUs, sizes, limits and days are in package facts and in the packages below it, in the simulated
// Azure too.
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
					t.Errorf("%s has a table of %s: declare it in internal/core/facts, with its source and day", name,
						table)
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

// factTables returns what a file has more of than a list may have, however it is written: in literals, comparisons,
// constants, or the cases and bodies of a switch.
func factTables(file *ast.File) []string {
	counts := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		what, number := factIn(n)
		counts[what] += number
		counts["numbers by name"] = max(counts["numbers by name"], numbersByName(n))
		return true
	})
	delete(counts, "")
	var found []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if counts[what] > largestList {
			found = append(found, what)
		}
	}
	return found
}

// factIn returns which form of values a node has, if any, and how many.
func factIn(n ast.Node) (what string, number int) {
	switch n := n.(type) {
	case *ast.BasicLit:
		value, _ := strconv.Unquote(n.Value)
		for what, form := range ofTables {
			if n.Kind == token.STRING && form.MatchString(value) {
				return what, 1
			}
		}
	case *ast.CallExpr:
		if function, is := n.Fun.(*ast.SelectorExpr); is && function.Sel.Name == "Date" && len(n.Args) == 8 &&
			isNumber(n.Args[0]) {
			return "days", 1
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if limit.MatchString(name.Name) && i < len(n.Values) && isNumber(n.Values[i]) {
				number++
			}
		}
		return "limits", number
	case *ast.KeyValueExpr: // kubeversion.Version{Major: 1, Minor: 36}
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Minor" && isNumber(n.Value) {
			return "versions of Kubernetes", 1
		}
	}
	return "", 0
}

// numbersByName returns how many keys of a map, texts of a switch, or elements of a list with a text have a number larger
// than 1, which is not an order or a count. The number can be a text.
func numbersByName(n ast.Node) (count int) {
	var values []ast.Node
	switch n := n.(type) {
	case *ast.CompositeLit:
		switch n.Type.(type) {
		case *ast.MapType:
			for _, element := range n.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					values = append(values, pair.Value)
				}
			}
		case *ast.ArrayType:
			for _, element := range n.Elts {
				if row, ok := element.(*ast.CompositeLit); ok && slices.ContainsFunc(row.Elts, isName) {
					values = append(values, row)
				}
			}
		}
	case *ast.SwitchStmt:
		for _, clause := range n.Body.List {
			clause := clause.(*ast.CaseClause)
			if len(clause.List) > 0 && isText(clause.List[0]) && len(clause.Body) == 1 {
				values = append(values, clause.Body[0])
			}
		}
	}
	for _, value := range values {
		has := false
		ast.Inspect(value, func(n ast.Node) bool {
			if _, isFunc := n.(*ast.FuncLit); isFunc {
				return false
			}
			has = has || isNumber(n)
			return true
		})
		if has {
			count++
		}
	}
	return count
}

// isName reports whether an element of a row is a text and not a number.
func isName(e ast.Expr) bool {
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		e = pair.Value
	}
	return isText(e) && !isNumber(e)
}

func isText(n ast.Node) bool {
	literal, ok := n.(*ast.BasicLit)
	return ok && literal.Kind == token.STRING
}

// numeric matches a number, and a quantity of Kubernetes or Azure.
var numeric = regexp.MustCompile(`^[1-9]\d*(\.\d+)?( ?([KMGT]i?B?|m|vCPUs?))?$`)

func isNumber(n ast.Node) bool {
	literal, ok := n.(*ast.BasicLit)
	if !ok {
		return false
	}
	value := literal.Value
	if literal.Kind == token.STRING {
		value, _ = strconv.Unquote(value)
		return numeric.MatchString(value) && value != "1"
	}
	return (literal.Kind == token.INT || literal.Kind == token.FLOAT) && value != "0" && value != "1"
}

func TestFactTables(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		source string
		want   []string
	}{
		{`var skus = map[string]bool{"Windows2022": true, "Windows2025": true, "Ubuntu": true}`, []string{"osSKUs"}},
		{`var two = []string{"Ubuntu", "AzureLinux"}`, nil},
		{`var pairs = []struct{ a, b string }{{"1.34", "1.35"}, {"1.36.4", ""}}`, []string{"versions of Kubernetes"}},
		{`var since = []v{{Major: 1, Minor: 34}, {Minor: 35}, {Minor: 36}}`, []string{"versions of Kubernetes"}},
		{`var sizes = []string{"Standard_D4s_v5", "Standard_D8s_v5", "Standard_B2s"}`, []string{"sizes of machines"}},
		{`var words = []string{"2026-12-01 and later", "1.5 GiB", "Standard"}`, nil},
		{`const (
	a = "1.35"
	b = "1.36"
	c = "1.37"
)`, []string{"versions of Kubernetes"}},
		{`const (
	a = "2026-12-01"
	b = "2026-12-02"
)`, nil},
		{`var (
	a = "2026-12-01"
	b = "2026-12-02"
	c = "2027-01-01"
)`, []string{"days"}},
		{`func f(s string) int {
	switch s {
	case "Windows2019", "Windows2022":
		return 1
	case "Windows2025":
		return 2
	}
	return 0
}`, []string{"osSKUs"}},
		{`func f(s string) string {
	switch s {
	case "a", "b", "c":
		return "1.36"
	}
	return "1.37"
}`, nil},
		{`func f(s string) string {
	switch s {
	case "a":
		return "1.36"
	case "b":
		return "1.37"
	}
	return "1.38"
}`, []string{"versions of Kubernetes"}},
		{`func f(s string) bool {
	return s == "Standard_D4s_v5" || s == "Standard_D8s_v5" || s == "Standard_B2s"
}`, []string{"sizes of machines"}},
		{
			`func f(s string) bool { return s == "D4s_v5" || s == "NC24ads_A100_v4" || s == "DC2s_v2" }`,
			[]string{"sizes of machines"},
		},
		{`func f(s string) bool { return s == "v1" || s == "v2" || s == "C4" }`, nil},
		{`func f(s string) bool {
	if s == ">= 1.35" {
		return true
	}
	return s == "v1.36+" || s == "1.37.x"
}`, []string{"versions of Kubernetes"}},
		{`func f(s string) int {
	switch s {
	case "2s":
		return 2
	case "4s":
		return 4
	case "8s":
		return 8
	}
	return 0
}`, []string{"numbers by name"}},
		{`var memory = map[string]string{"2s": "8Gi", "4s": "16Gi", "8s": "32 GiB"}`, []string{"numbers by name"}},
		{`var texts = map[string]string{"2s": "two", "4s": "4 of them", "8s": ""}`, nil},
		{`var cpus = map[string]int{"2s": 2, "4s": 4, "8s": 8}`, []string{"numbers by name"}},
		{`var rooms = map[int]room{1: {cpus: 2}, 2: {cpus: 4}, 3: {cpus: 8.5}}`, []string{"numbers by name"}},
		{`const (
	maxPods     = 250
	largestDisk = 2048
	longestName = 12
)`, []string{"limits"}},
		{`const (
	maxPods = 250
	retries = 3
	port    = 443
)`, nil},
		{
			`var limits = []struct{ name string; min, max int }{{"pods", 10, 250}, {"disk", 30, 2048},
	{"idle", 4, 120}}`,
			[]string{"numbers by name"},
		},
		{
			`var rows = []row{{name: "a", most: 2}, {name: "b", most: 3}, {name: "c", most: 4}}`,
			[]string{"numbers by name"},
		},
		{`var columns = []column{{"a", 0}, {"b", 1}, {"c", 1}}`, nil},
		{`var maxA, maxB, minC = 2, 3, 4`, []string{"limits"}},
		{
			`var days = []time.Time{time.Date(2026, 1, 1, 0, 0, 0, 0, nil), time.Date(2026, 2, 1, 0, 0, 0, 0, nil),
	time.Date(2026, 3, 1, 0, 0, 0, 0, nil)}`,
			[]string{"days"},
		},
		{`var order = map[string]int{"a": 0, "b": 1, "c": 2, "d": 3}`, nil},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+tt.source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, factTables(file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.source, diff)
		}
	}
}
