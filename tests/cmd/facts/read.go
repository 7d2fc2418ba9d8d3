package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// fact is one declaration of the package or of one below it, with one or several names.
type fact struct {
	names         []string
	seen, expires time.Time
	source        string
	// values are the strings of the declaration.
	values []string
}

func (f fact) name() string { return strings.Join(f.names, ", ") }

const (
	// mark is the comment that each fact has, and until the one of a fact that does not expire after a lifetime.
	mark  = "//facts:seen"
	until = "//facts:expires"

	lifetime = 180 * 24 * time.Hour
)

var (
	seen    = regexp.MustCompile(`^` + mark + ` (\d{4}-\d{2}-\d{2}) (https://\S+)$`)
	expires = regexp.MustCompile(`^` + until + ` (\d{4}-\d{2}-\d{2})$`)
)

// read reads the facts of a package and of those below it, in the order in which they were looked up. Each exported
// declaration of the package itself, except types, must have the day on which it was looked up. In the packages below,
// a declaration with that day is a fact.
func read(dir string) ([]fact, error) {
	var facts []fact
	var problems []error
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, filepath.Dir(path))
		for _, declaration := range parsed.Decls {
			values, ok := declaration.(*ast.GenDecl)
			if !ok || values.Tok != token.CONST && values.Tok != token.VAR {
				continue
			}
			names := declared(values, below)
			if len(names) == 0 {
				continue
			}
			f, err := factOf(names, values)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", set.Position(values.Pos()), err))
			} else {
				facts = append(facts, f)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(facts) == 0 && len(problems) == 0 {
		problems = append(problems, fmt.Errorf("there are no facts in %s", dir))
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return a.seen.Compare(b.seen) })
	return facts, errors.Join(problems...)
}

// declared returns the names of the facts in a declaration.
func declared(declaration *ast.GenDecl, below string) []string {
	isFact := below == "."
	prefix := filepath.Base(below) + "."
	if isFact {
		prefix = ""
	} else if declaration.Doc != nil {
		isFact = slices.ContainsFunc(declaration.Doc.List,
			func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, mark) })
	}
	var names []string
	for _, spec := range declaration.Specs {
		values, ok := spec.(*ast.ValueSpec)
		if !ok || !isFact || isEnum(declaration) {
			continue
		}
		for _, name := range values.Names {
			if prefix != "" || name.IsExported() {
				names = append(names, prefix+name.Name)
			}
		}
	}
	return names
}

// isEnum reports whether a declaration counts with iota, so that its values are names.
func isEnum(declaration *ast.GenDecl) bool {
	found := false
	ast.Inspect(declaration, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		found = found || ok && name.Name == "iota"
		return true
	})
	return found
}

func factOf(names []string, declaration *ast.GenDecl) (fact, error) {
	f := fact{names: names}
	var marks, ends []string
	if declaration.Doc != nil {
		for _, comment := range declaration.Doc.List {
			switch {
			case strings.HasPrefix(comment.Text, mark):
				marks = append(marks, comment.Text)
			case strings.HasPrefix(comment.Text, until):
				ends = append(ends, comment.Text)
			}
		}
	}
	if len(marks) != 1 {
		return f, fmt.Errorf("%s has %d comments %s: write one, with the day and the address of its source",
			f.name(), len(marks), mark)
	}
	found := seen.FindStringSubmatch(marks[0])
	if found == nil {
		return f, fmt.Errorf("%s has %q: write %s 2026-11-24 https://example.com/source", f.name(), marks[0], mark)
	}
	if source, err := url.Parse(found[2]); err != nil || source.Host == "" {
		return f, fmt.Errorf("%s has the source %q, which is not an address", f.name(), found[2])
	}
	var err error
	if f.seen, err = time.Parse(time.DateOnly, found[1]); err != nil {
		return f, fmt.Errorf("%s was seen on %s, which is not a day", f.name(), found[1])
	}
	f.source, f.expires, f.values = found[2], f.seen.Add(lifetime), stringsIn(declaration)
	if len(ends) == 0 {
		return f, nil
	}
	end := expires.FindStringSubmatch(ends[0])
	if end == nil || len(ends) > 1 {
		return f, fmt.Errorf("%s has %q: write %s 2027-11-24 once", f.name(), ends[0], until)
	}
	if f.expires, err = time.Parse(time.DateOnly, end[1]); err != nil || !f.expires.After(f.seen) {
		return f, fmt.Errorf("%s expires on %s, which is not a day after it was seen", f.name(), end[1])
	}
	return f, nil
}

// stringsIn returns the string literals of a declaration.
func stringsIn(declaration *ast.GenDecl) []string {
	var all []string
	ast.Inspect(declaration, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			all = append(all, strings.Trim(literal.Value, "\"`"))
		}
		return true
	})
	return all
}
