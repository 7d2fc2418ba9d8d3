package api

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// listing collects the lines of the API: for each package of this module, by its directory, a line for each exported
// constant, variable, function, type, method and field. A package that is not promised has only the types that lines
// of others name, with their methods and fields. An unexported type has only these.
type listing struct {
	promised map[string]bool
	lines    map[string]map[string]bool
	listed   map[*types.TypeName]bool
}

// listAPI lists promised packages.
func listAPI(packages []*types.Package) listing {
	l := listing{map[string]bool{}, map[string]map[string]bool{}, map[*types.TypeName]bool{}}
	for _, p := range packages {
		l.promised[p.Path()] = true
	}
	for _, p := range packages {
		scope := p.Scope()
		for _, name := range scope.Names() {
			if object := scope.Lookup(name); object.Exported() {
				l.object(object)
			}
		}
	}
	return l
}

// of returns the lines of a directory in order.
func (l listing) of(dir string) []string { return slices.Sorted(maps.Keys(l.lines[dir])) }

// private matches the types of this module that other modules cannot name.
var private = regexp.MustCompile(`(?:^|[^\w./-]|\.\.\.)(?:\w+/)*internal/`)

// add adds a line. It leaves out the names whose types are private: programs cannot rely on them.
func (l listing) add(p *types.Package, format string, args ...any) {
	dir, line := relative(p.Path()), fmt.Sprintf(format, args...)
	if declaration, _, _ := strings.Cut(line, ` = "`); private.MatchString(declaration) {
		return
	}
	if l.lines[dir] == nil {
		l.lines[dir] = map[string]bool{}
	}
	l.lines[dir][line] = true
}

func (l listing) object(object types.Object) {
	w := typeWriter{l, object.Pkg()}
	switch o := object.(type) {
	case *types.Const:
		l.add(o.Pkg(), "const %s %s = %s", o.Name(), w.text(o.Type()), o.Val().ExactString())
	case *types.Var:
		l.add(o.Pkg(), "var %s %s", o.Name(), w.text(o.Type()))
	case *types.Func:
		l.add(o.Pkg(), "func %s%s", o.Name(), w.signature(o.Signature()))
	case *types.TypeName:
		l.typeName(o)
	}
}

// typeName adds the lines of a type.
func (l listing) typeName(o *types.TypeName) {
	if l.listed[o] {
		return
	}
	l.listed[o] = true
	w := typeWriter{l, o.Pkg()}
	if o.IsAlias() {
		l.add(o.Pkg(), "type %s = %s", o.Name(), w.text(o.Type()))
		return
	}
	named, ok := o.Type().(*types.Named)
	if !ok {
		return
	}
	declaration := "type " + o.Name() + w.typeParams(named.TypeParams())
	declare := func(of string) {
		if o.Exported() {
			l.add(o.Pkg(), "%s %s", declaration, of)
		}
	}
	switch of := named.Underlying().(type) {
	case *types.Struct:
		declare("struct")
		l.fields(o, of)
	case *types.Interface:
		declare(w.methodNames(of))
		for method := range of.Methods() {
			if method.Exported() {
				l.add(o.Pkg(), "type %s interface, %s%s", o.Name(), method.Name(), w.signature(method.Signature()))
			}
		}
	default:
		declare(w.text(of))
	}
	l.methods(o, named)
}

// fields adds the fields of a struct. Those of an unexported struct that it embeds are its own.
func (l listing) fields(owner *types.TypeName, of *types.Struct) {
	w := typeWriter{l, owner.Pkg()}
	for field := range of.Fields() {
		switch {
		case field.Embedded() && field.Exported():
			l.add(owner.Pkg(), "type %s struct, embedded %s", owner.Name(), w.text(field.Type()))
		case field.Exported():
			l.add(owner.Pkg(), "type %s struct, %s %s", owner.Name(), field.Name(), w.text(field.Type()))
		case field.Embedded():
			embedded := types.Unalias(field.Type())
			if pointer, ok := embedded.(*types.Pointer); ok {
				embedded = types.Unalias(pointer.Elem())
			}
			if nested, ok := embedded.Underlying().(*types.Struct); ok {
				l.fields(owner, nested)
			}
			if named, ok := embedded.(*types.Named); ok {
				l.methods(owner, named)
			}
		}
	}
}

// methods adds the declared methods of a type to owner, which is the type or embeds it.
func (l listing) methods(owner *types.TypeName, of *types.Named) {
	w := typeWriter{l, owner.Pkg()}
	for method := range of.Methods() {
		if !method.Exported() {
			continue
		}
		receiver := owner.Name()
		if _, ok := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer); ok {
			receiver = "*" + receiver
		}
		l.add(owner.Pkg(), "method (%s) %s%s", receiver, method.Name(), w.signature(method.Signature()))
	}
}

