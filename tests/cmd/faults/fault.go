package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// fault is a change of a file: the bytes from start to end become the text.
type fault struct {
	file       string
	line       int
	start, end int
	was, text  string
}

func (f fault) String() string {
	return fmt.Sprintf("%s:%d: %s becomes %s", f.file, f.line, short(f.was), short(f.text))
}

// short returns a text as a word of a line.
func short(text string) string {
	const most = 50
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = text[:most] + "…"
	}
	if text == "" {
		return "nothing"
	}
	return text
}

// in returns the content of the file with the fault.
func (f fault) in(content []byte) []byte {
	return slices.Concat(content[:f.start], []byte(f.text), content[f.end:])
}

// faultsOf returns the faults that can be put into the files of a package without its tests, in their order.
func faultsOf(root, pkg string) ([]fault, error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no files of Go in %s", pkg, root)
	}
	var all []fault
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := faultsIn(path.Join(pkg, filepath.Base(file)), string(content))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// opposites are the operators that replace others.
var opposites = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ,
	token.LEQ: token.GTR, token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

// faultsIn returns the faults of a file: a condition or an operator that becomes the opposite, another number or text,
// and a statement that is missing.
func faultsIn(name, content string) ([]fault, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, content, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []fault
	add := func(from, to token.Pos, text func(was string) string) {
		start, end := files.Position(from).Offset, files.Position(to).Offset
		was := content[start:end]
		all = append(all, fault{name, files.Position(from).Line, start, end, was, text(was)})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl: // no statement reads the texts of imports and tags
			return n.Tok != token.IMPORT && n.Tok != token.TYPE
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), func(was string) string { return "!(" + was + ")" })
		case *ast.BinaryExpr:
			if other, ok := opposites[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), func(string) string { return other.String() })
			}
		case *ast.BasicLit:
			add(n.Pos(), n.End(), func(was string) string { return literal(n.Kind, was) })
		case *ast.Ident:
			if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
				add(n.Pos(), n.End(), func(string) string { return other })
			}
		case *ast.ExprStmt:
			add(n.Pos(), n.End(), func(string) string { return "" })
		}
		return true
	})
	return slices.DeleteFunc(all, func(f fault) bool { return f.was == f.text }), nil
}

// literal returns another number or text.
func literal(kind token.Token, was string) string {
	switch kind {
	case token.INT:
		if number, err := strconv.ParseInt(was, 0, 64); err == nil {
			return strconv.FormatInt(number+1, 10)
		}
	case token.STRING:
		if text, err := strconv.Unquote(was); err == nil && text != "" {
			return strconv.Quote(text[:len(text)-1])
		}
	}
	return was
}
