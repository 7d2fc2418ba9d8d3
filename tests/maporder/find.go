package maporder

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Finding is a place whose result depends on the order of a map.
type Finding struct {
	Pos     token.Position
	Message string
}

// String returns the finding with its place and the remedy.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: range over slices.Sorted(maps.Keys(…))", f.Pos, f.Message)
}

// Find returns the places in files of a package whose result depends on the order of a map: where a loop over a map
// returns, appends, writes or logs something with a variable of the loop, or where the keys or values become a list. A
// list may depend on the order if the same function sorts it later.
func Find(set *token.FileSet, files []*ast.File, info *types.Info) []Finding {
	var found []Finding
	for _, file := range files {
		for _, decl := range file.Decls {
			s := search{Info: info, set: set, decl: decl, literals: map[types.Object]*ast.FuncLit{}}
			ast.Inspect(decl, s.visit)
			found = append(found, s.found...)
		}
	}
	return found
}

// search looks for such places in one declaration, which is a function in most cases.
type search struct {
	*types.Info
	set  *token.FileSet
	decl ast.Decl
	// literals are the functions that variables have.
	literals map[types.Object]*ast.FuncLit
	found    []Finding
}

func (s *search) report(n ast.Node, message string) {
	found := Finding{s.set.Position(n.Pos()), message}
	if !slices.Contains(s.found, found) { // a loop in a loop
		s.found = append(s.found, found)
	}
}

func (s *search) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if s.unordered(n.X) {
			ast.Inspect(n.Body, func(in ast.Node) bool { return s.inLoop(in, n) })
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			break
		}
		for i, value := range n.Rhs {
			switch value := ast.Unparen(value).(type) {
			case *ast.FuncLit:
				if name, ok := n.Lhs[i].(*ast.Ident); ok {
					s.literals[s.ObjectOf(name)] = value
				}
			case *ast.CallExpr:
				if s.collects(value) && !s.sorts(n.Lhs[i], n.End()) {
					s.report(n, "lists a map in its order")
				}
			}
		}
	case *ast.ReturnStmt:
		for _, result := range n.Results {
			if call, ok := ast.Unparen(result).(*ast.CallExpr); ok && s.collects(call) {
				s.report(n, "lists a map in its order")
			}
		}
	}
	return true
}

// inLoop reports what depends on the order in a node of the body of a loop.
func (s *search) inLoop(n ast.Node, loop *ast.RangeStmt) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false
	case *ast.ReturnStmt:
		if slices.ContainsFunc(n.Results, func(x ast.Expr) bool { return s.depends(x, loop) }) {
			s.report(n, "returns what comes first in a map")
		}
	case *ast.SendStmt:
		if s.depends(n.Value, loop) {
			s.report(n, "sends in the order of a map")
		}
	case *ast.AssignStmt:
		for i, target := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && n.Tok != token.DEFINE && !s.depends(target, loop) {
				s.assignment(n, target, n.Rhs[i], loop)
			}
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			s.call(call, loop)
		}
	}
	return true
}

// assignment reports an assignment to a variable from outside of a loop.
func (s *search) assignment(n *ast.AssignStmt, target, value ast.Expr, loop *ast.RangeStmt) {
	call, isCall := ast.Unparen(value).(*ast.CallExpr)
	switch {
	case isCall && s.is(call, "", "append"):
		if s.takes(call.Args[1:], loop) && !s.sorts(target, loop.End()) {
			s.report(n, "appends in the order of a map, and does not sort later")
		}
	case n.Tok == token.ADD_ASSIGN:
		text, ok := s.TypeOf(target).Underlying().(*types.Basic)
		if ok && text.Info()&types.IsString != 0 && s.depends(value, loop) {
			s.report(n, "adds to a text in the order of a map")
		}
	}
}

