package powershell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostProcessUnits returns the scripts of host-process containers, which are files of their
// package, each with node.ps1, which it reads.
func hostProcessUnits(t *testing.T) []unit {
	t.Helper()
	dir := filepath.Join("..", "..", "components", "hostprocess", "scripts")
	read := func(name string) node {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		p := parse(t, string(text))
		if p.HasError {
			t.Errorf("%s is not valid PowerShell:\n%s", name, strings.Join(p.Problems, "\n"))
		}
		return p.Tree
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []unit
	for _, entry := range entries {
		if name := entry.Name(); name != "node.ps1" {
			found = append(found, unit{name, []node{read(name), read("node.ps1")}})
		}
	}
	if len(found) < 2 {
		t.Fatalf("only %d scripts were found", len(found))
	}
	return found
}

func TestHostProcessScriptsArePowerShell(t *testing.T) {
	for _, u := range hostProcessUnits(t) {
		used := checkVariables(t, u)
		own := functions(u.trees)
		for _, tree := range u.trees {
			tree.each(func(n node) {
				if n.Type == "command" {
					checkCommand(t, u.name, n, own)
				}
			})
		}
		shared := functions(u.trees[1:])
		for name, f := range own {
			if verb, noun, ok := strings.Cut(name, "-"); !ok || noun == "" || !slices.Contains(approvedVerbs, verb) {
				t.Errorf("%s: the function %s has no approved verb", u.name, name)
			}
			if shared[name] == nil && f.calls == 0 {
				t.Errorf("%s: the function %s is not called", u.name, name)
			}
		}
		if used < 10 || len(own) < 9 {
			t.Errorf("%s: only %d variables and %d functions were found", u.name, used, len(own))
		}
	}
}