// typeWriter writes types as a package sees them: without aliases and the names of parameters, so that equal types
// have equal texts. It notes the types of other packages.
type typeWriter struct {
	listing

	in *types.Package
}

var directions = map[types.ChanDir]string{
	types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan ",
}

func (w typeWriter) text(of types.Type) string {
	switch t := types.Unalias(of).(type) {
	case *types.Named:
		return w.named(t)
	case *types.Pointer:
		return "*" + w.text(t.Elem())
	case *types.Slice:
		return "[]" + w.text(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.text(t.Elem()))
	case *types.Map:
		return "map[" + w.text(t.Key()) + "]" + w.text(t.Elem())
	case *types.Chan:
		return directions[t.Dir()] + w.text(t.Elem())
	case *types.Signature:
		return "func" + w.signature(t)
	case *types.Struct:
		var fields []string
		for field := range t.Fields() {
			fields = append(fields, field.Name()+" "+w.text(field.Type()))
		}
		return "struct {" + strings.Join(fields, "; ") + "}"
	case *types.Interface:
		return w.interfaceText(t)
	case *types.Union:
		var terms []string
		for term := range t.Terms() {
			terms = append(terms, map[bool]string{true: "~"}[term.Tilde()]+w.text(term.Type()))
		}
		return strings.Join(terms, " | ")
	default: // a basic type or a parameter of a type
		return t.String()
	}
}

// named writes the name of a type, and lists the type if it belongs to this module but not to the promised names.
func (w typeWriter) named(t *types.Named) string {
	o := t.Obj()
	if o.Pkg() == nil {
		return o.Name()
	}
	isOwn := o.Pkg().Path() == module || strings.HasPrefix(o.Pkg().Path(), module+"/")
	isListed := w.promised[o.Pkg().Path()] && o.Exported()
	if isOwn && !isListed && !slices.Contains(strings.Split(o.Pkg().Path(), "/"), "internal") {
		w.typeName(t.Origin().Obj())
	}
	name := o.Name()
	if o.Pkg().Path() != w.in.Path() {
		name = relative(o.Pkg().Path()) + "." + name
	}
	var args []string
	for arg := range t.TypeArgs().Types() {
		args = append(args, w.text(arg))
	}
	if len(args) > 0 {
		name += "[" + strings.Join(args, ", ") + "]"
	}
	return name
}

func (w typeWriter) signature(of *types.Signature) string {
	params := w.tuple(of.Params())
	if of.Variadic() {
		last := len(params) - 1
		params[last] = "..." + strings.TrimPrefix(params[last], "[]")
	}
	text := w.typeParams(of.TypeParams()) + "(" + strings.Join(params, ", ") + ")"
	switch results := w.tuple(of.Results()); len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	default:
		return text + " (" + strings.Join(results, ", ") + ")"
	}
}

func (w typeWriter) tuple(of *types.Tuple) []string {
	var all []string
	for v := range of.Variables() {
		all = append(all, w.text(v.Type()))
	}
	return all
}

func (w typeWriter) typeParams(list *types.TypeParamList) string {
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+w.text(p.Constraint()))
	}
	if len(all) == 0 {
		return ""
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// methodNames writes an interface with the names of its methods, each of which has a line of its own.
func (w typeWriter) methodNames(of *types.Interface) string {
	var all []string
	for method := range of.Methods() {
		all = append(all, method.Name()+"()")
	}
	return braces(append(all, w.constraints(of)...))
}

// interfaceText writes an interface without a name.
func (w typeWriter) interfaceText(of *types.Interface) string {
	if of.Empty() {
		return "any"
	}
	var all []string
	for method := range of.Methods() {
		all = append(all, method.Name()+w.signature(method.Signature()))
	}
	return braces(append(all, w.constraints(of)...))
}

func braces(members []string) string {
	if len(members) == 0 {
		return "interface {}"
	}
	return "interface { " + strings.Join(members, "; ") + " }"
}

// constraints returns the parts of an interface that limit its types. The methods of other interfaces that it embeds
// are among its own.
func (w typeWriter) constraints(of *types.Interface) []string {
	var all []string
	for embedded := range of.EmbeddedTypes() {
		if i, ok := embedded.Underlying().(*types.Interface); !ok || i.IsComparable() {
			all = append(all, w.text(embedded))
		}
	}
	return all
}

// relative returns the path of a package in the files of docs/api: packages of this module have their directory.
func relative(of string) string {
	return path.Clean(strings.TrimPrefix(of, module+"/"))
}
