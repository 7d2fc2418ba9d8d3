package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// goUnits finds comments and strings. It ignores generated files.
func goUnits(name string, source []byte) ([]Unit, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	var units []Unit
	for _, group := range file.Comments {
		units = append(units, commentsOf(name, files, group)...)
	}
	literals := &literals{path: name, files: files}
	for _, decl := range file.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(decl, literals.visit)
	}
	return append(units, literals.units...), nil
}

// directive is a comment for a tool.
var directive = regexp.MustCompile(`^//[a-z]+:?\S`)

// commentsOf splits a comment into paragraphs. It leaves out indented code and directives.
func commentsOf(name string, files *token.FileSet, group *ast.CommentGroup) []Unit {
	var units []Unit
	p := &paragraph{path: name}
	for _, comment := range group.List {
		line := files.Position(comment.Pos()).Line
		if directive.MatchString(comment.Text) {
			continue
		}
		text := strings.TrimSuffix(strings.TrimPrefix(comment.Text[2:], " "), "*/")
		for i, text := range strings.Split(text, "\n") {
			isCode := strings.HasPrefix(text, "\t")
			if isCode || strings.TrimSpace(text) == "" || item.MatchString(text) {
				units = p.flush(units)
			}
			if isCode {
				continue
			}
			heading := strings.HasPrefix(text, "# ")
			p.heading = p.heading || heading
			p.add(strings.TrimPrefix(text, "# "), line+i)
			if heading {
				units = p.flush(units)
			}
		}
	}
	return p.flush(units)
}

// literals visits expressions for their strings. Strings that are added to each other are one text.
type literals struct {
	path  string
	files *token.FileSet
	units []Unit
}

func (l *literals) visit(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.Field: // without its tag
		ast.Inspect(node.Type, l.visit)
		return false
	case *ast.BinaryExpr:
		if node.Op != token.ADD {
			return true
		}
		p := &paragraph{path: l.path}
		l.sum(node, p)
		l.units = p.flush(l.units)
		return false
	case *ast.BasicLit:
		if node.Kind == token.STRING {
			p := &paragraph{path: l.path}
			l.literal(node, p)
			l.units = p.flush(l.units)
		}
	}
	return true
}

// sum adds the operands of a sum of strings; %s replaces an operand that is not a literal.
func (l *literals) sum(node ast.Expr, p *paragraph) {
	switch node := node.(type) {
	case *ast.BinaryExpr:
		if node.Op == token.ADD {
			l.sum(node.X, p)
			l.sum(node.Y, p)
			return
		}
	case *ast.BasicLit:
		if node.Kind == token.STRING {
			l.literal(node, p)
			return
		}
	}
	p.add("%s", l.files.Position(node.Pos()).Line)
	ast.Inspect(node, l.visit)
}

// literal adds the lines of a literal. Blank lines in it end a paragraph.
func (l *literals) literal(node *ast.BasicLit, p *paragraph) {
	text, err := strconv.Unquote(node.Value)
	if err != nil {
		return
	}
	line := l.files.Position(node.Pos()).Line
	raw := strings.HasPrefix(node.Value, "`")
	for i, text := range strings.Split(text, "\n") {
		if i > 0 && (strings.TrimSpace(text) == "" || item.MatchString(text)) {
			l.units = p.flush(l.units)
		}
		at := line
		if raw {
			at += i
		}
		p.add(text, at)
	}
}
