package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// sizes has the sizes of one commit.
type sizes struct {
	// library is the code that users import and run. lab is the code that simulates a cluster and Azure
	// for the tests and for `make up`. Neither includes tests.
	library, lab, tests part
	// dirs are those with Go code below internal that belong to the library.
	dirs map[string]bool
	// functions counts the functions of tests, by their prefix.
	functions map[string]int
	rules     map[string]bool
}

type part struct {
	files, lines int
	// code is the number of lines without blank lines and comments, if each line had 100 columns. So it
	// does not depend on line breaks.
	code                         int
	characters                   int
	longestFile, longestFunction longest
}

type longest struct {
	lines int
	what  string
}

func (l longest) String() string { return fmt.Sprintf("%d (%s)", l.lines, l.what) }

func (l *longest) take(lines int, what string) {
	if lines > l.lines {
		*l = longest{lines, what}
	}
}

var ruleID = regexp.MustCompile(`"MK\d{3}"`)

func measure(files []file) (sizes, error) {
	s := sizes{dirs: map[string]bool{}, functions: map[string]int{}, rules: map[string]bool{}}
	for _, f := range files {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, f.path, f.content, parser.SkipObjectResolution)
		if err != nil {
			return s, err
		}
		if strings.HasSuffix(f.path, "_test.go") || strings.HasPrefix(f.path, "tests/") {
			s.tests.add(set, f, parsed)
			s.count(parsed)
			if dir := path.Dir(f.path); isLibrary(f.path) && strings.HasPrefix(dir, "internal/") &&
				!strings.HasPrefix(dir, "internal/provider") { // a module of its own
				s.dirs[dir] = true
			}
			continue
		}
		if !isLibrary(f.path) {
			s.lab.add(set, f, parsed)
			continue
		}
		s.library.add(set, f, parsed)
		if dir := path.Dir(f.path); strings.HasPrefix(dir, "internal/") &&
			!strings.HasPrefix(dir, "internal/provider") { // a module of its own
			s.dirs[dir] = true
		}
		for _, id := range ruleID.FindAll(f.content, -1) {
			s.rules[string(id)] = true
		}
	}
	return s, nil
}

func isLibrary(file string) bool {
	for _, dir := range []string{"internal/lab/", "internal/azuresim/", "internal/release/", "tests/"} {
		if strings.HasPrefix(file, dir) {
			return false
		}
	}
	return true
}

func (p *part) add(set *token.FileSet, f file, parsed *ast.File) {
	lines := bytes.Count(f.content, []byte("\n"))
	p.files++
	p.lines += lines
	p.longestFile.take(lines, f.path)
	for line := range bytes.Lines(f.content) {
		if code := bytes.TrimSpace(line); len(code) > 0 && !bytes.HasPrefix(code, []byte("//")) {
			p.characters += len(code)
		}
	}
	p.code = p.characters / 100
	for _, d := range parsed.Decls {
		if function, ok := d.(*ast.FuncDecl); ok {
			first, last := set.Position(function.Pos()), set.Position(function.End())
			p.longestFunction.take(last.Line-first.Line+1, function.Name.Name+" in "+f.path)
		}
	}
}

// count counts the functions that go test calls.
func (s *sizes) count(parsed *ast.File) {
	for _, d := range parsed.Decls {
		function, ok := d.(*ast.FuncDecl)
		if !ok || function.Recv != nil {
			continue
		}
		for _, prefix := range []string{"Test", "Fuzz", "Benchmark"} {
			if name, ok := strings.CutPrefix(function.Name.Name, prefix); ok && name != "Main" {
				s.functions[prefix]++
			}
		}
	}
}
