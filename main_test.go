package main

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The map names each package of components and each top folder, in a line of its own, and nothing
// else. What it says in passing is there too.
func TestTheMapIsThatOfTheHouse(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	text := file.Doc.Text()
	var listed []string
	for _, entry := range regexp.MustCompile(`(?m)^ +- ([a-z/]+): `).FindAllStringSubmatch(text, -1) {
		listed = append(listed, entry[1])
	}
	want := folders(t, ".")
	want = slices.DeleteFunc(want, func(name string) bool { return name == "components" })
	for _, name := range folders(t, "components") {
		want = append(want, path.Join("components", name))
	}
	slices.Sort(want)
	slices.Sort(listed)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("the folders and those on the map (-want +got):\n%s", diff)
	}
	for _, named := range regexp.MustCompile(`\b(components|internal|docs)/[a-z/]+(\.md)?`).FindAllString(text, -1) {
		if _, err := os.Stat(named); err != nil {
			t.Errorf("the map names what is not there: %v", err)
		}
	}
}

// folders are those of a folder that are neither hidden nor made by make.
func folders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "bin" && entry.Name() != "dist" {
			names = append(names, entry.Name())
		}
	}
	return names
}
