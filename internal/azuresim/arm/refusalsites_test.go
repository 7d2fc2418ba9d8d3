package arm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// site is a place in the code that creates a refusal.
type site struct {
	file, function string
	// code and text are those of the answer. The parts that depend on the request are "…".
	code, text string
}

var parameter = regexp.MustCompile(`^The value of parameter (.*) is invalid\. Error details: (.*)\. Please see .*$`)

// short returns the text without the words that are in each answer to an invalid parameter.
func (s site) short() string { return parameter.ReplaceAllString(s.text, "$1: $2") }

// key names a site in the classification.
func (s site) key() string { return s.function + ": " + s.short() }

// matches reports whether an error may be from the site.
func (s site) matches(e *Error) bool {
	pattern := func(text string) *regexp.Regexp {
		return regexp.MustCompile("(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(text), "…", ".*") + "$")
	}
	return pattern(s.code).MatchString(e.Code) && pattern(s.text).MatchString(e.Message)
}

// constructor describes a function that creates a refusal from its arguments: the code, or the index of the argument
// that is the code, and the text, in which {n} is the argument n.
type constructor struct {
	code    string
	codeArg int
	text    string
}

const valueIsInvalid = "The value of parameter {0} is invalid. Error details: {1}. Please see " +
	"https://aka.ms/aks-naming-rules for more details."

// constructors are by name. A function that creates a refusal and is not among them is a site itself.
var constructors = map[string]constructor{
	"refused": {codeArg: 0, text: "{2}"}, "notFound": {codeArg: 0, text: "{1}"}, "conflict": {codeArg: 0, text: "{1}"},
	"broken": {codeArg: 0, text: "{1}"}, "operationFailed": {codeArg: 0, text: "{1}"},
	"notAllowed":       {code: "OperationNotAllowed", text: "{0}"},
	"invalidParameter": {code: "InvalidParameter", text: valueIsInvalid},
	"invalid": {code: "InvalidParameter", text: strings.Replace(valueIsInvalid, "{0}",
		"agentPoolProfile.{0}", 1)},
	"missingParameter": {code: "InvalidParameter", text: "Required parameter {0} is missing (null)."},
	"changed":          {code: "PropertyChangeNotAllowed", text: "Changing property '{0}' is not allowed."},
	"invalidContent": {code: "InvalidRequestContent", text: "The request content was invalid and could not be " +
		"deserialized: '{1}…"},
	"badFormat":        {code: "InvalidRequestFormat", text: "Cannot parse the request: {0}"},
	"badAdmin":         {code: "WindowsProfileUsernameInvalid", text: "Invalid adminUsername. Error: {0}…"},
	"badNodePassword":  {code: "WindowsProfilePasswordInvalid", text: "Invalid adminPassword. Error: {0}…"},
	"nullParameter":    {code: "InvalidParameter", text: "Required parameter '{0}' is missing (null)."},
	"badParameter":     {code: "InvalidParameter", text: "The value of parameter {0} is invalid."},
	"changeNotAllowed": {code: "PropertyChangeNotAllowed", text: "Changing property '{0}' is not allowed."},
	"notUnderstood":    {code: "NotSimulated", text: "…"}, "notSimulated": {code: "NotSimulated", text: "{1}…"},
}

// sites returns all places of the package that create a refusal, in the order of their files.
func sites(t *testing.T) []site {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []site
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			if _, known := constructors[function.Name.Name]; known {
				continue
			}
			all = append(all, sitesOf(name, function)...)
		}
	}
	return all
}

// sitesOf returns the sites of a function. A function inside of it that takes a format is a constructor.
func sitesOf(file string, function *ast.FuncDecl) []site {
	local := map[string]constructor{}
	within := map[ast.Node]bool{} // the bodies of such functions
	ast.Inspect(function.Body, func(n ast.Node) bool {
		assigned, ok := n.(*ast.AssignStmt)
		if !ok || len(assigned.Rhs) != 1 {
			return true
		}
		literal, ok := assigned.Rhs[0].(*ast.FuncLit)
		if !ok || !takesFormat(literal.Type) {
			return true
		}
		for _, inner := range calls(literal.Body) {
			name := calleeOf(inner)
			if c, known := constructors[name]; known {
				s := c.site(inner.Args)
				text := s.text[:strings.LastIndex(s.text, "…")] + "{0}"
				local[assigned.Lhs[0].(*ast.Ident).Name] = constructor{code: s.code, text: text}
				within[literal] = true
			}
		}
		return true
	})
	var found []site
	ast.Inspect(function.Body, func(n ast.Node) bool {
		if within[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			c, known := local[calleeOf(n)]
			if !known {
				c, known = constructors[calleeOf(n)]
			}
			if known {
				s := c.site(n.Args)
				s.file, s.function = file, function.Name.Name
				found = append(found, s)
			}
		case *ast.CompositeLit:
			if name, ok := n.Type.(*ast.Ident); ok && name.Name == "Error" {
				s := site{file: file, function: function.Name.Name, code: "…", text: "…"}
				for _, element := range n.Elts {
					field := element.(*ast.KeyValueExpr)
					switch field.Key.(*ast.Ident).Name {
					case "Code":
						s.code = shown(field.Value)
					case "Message":
						s.text = shown(field.Value)
					}
				}
				found = append(found, s)
			}
		}
		return true
	})
	return found
}

func takesFormat(t *ast.FuncType) bool {
	last := t.Params.List[len(t.Params.List)-1]
	_, variadic := last.Type.(*ast.Ellipsis)
	return variadic
}

func calls(body ast.Node) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = append(found, call)
		}
		return true
	})
	return found
}

// calleeOf returns the name of a function of the package or of a method of a variable.
func calleeOf(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok && len(of.Name) == 1 {
			return f.Sel.Name
		}
	}
	return ""
}

func (c constructor) site(args []ast.Expr) site {
	code, text := c.code, c.text
	if code == "" {
		code = shown(args[c.codeArg])
	}
	for i, arg := range args {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", shown(arg))
	}
	return site{code: code, text: text}
}

var verb = regexp.MustCompile(`%(\[\d+\])?[.\d]*[a-z]`)

// shown returns the text of an expression, with "…" for the parts that depend on the request.
func shown(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return e.Value
		}
		return strings.ReplaceAll(verb.ReplaceAllString(text, "…"), "%%", "%")
	case *ast.BinaryExpr:
		return shown(e.X) + shown(e.Y)
	case *ast.ParenExpr:
		return shown(e.X)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return shown(e.Args[0])
		}
	}
	return "…"
}

func TestSitesAreReadFromTheCode(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "", `package arm
func checkThing(p poolUnderTest) error {
	refuse := func(format string, args ...any) error {
		return refused("BadThing", "thing", "The thing '%s' is bad: %s", p.name, fmt.Sprintf(format, args...))
	}
	if p.small() {
		return refuse("it has %d" + " parts", 3)
	}
	return &Error{Status: 1, Code: "Other", Message: fmt.Sprintf("%v is 100%%", p)}
}
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	got := sitesOf("f.go", file.Decls[0].(*ast.FuncDecl))
	want := []site{
		{"f.go", "checkThing", "BadThing", "The thing '…' is bad: it has … parts"},
		{"f.go", "checkThing", "Other", "… is 100%"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for _, s := range sites(t) {
		if s.text == "" || s.code == "" {
			t.Errorf("not understood: %+v", s)
		}
	}
}
