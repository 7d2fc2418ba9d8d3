package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const root = "../../.."

func usesOfLibrary(t *testing.T) names {
	t.Helper()
	facts, err := read(ofLibrary)
	if err != nil {
		t.Fatal(err)
	}
	uses, err := usesOf(root, facts)
	if err != nil {
		t.Fatal(err)
	}
	return uses
}

func TestGeneratedUses(t *testing.T) {
	t.Parallel()
	uses := usesOfLibrary(t)
	table, err := usesTable(uses)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, ofLibrary+"/lives/uses.go", string(table))
}

// A use is found through functions, constants, methods and other packages of facts, and only through package names.
func TestUsesAreFound(t *testing.T) {
	t.Parallel()
	const unused = "import \"github.com/mixedkube/mixedkube/internal/core/facts\"\n\nvar _ = facts.Unused\n"
	root := t.TempDir()
	for name, source := range map[string]string{
		"internal/core/facts/facts.go": `package facts

//facts:seen 2026-02-28 https://a.example
var Table, Unused = []int{1}, 2

func First() int { return Table[0] }
`,
		"internal/core/facts/vm/vm.go": `package vm

import "github.com/mixedkube/mixedkube/internal/core/facts"

//facts:seen 2026-02-28 https://a.example
const size = 1

//facts:seen 2026-02-28 https://a.example
var hidden = 2

type Machine struct{}

func (m *Machine) Size() int { return size }

func Both() int { return size + facts.First() }

func Local(hidden int) int { return hidden }
`,
		"core/a/a.go": `package a

import sizes "github.com/mixedkube/mixedkube/internal/core/facts/vm"

var both = sizes.Both
`,
		"core/b/b.go": `package b

import "github.com/mixedkube/mixedkube/internal/core/facts/vm"

var machine vm.Machine
var local = vm.Local
`,
		"core/c/c.go": `package c

import "example.com/facts"

var first = facts.First
`,
		"core/a/a_test.go":     "package a\n" + unused,
		"tests/tests.go":       "package tests\n" + unused,
		"core/a/testdata/t.go": "package t\n" + unused,
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	facts, err := read(filepath.Join(root, "internal/core/facts"))
	if err != nil {
		t.Fatal(err)
	}
	uses, err := usesOf(root, facts)
	if err != nil {
		t.Fatal(err)
	}
	want := names{
		"First":      {"Table": true},
		"vm.Both":    {"Table": true, "vm.size": true},
		"vm.Machine": {"vm.size": true},
		"core/a":     {"Table": true, "vm.size": true},
		"core/b":     {"vm.size": true},
	}
	if diff := cmp.Diff(want, uses); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
}

// withoutInfo are packages whose facts no preview reports, and why.
var withoutInfo = map[string]string{
	"core/topology": "core/preflight names the functions of each cloud: its test compares them",
}

// Each package that reads facts is one that a preview asks about with [lives.UsedBy], or it names each of its facts.
func TestPreviewsReportTheFactsOfEachPackage(t *testing.T) {
	t.Parallel()
	uses := usesOfLibrary(t)
	named := map[string]bool{}
	texts := map[string]map[string]bool{}
	for user := range uses {
		if strings.Contains(user, "/") {
			texts[user] = textsIn(t, filepath.Join(root, user))
		}
	}
	for _, dir := range []string{"core/preflight", "core/aks/plan", "machines/kubeadm/plan"} {
		for text := range textsIn(t, filepath.Join(root, dir)) {
			named[text] = true
		}
	}
	for _, user := range slices.Sorted(maps.Keys(texts)) {
		if withoutInfo[user] != "" || named[user] {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(uses[user])) {
			if !texts[user][name] {
				t.Errorf("%s reads %s: no preview reports its age: ask for it with lives.UsedBy or refusal.LogFacts, "+
					"or give a reason in withoutInfo", user, name)
			}
		}
	}
	for _, user := range slices.Sorted(maps.Keys(withoutInfo)) {
		if uses[user] == nil {
			t.Errorf("%s reads no facts: remove it from withoutInfo", user)
		}
	}
}

// textsIn returns the literals in the files of a package.
func textsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				texts[text] = true
			}
			return true
		})
	}
	return texts
}
