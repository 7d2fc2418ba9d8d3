package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	const long = "package p\n\n// F does it.\nfunc F() {\n\tprintln(1)\n}\n"
	s, err := measure([]file{
		{"components/a/a.go", []byte(long)},
		{"internal/b/b.go", []byte("package b\n\nvar id = \"MK101\"\nvar again = \"MK101\"\n")},
		{
			"internal/b/b_test.go",
			[]byte("package b\n\nfunc TestB() {}\nfunc TestMain() {}\nfunc FuzzB() {}\nfunc helper() {}\n"),
		},
		{"internal/lab/c/c.go", []byte("package c\n")},
		{"internal/azuresim/arm/d.go", []byte("package arm\n\nfunc (x) f() {\n}\n")},
		{"tests/e2e/e.go", []byte("package e2e\n\nfunc BenchmarkE() {}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s: %s", r.what, r.of(s)))
	}
	want := []string{
		"library: files: 2",
		"library: lines: 10",
		"library: lines of code, of 100 columns: 0",
		"library: longest file: 6 (components/a/a.go)",
		"library: longest function: 3 (F in components/a/a.go)",
		"library: directories in internal: 1",
		"lab and simulated Azure: lines: 5",
		"lab and simulated Azure: longest file: 4 (internal/azuresim/arm/d.go)",
		"lab and simulated Azure: longest function: 2 (f in internal/azuresim/arm/d.go)",
		"tests: lines: 9",
		"tests: 1",
		"fuzz targets: 1",
		"benchmarks: 1",
		"IDs of rules: 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.library.characters == 0 || s.library.characters > len(strings.ReplaceAll(long, "\n", ""))+100 {
		t.Errorf("there are %d characters of code", s.library.characters)
	}
}

func TestGoFilesOfACommit(t *testing.T) {
	t.Parallel()
	needsGit(t)
	files, err := filesOf("HEAD", isGo)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range files {
		if strings.Contains(f.path, "/testdata/") {
			t.Errorf("%s is only read by tests", f.path)
		}
		found[f.path] = len(f.content) > 0
	}
	if !found["core/topology/topology.go"] || !found["tests/cmd/sizes/measure.go"] {
		t.Errorf("found only %d files: some are missing", len(found))
	}
}
