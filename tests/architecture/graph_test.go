package architecture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goPackage is a package in the output of `go list`.
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Module                             *struct{ Main bool }
}

// graph holds the packages of this module and everything that they depend on.
type graph map[string]goPackage

func load(t *testing.T) graph {
	t.Helper()
	watch(t)
	decoder := json.NewDecoder(bytes.NewReader(run(t, "go", "list", "-deps",
		"-json=ImportPath,Imports,TestImports,XTestImports,Module", "./...")))
	g := graph{}
	for {
		var p goPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return g
		}
		if err != nil {
			t.Fatal(err)
		}
		g[p.ImportPath] = p
	}
}

// run runs a command in the root of the module.
func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		t.Fatalf("%s: %v", command, err)
	}
	return out
}

var root = filepath.Join("..", "..")

// watch reads the directories that `go list` reads. Go reuses the result of a test
// until a file or directory changes that the test itself has opened.
func watch(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary directory
		}
		if err != nil || !entry.IsDir() || path == root {
			return err
		}
		_, statErr := os.Stat(filepath.Join(path, "go.mod"))
		if isModule := statErr == nil; isModule || strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// own lists the module's packages in order.
func (g graph) own() []goPackage {
	var own []goPackage
	for _, path := range slices.Sorted(maps.Keys(g)) {
		if p := g[path]; p.Module != nil && p.Module.Main {
			own = append(own, p)
		}
	}
	return own
}

// layerFindings lists the imports that point upwards or sideways.
func (g graph) layerFindings(layers []layer) []string {
	var findings []string
	for _, p := range g.own() {
		from := layerOf(layers, p.ImportPath)
		if from < 0 {
			findings = append(findings, relative(p.ImportPath)+" is in no layer: add it to one")
			continue
		}
		for _, path := range p.Imports {
			to := layerOf(layers, path)
			if to < from || to == from && layers[from].peers {
				continue
			}
			findings = append(findings,
				fmt.Sprintf("%s (layer %s) imports %s (layer %s): a package imports from lower layers only",
					relative(p.ImportPath), layers[from].name, relative(path), layers[to].name))
		}
	}
	return findings
}

// layerOf returns the index of a package's layer, or -1 if it has none, such as a package of another module.
func layerOf(layers []layer, path string) int {
	return slices.IndexFunc(layers, func(l layer) bool { return matches(l.packages, path) })
}

// banFindings lists for each package the nearest import that is banned for it.
func (g graph) banFindings(bans []ban) []string {
	var findings []string
	for _, ban := range bans {
		for _, p := range g.own() {
			if !matches(ban.packages, p.ImportPath) || matches(ban.except, p.ImportPath) {
				continue
			}
			reached := g
			if ban.direct {
				reached = graph{p.ImportPath: p}
			}
			if chain := reached.chain(p.ImportPath, ban.imports); chain != nil {
				findings = append(findings, fmt.Sprintf("%s: %s", strings.Join(chain, " imports "), ban.why))
			}
			for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
				if !ban.sparesTests && ban.imports(path) {
					findings = append(findings,
						fmt.Sprintf("a test of %s imports %s: %s", relative(p.ImportPath), relative(path), ban.why))
				}
			}
		}
	}
	return findings
}

// chain returns the shortest chain of imports from a package to a banned one, or nil
// if there is none.
func (g graph) chain(from string, banned func(string) bool) []string {
	importer := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, path := range g[queue[0]].Imports {
			if _, seen := importer[path]; seen {
				continue
			}
			importer[path] = queue[0]
			queue = append(queue, path)
			if !banned(path) {
				continue
			}
			var chain []string
			for at := path; at != ""; at = importer[at] {
				chain = append(chain, relative(at))
			}
			slices.Reverse(chain)
			return chain
		}
	}
	return nil
}

// matches reports whether a package of this module fits one of the patterns.
func matches(patterns []string, path string) bool {
	name := relative(path)
	return name != path && slices.ContainsFunc(patterns, func(pattern string) bool {
		parent, everything := strings.CutSuffix(pattern, "...")
		return name == strings.TrimSuffix(parent, "/") || everything && strings.HasPrefix(name, parent)
	})
}

// relative returns a package's name in this module as in the patterns: "." for the package in the root.
// Packages of other modules keep their path.
func relative(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}
