package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text returns a file with a number of lines.
func text(name string, count int) file { return file{name, []byte(strings.Repeat("x\n", count))} }

func budgetOf(name, numbers string) file {
	n := strings.Fields(numbers)
	return file{name, []byte("# Comment.\n\ncode " + n[0] + "\ntests " + n[1] + "\ntestdata " + n[2] + "\n")}
}

func TestFilesCountForTheNearestDirectoryWithABudget(t *testing.T) {
	t.Parallel()
	got, err := countFolders([]file{
		budgetOf("budget.txt", "500 0 0"),
		budgetOf("components/budget.txt", "2000 300 100"),
		budgetOf("components/aks/budget.txt", "2200 300 0"),
		budgetOf("components/empty/budget.txt", "200 200 200"),
		text("main.go", 501),
		text("LICENSE", 200), // no code
		text("docs/guard.md", 1000),
		text("docs/script.sh", 2),
		text("components/guard/guard.go", 1790),
		text("components/guard/guard.ps1", 10),
		text("components/guard/guard_test.go", 301),
		text("components/guard/testdata/in/main_test.go", 10),
		text("components/guard/testdata/out.golden", 90),
		{"components/guard/testdata/binary", []byte("\x00\n\n\n")},
		text("components/aks/aks.go", 1000),
		text("components/aks/plan/plan.go", 999),
		text("components/aks/plan/plan_test.go", 99),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]lines{
		".":              {503, 0, 0},
		"components":     {1800, 301, 100},
		"components/aks": {1999, 99, 0},
	}
	if diff := cmp.Diff(want, got.sizes); diff != "" {
		t.Errorf("the sizes (-want +got):\n%s", diff)
	}
	findings := []string{
		"the root has 503 lines of code, and its budget is 500: write less, remove something, or raise it in " +
			"budget.txt and say why in the commit",
		"components has 301 lines of tests, and its budget is 300: write less, remove something, or raise it in " +
			"components/budget.txt and say why in the commit",
		"components/aks has 1999 lines of code, and its budget is 2200: lower it to 2000 in components/aks/budget.txt",
		"components/aks has 99 lines of tests, and its budget is 300: lower it to 100 in components/aks/budget.txt",
	}
	if diff := cmp.Diff(findings, got.findings()); diff != "" {
		t.Errorf("the findings (-want +got):\n%s", diff)
	}
	var shown strings.Builder
	if err := got.show(&shown); err != nil {
		t.Fatal(err)
	}
	table := "" +
		"          lines of  code  budget  tests  budget  testdata  budget\n" +
		"                 .   503     500      0       0         0       0\n" +
		"        components  1800    2000    301     300       100     100\n" +
		"    components/aks  1999    2200     99     300         0       0\n" +
		"  components/empty     0     200      0     200         0     200\n"
	if diff := cmp.Diff(table, shown.String()); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
}

func TestABudgetIsReadBackAsWritten(t *testing.T) {
	t.Parallel()
	want := lines{1200, 0, 300}
	if got, err := parseBudget(formatBudget(want)); got != want || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestWrongBudgetsAreReported(t *testing.T) {
	t.Parallel()
	const order = ": want a line for each of code, tests, testdata, in this order, with a number of lines"
	for content, want := range map[string]string{
		"":                                    `the line "code" is missing`,
		"code 1\ntests 2\n":                   `the line "testdata" is missing`,
		"code 1\ntests\ntestdata 3\n":         `"tests"` + order,
		"code 1\ntests -2\ntestdata 3\n":      `"tests -2"` + order,
		"code 1,000\ntests 2\ntestdata 3\n":   `"code 1,000"` + order,
		"tests 1\ncode 2\ntestdata 3\n":       `"tests 1"` + order,
		"code 1\ncode 2\ntestdata 3\n":        `"code 2"` + order,
		"code 1\ntests 2\ntestdata 3\ncode 4": `"code 4"` + order,
	} {
		if _, err := parseBudget(content); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
	_, err := countFolders([]file{{"components/budget.txt", []byte("code x\n")}, text("main.go", 1)})
	want := `components/budget.txt: "code x"` + order + "\n" +
		"budget.txt is missing in the root, which counts what has no budget nearer"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A repository of its own, because others read this checkout at the same time.
func TestTheCheckoutHasFilesThatAreNotCommitted(t *testing.T) {
	needsGit(t)
	dir := t.TempDir()
	t.Chdir(dir)
	if _, err := git(dir, "init", "--quiet"); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		".gitignore": "ignored.go\n", "ignored.go": "x\n", "deleted.go": "x\n", "new.go": "x\nx\n",
		"budget.txt": "code 0\ntests 0\ntestdata 0\n", "notes.md": "x\n", "a/new_test.go": "x\n",
		"a/budget.txt": "code 100\ntests 0\ntestdata 0\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := git(dir, "add", "deleted.go"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "deleted.go")); err != nil {
		t.Fatal(err)
	}
	all, err := readFolders()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]lines{".": {2, 0, 0}, "a": {0, 1, 0}}
	if diff := cmp.Diff(want, all.sizes); diff != "" {
		t.Errorf("the sizes (-want +got):\n%s", diff)
	}
	const before = `the budgets do not fit:
the root has 2 lines of code, and its budget is 0: write less, remove something, or raise it in budget.txt and say ` +
		`why in the commit
a has 1 lines of tests, and its budget is 0: write less, remove something, or raise it in a/budget.txt and say why ` +
		`in the commit`
	if err := run(false, nil, io.Discard); err == nil || err.Error() != before {
		t.Errorf("before the budgets are written: %v", err)
	}
	if err := run(true, nil, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := run(false, nil, io.Discard); err != nil {
		t.Errorf("after the budgets are written: %v", err)
	}
	written, err := readFolders()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]lines{".": {100, 0, 0}, "a": {0, 100, 0}}, written.budgets); diff != "" {
		t.Errorf("the budgets (-want +got):\n%s", diff)
	}
}

// needsGit skips a test without git, or in a directory that is not a clone.
func needsGit(t *testing.T) {
	t.Helper()
	if _, err := topLevel(); err != nil {
		t.Skipf("needs git and the repository: run it in a clone: %v", err)
	}
}
