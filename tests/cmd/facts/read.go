package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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
	// released is the day of the newest release that the fact names; zero if it does not say.
	released time.Time
	// sources are the addresses of all sources, and source is the one that was seen first.
	sources []string
	source  string
	// values are the strings of the declaration, and the patch releases in its maps.
	values []string
}

func (f fact) name() string { return strings.Join(f.names, ", ") }

const (
	// mark is the comment that each fact has, one for each source; until is the one of a fact that does not expire after
	// a lifetime, and since the one of a fact that names a release.
	mark  = "//facts:seen"
	until = "//facts:expires"
	since = "//facts:released"
	// none is the comment of a declaration that is not a fact, with the reason.
	none = "//facts:none"

	lifetime = 180 * 24 * time.Hour
)

var (
	seen     = regexp.MustCompile(`^` + mark + ` (\d{4}-\d{2}-\d{2}) (https://\S+)$`)
	expires  = regexp.MustCompile(`^` + until + ` (\d{4}-\d{2}-\d{2})$`)
	released = regexp.MustCompile(`^` + since + ` (\d{4}-\d{2}-\d{2})$`)
	reason   = regexp.MustCompile(`^` + none + ` \S`)
)

// read reads the facts of a package and of those below it, in the order in which they were looked up. Each constant and
// variable must have the day on which it was looked up, or the reason for which it is not a fact. Enums and regular
// expressions need neither. A function must not decide by numbers.
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
			if function, ok := declaration.(*ast.FuncDecl); ok && decides(function) {
				problems = append(problems,
					fmt.Errorf("%s: %s decides by numbers: write them as a table, with the day and "+
						"the address of its source", set.Position(function.Pos()), function.Name.Name))
			}
			values, ok := declaration.(*ast.GenDecl)
			if !ok || values.Tok != token.CONST && values.Tok != token.VAR {
				continue
			}
			names := declared(values, below)
			if len(names) == 0 {
				continue
			}
			f, err := factOf(names, values)
			if err == nil {
				err = f.hasSources(parsed, values)
			}
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
	if isEnum(declaration) || len(comments(declaration, mark)) == 0 && slices.ContainsFunc(
		comments(declaration, none), reason.MatchString) {
		return nil
	}
	prefix := ""
	if below != "." {
		prefix = filepath.Base(below) + "."
	}
	var names []string
	for _, spec := range declaration.Specs {
		values, ok := spec.(*ast.ValueSpec)
		if ok && (len(comments(declaration, mark)) > 0 || !slices.ContainsFunc(values.Values, isPattern)) {
			for _, name := range values.Names {
				names = append(names, prefix+name.Name)
			}
		}
	}
	return names
}

// comments returns the comments of a declaration that begin with a mark.
func comments(declaration *ast.GenDecl, mark string) []string {
	var all []string
	if declaration.Doc != nil {
		for _, c := range declaration.Doc.List {
			if strings.HasPrefix(c.Text, mark) {
				all = append(all, c.Text)
			}
		}
	}
	return all
}

// decides reports whether a function has a table in its code: a switch with numbers other than 0, 1 and indexes.
func decides(function *ast.FuncDecl) (found bool) {
	ast.Inspect(function, func(n ast.Node) bool {
		if choice, ok := n.(*ast.SwitchStmt); ok {
			found = found || hasNumbers(choice)
		}
		return true
	})
	return found
}

func hasNumbers(in ast.Node) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			return false
		case *ast.BasicLit:
			found = found || (n.Kind == token.INT || n.Kind == token.FLOAT) && n.Value != "0" && n.Value != "1"
		}
		return true
	})
	return found
}

// isPattern reports whether an expression is a regular expression.
func isPattern(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && types.ExprString(call.Fun) == "regexp.MustCompile"
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
	marks := comments(declaration, mark)
	if len(marks) == 0 {
		return f, fmt.Errorf("%s has no comment %s: write one for each source, with its day and its address, "+
			"or %s with the reason for which it is not a fact", f.name(), mark, none)
	}
	for _, text := range marks {
		found := seen.FindStringSubmatch(text)
		if found == nil {
			return f, fmt.Errorf("%s has %q: write %s 2026-11-24 https://example.com/source", f.name(), text, mark)
		}
		if source, err := url.Parse(found[2]); err != nil || source.Host == "" {
			return f, fmt.Errorf("%s has the source %q, which is not an address", f.name(), found[2])
		}
		day, err := time.Parse(time.DateOnly, found[1])
		if err != nil {
			return f, fmt.Errorf("%s was seen on %s, which is not a day", f.name(), found[1])
		}
		f.sources = append(f.sources, found[2])
		if f.seen.IsZero() || day.Before(f.seen) {
			f.seen, f.source = day, found[2]
		}
	}
	f.values = valuesIn(declaration)
	var err error
	if f.released, err = dayOf(declaration, since, released); err != nil {
		return f, fmt.Errorf("%s has %w", f.name(), err)
	}
	if f.expires, err = dayOf(declaration, until, expires); err != nil {
		return f, fmt.Errorf("%s has %w", f.name(), err)
	}
	if f.expires.IsZero() {
		f.expires = f.seen.Add(lifetime)
	}
	if !f.expires.After(f.seen) {
		return f, fmt.Errorf("%s expires on %s, which is not a day after it was seen", f.name(),
			f.expires.Format(time.DateOnly))
	}
	return f, nil
}

// dayOf returns the day of a mark that a declaration can have; zero if it does not have it.
func dayOf(declaration *ast.GenDecl, mark string, format *regexp.Regexp) (time.Time, error) {
	marks := comments(declaration, mark)
	if len(marks) == 0 {
		return time.Time{}, nil
	}
	found := format.FindStringSubmatch(marks[0])
	if found == nil || len(marks) > 1 {
		return time.Time{}, fmt.Errorf("%q: write %s 2027-11-24 once", marks[0], mark)
	}
	day, err := time.Parse(time.DateOnly, found[1])
	if err != nil {
		return time.Time{}, fmt.Errorf("%q, which is not a day", marks[0])
	}
	return day, nil
}

// valuesIn returns the string literals of a declaration, and the patch releases of its maps: 1.37.0 of minor(37): 0.
func valuesIn(declaration *ast.GenDecl) []string {
	var all []string
	ast.Inspect(declaration, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				all = append(all, strings.Trim(n.Value, "\"`"))
			}
		case *ast.KeyValueExpr:
			key, isCall := n.Key.(*ast.CallExpr)
			patch, isNumber := n.Value.(*ast.BasicLit)
			if isCall && isNumber && len(key.Args) == 1 && types.ExprString(key.Fun) == "minor" {
				all = append(all, "1."+types.ExprString(key.Args[0])+"."+patch.Value)
			}
		}
		return true
	})
	return all
}
