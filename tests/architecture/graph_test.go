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

// floorFindings lists the imports that point up.
func (g graph) floorFindings(floors []floor) []string {
	var findings []string
	for _, p := range g.own() {
		from := floorOf(floors, p.ImportPath)
		if from < 0 {
			findings = append(findings, relative(p.ImportPath)+" is on no floor: move it below the directory of one")
			continue
		}
		for _, path := range p.Imports {
			if to := floorOf(floors, path); to > from {
				findings = append(findings, fmt.Sprintf(
					"%s (floor %s) imports %s (floor %s): a package imports from its own floor and from lower ones",
					relative(p.ImportPath), floors[from].name, relative(path), floors[to].name))
			}
		}
	}
	return findings
}

// roomFindings lists the rooms of a floor that import one another in a circle, and floors with too many rooms.
func (g graph) roomFindings(floors []floor) []string {
	var findings []string
	for _, f := range floors {
		rooms := g.rooms(floors, f)
		if f.rooms > 0 && len(rooms) > f.rooms {
			findings = append(findings, fmt.Sprintf("the floor %s has %d rooms, more than %d: %s", f.name, len(rooms),
				f.rooms, strings.Join(slices.Sorted(maps.Keys(rooms)), ", ")))
		}
		for _, name := range slices.Sorted(maps.Keys(rooms)) {
			if chain := rooms.chain(name, func(path string) bool { return path == name }); chain != nil {
				findings = append(findings, fmt.Sprintf("the rooms of the floor %s are in a circle: %s", f.name,
					strings.Join(chain, " imports ")))
			}
		}
	}
	return findings
}

// rooms returns the rooms of a floor, by their names, as packages that import one another.
func (g graph) rooms(all []floor, f floor) graph {
	rooms := graph{}
	for _, p := range g.own() {
		if !f.has(all, p.ImportPath) {
			continue
		}
		name := f.room(p.ImportPath)
		room := rooms[name]
		room.ImportPath = name
		for _, path := range p.Imports {
			if f.has(all, path) && f.room(path) != name {
				room.Imports = append(room.Imports, f.room(path))
			}
		}
		rooms[name] = room
	}
	return rooms
}

// has reports whether a package is on a floor.
func (f floor) has(all []floor, path string) bool {
	at := floorOf(all, path)
	return at >= 0 && all[at].name == f.name
}

// room returns the name of a package's room: the directory below that of the floor.
func (f floor) room(path string) string {
	for _, pattern := range f.packages {
		if below, ok := strings.CutPrefix(relative(path), strings.TrimSuffix(pattern, "...")); ok {
			room, _, _ := strings.Cut(below, "/")
			return room
		}
	}
	return relative(path)
}

// floorOf returns the index of a package's floor, or -1 if it has none, such as a package of another module.
func floorOf(floors []floor, path string) int {
	return slices.IndexFunc(floors, func(f floor) bool { return matches(f.packages, path) })
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
			if banned(path) {
				chain := []string{relative(path)}
				for at := queue[0]; at != ""; at = importer[at] {
					chain = append(chain, relative(at))
				}
				slices.Reverse(chain)
				return chain
			}
			if _, seen := importer[path]; !seen {
				importer[path] = queue[0]
				queue = append(queue, path)
			}
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
