package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// fact is one declaration of the package, with one or several names.
type fact struct {
	name   string
	seen   time.Time
	source string
}

// mark is the comment that each fact has.
const mark = "//facts:seen"

var seen = regexp.MustCompile(`^` + mark + ` (\d{4}-\d{2}-\d{2}) (https://\S+)$`)

// read reads the facts of a package, in the order in which they were looked up. Each exported
// declaration, except types, must have the day on which it was looked up.
func read(dir string) ([]fact, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var facts []fact
	var problems []error
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declaration := range parsed.Decls {
			values, ok := declaration.(*ast.GenDecl)
			if !ok || values.Tok != token.CONST && values.Tok != token.VAR {
				continue
			}
			names := exported(values)
			if len(names) == 0 {
				continue
			}
			f, err := factOf(strings.Join(names, ", "), values.Doc)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", set.Position(values.Pos()), err))
			}
			facts = append(facts, f)
		}
	}
	if len(facts) == 0 {
		problems = append(problems, fmt.Errorf("there are no facts in %s", dir))
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return a.seen.Compare(b.seen) })
	return facts, errors.Join(problems...)
}

// exported returns the names of a declaration that other packages see.
func exported(declaration *ast.GenDecl) []string {
	var names []string
	for _, spec := range declaration.Specs {
		if values, ok := spec.(*ast.ValueSpec); ok {
			for _, name := range values.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

func factOf(name string, doc *ast.CommentGroup) (fact, error) {
	f := fact{name: name}
	var marks []string
	if doc != nil {
		for _, comment := range doc.List {
			if strings.HasPrefix(comment.Text, mark) {
				marks = append(marks, comment.Text)
			}
		}
	}
	if len(marks) != 1 {
		return f, fmt.Errorf("%s has %d comments %s: write one, with the day and the address of its source",
			name, len(marks), mark)
	}
	found := seen.FindStringSubmatch(marks[0])
	if found == nil {
		return f, fmt.Errorf("%s has %q: write %s 2026-11-24 https://example.com/source", name, marks[0], mark)
	}
	if source, err := url.Parse(found[2]); err != nil || source.Host == "" {
		return f, fmt.Errorf("%s has the source %q, which is not an address", name, found[2])
	}
	var err error
	if f.seen, err = time.Parse(time.DateOnly, found[1]); err != nil {
		return f, fmt.Errorf("%s was seen on %s, which is not a day", name, found[1])
	}
	f.source = found[2]
	return f, nil
}
