package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestThePlanTakesDependentsByDistanceAndCost(t *testing.T) {
	t.Parallel()
	g := graph{
		"components/slow": {module: ".", tested: true},
		"components/doc":  {module: "."},
		"a":               {module: ".", tested: true},
		"b":               {module: ".", tested: true},
		"c":               {module: ".", tested: true, generated: true},
		"d":               {module: ".", tested: true},
		"internal/lab":    {module: "internal/lab"},
		"tests/long":      {module: "tests", tested: true, generated: true},
		"tests/prose":     {module: "tests", tested: true},
		"tests/short":     {module: "tests", tested: true, imports: []string{"internal/lab"}},
		"tests/e2e":       {module: "tests", tested: true, testImports: []string{"internal/lab"}},
	}
	packages := []affected{
		{"components/doc", 0, "changed"},
		{"components/slow", 0, "changed"},
		{"tests/long", 0, "changed"},
		{"tests/prose", 0, "changed"},
		{"tests/short", 0, "changed"},
		{"a", 1, "imports components/doc"},
		{"b", 1, "imports components/doc"},
		{"c", 1, "imports components/doc"},
		{"tests/e2e", 1, "imports components/doc"},
		{"d", 2, "imports a"},
	}
	costs := map[string]int{
		"components/slow": 100, "tests/long": 59, "tests/short": 20, "a": 30, "b": 8, "c": 50, "tests/e2e": 1,
	}
	// Each has two seconds for its link, and d an estimate.
	want := plan{
		changed: []item{
			{affected{"components/slow", 0, "changed"}, 102},
			{affected{"tests/short", 0, "changed"}, 22},
		},
		dependents: []item{
			{affected{"b", 1, "imports components/doc"}, 10},
			{affected{"a", 1, "imports components/doc"}, 32},
			{affected{"d", 2, "imports a"}, 4},
		},
		generated: []item{
			{affected{"tests/long", 0, "changed"}, 61},
			{affected{"c", 1, "imports components/doc"}, 52},
		},
		beyond: []item{
			{affected{"tests/long", 0, "changed"}, 61},
			{affected{"c", 1, "imports components/doc"}, 52},
		},
		labs: []item{{affected{"tests/e2e", 1, "imports components/doc"}, 3}},
	}
	got := newPlan(g, packages, costs, 60)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(plan{}, item{}, affected{})); diff != "" {
		t.Errorf("the plan (-want +got):\n%s", diff)
	}
}

func TestStepsAndReport(t *testing.T) {
	t.Parallel()
	g := scanned(t)
	files := []string{
		".github/workflows/ci.yml", "LICENSE", "components/guard/guard.go", "docs/guard.md",
		"internal/system/disk/disk.go",
	}
	e := g.affectedBy(files)
	c := change{files, []string{"tests"}, modules, e, newPlan(g, e.packages, map[string]int{"internal/cli": 70}, 60)}
	var got strings.Builder
	for _, s := range c.steps("/checkout") {
		got.WriteString(s.title + ": " + s.line() + "\n")
	}
	want := `tests of changed packages in the root module: ` +
		`go test -ldflags=-w -vet=off ./components/guard ./internal/system/disk
generated files in the root module: go test -ldflags=-w -vet=off -run '^TestGenerated' ./internal/cli
tests that read every file: go -C tests test -ldflags=-w -vet=off -count=1 ./architecture ./cmd/sizes ./pages ./prose
linters in the root module: go tool -modfile=/checkout/internal/lab/tools/golangci-lint/go.mod golangci-lint run ` +
		`--config /checkout/.golangci.yml ./components/guard ./internal/system/disk
requirements of tests: go -C tests mod tidy -diff
workflows: go tool -modfile=/checkout/internal/lab/tools/actionlint/go.mod actionlint -shellcheck= -pyflakes=
tests of dependents in tests: go -C tests test -ldflags=-w -vet=off -count=1 ./api ./rulepages
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("the steps (-want +got):\n%s", diff)
	}

	got.Reset()
	results := []result{
		{step{title: "tests of changed packages in the root module"}, 12400 * time.Millisecond, true},
		{step{title: "tests that read every file"}, 3 * time.Second, false},
	}
	if err := writeResults(results, &got); err != nil {
		t.Fatal(err)
	}
	if err := c.writeOmitted(60, &got); err != nil {
		t.Fatal(err)
	}
	want = `
  12 s  tests of changed packages in the root module, which failed
   3 s  tests that read every file
  15 s  in all

not run, because they cost more than is left of 60 s:
  72 s  internal/cli, which imports internal/system/disk
run them with:
  go test -ldflags=-w -vet=off ./internal/cli

not run, because they start labs (make tools builds the programs):
  182 s  tests/e2e, which reads docs/guard.md
run them with:
  go -C tests test -ldflags=-w -vet=off -count=1 ./e2e

no other test is known to read: LICENSE

` + ending + "\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("the report (-want +got):\n%s", diff)
	}
}

func TestACheckWithoutChangesRunsNothing(t *testing.T) {
	t.Parallel()
	if got := (change{modules: modules}).steps("/checkout"); len(got) != 0 {
		t.Errorf("the steps are %v", got)
	}
}

func TestTheRootOfAModuleIsAnArgument(t *testing.T) {
	t.Parallel()
	got := byModule(modules, []string{"tests/e2e", ".", "internal/lab", "internal/lab/tools", "internal/system/disk"})
	want := []group{
		{".", []string{".", "./internal/system/disk"}},
		{"internal/lab", []string{".", "./tools"}},
		{"tests", []string{"./e2e"}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(group{})); diff != "" {
		t.Errorf("the groups (-want +got):\n%s", diff)
	}
}