// call reports a call that writes, logs, or runs a literal that appends.
func (s *search) call(call *ast.CallExpr, loop *ast.RangeStmt) {
	f := s.callee(call)
	if f == nil || !s.takes(call.Args, loop) {
		return
	}
	if literal := s.literals[f]; literal != nil {
		ast.Inspect(literal.Body, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || len(assign.Rhs) != 1 {
				return true
			}
			inner, ok := assign.Rhs[0].(*ast.CallExpr)
			if ok && s.is(inner, "", "append") && !within(s.root(assign.Lhs[0]), literal) &&
				!s.sorts(assign.Lhs[0], loop.End()) {
				s.report(call, "appends in the order of a map, and does not sort later")
			}
			return true
		})
		return
	}
	to, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !writes[f.Name()] || f.Pkg().Path() == "testing" {
		return
	}
	writer := to.X
	if strings.HasPrefix(f.Name(), "Fprint") {
		writer = call.Args[0]
	}
	if !s.depends(writer, loop) {
		s.report(call, "writes in the order of a map")
	}
}

// writes are the functions that write or log their arguments at once.
var writes = map[string]bool{
	"Fprint": true, "Fprintf": true, "Fprintln": true, "Print": true, "Printf": true, "Println": true,
	"Write": true, "WriteByte": true, "WriteRune": true, "WriteString": true,
	"Debug": true, "Info": true, "Warn": true, "Error": true,
}

// unordered reports whether an expression is a map, or the sequence of its keys or values.
func (s *search) unordered(x ast.Expr) bool {
	if t := s.TypeOf(x); t != nil {
		if _, is := t.Underlying().(*types.Map); is {
			return true
		}
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && s.is(call, "maps", "Keys", "Values", "All")
}

// collects reports whether a call returns a list of the keys or values of a map.
func (s *search) collects(call *ast.CallExpr) bool {
	return s.is(call, "slices", "Collect", "AppendSeq") && s.unordered(call.Args[len(call.Args)-1])
}

// is reports whether a call calls a function of a package, which is empty for those of the language.
func (s *search) is(call *ast.CallExpr, pkg string, names ...string) bool {
	f := s.callee(call)
	return f != nil && slices.Contains(names, f.Name()) &&
		(f.Pkg() == nil && pkg == "" || f.Pkg() != nil && f.Pkg().Path() == pkg)
}

// callee returns the function or the variable that a call calls, nil for an expression of another kind.
func (s *search) callee(call *ast.CallExpr) types.Object {
	function := ast.Unparen(call.Fun)
	if of, ok := function.(*ast.IndexExpr); ok {
		function = of.X
	}
	switch function := function.(type) {
	case *ast.Ident:
		return s.Uses[function]
	case *ast.SelectorExpr:
		return s.Uses[function.Sel]
	default:
		return nil
	}
}

func (s *search) takes(args []ast.Expr, loop *ast.RangeStmt) bool {
	return slices.ContainsFunc(args, func(x ast.Expr) bool { return s.depends(x, loop) })
}

// depends reports whether an expression has a variable of a loop.
func (s *search) depends(x ast.Expr, loop *ast.RangeStmt) (does bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			v, ok := s.Uses[name].(*types.Var)
			does = does || ok && !v.IsField() && within(v, loop)
		}
		return !does
	})
	return does
}

// root returns the variable of an expression such as v, v.field or v[i].
func (s *search) root(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return s.Uses[x]
	case *ast.SelectorExpr:
		return s.root(x.X)
	case *ast.IndexExpr:
		return s.root(x.X)
	case *ast.StarExpr:
		return s.root(x.X)
	default:
		return nil
	}
}

// within reports whether a variable is declared in a part of the code.
func within(v types.Object, n ast.Node) bool {
	return v != nil && n.Pos() <= v.Pos() && v.Pos() < n.End()
}

// sorts reports whether the function sorts a list after a position.
func (s *search) sorts(list ast.Expr, after token.Pos) (does bool) {
	name := types.ExprString(list)
	ast.Inspect(s.decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() >= after {
			sorting := strings.Contains(strings.ToLower(types.ExprString(call.Fun)), "sort")
			does = does || sorting && strings.Contains(types.ExprString(call), name)
		}
		return !does
	})
	return does
}
