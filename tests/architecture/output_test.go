package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unescaped are the calls that print without an escape, and why.
var unescaped = map[string]string{
	"internal/cli/line.go: fmt.Fprintln(w, escape.Line(text))":                            "for all the others",
	"internal/cli/line.go: fmt.Fprint(w, escape.Lines(text))":                             "for all the others",
	"internal/cli/line.go: io.WriteString(w, escape.Commands(text))":                      "for all the others",
	"internal/cli/line.go: w.Write(data)":                                                 "data for programs",
	"internal/cli/timeout.go: g.w.Write(p)":                                               "what line.go has written",
	"internal/cli/check.go: userfiles.Write(c.baseline, encode)":                          "a file",
	"internal/cli/images_lock.go: userfiles.Write(l.file, lock.Encode)":                   "a file",
	"internal/cli/helm.go: w.Write([]string{…})":                                          "an argument of helm",
	"internal/cli/sources/program.go: l.text.Write(taken)":                                "in memory",
	"internal/policy/serve.go: fmt.Fprintln(stdout, listener.Addr().(*net.TCPAddr).Port)": "a number",
	"core/report/json.go: io.WriteString(w, escape.JSON(text.String()))":                  "it is escaped",

	`core/report/junit.go: io.WriteString(w, xml.Header + escape.XML(string(text)) + "\n")`: "" +
		"it is escaped",
	"components/guard/run.go: fmt.Fprintln(os.Stderr, escape.Lines(failure.Error()))": "it is escaped",
	"components/guard/internal/watch/alone.go: a.ctx.Log.Warn(errOldEngine.Error())":  "a constant",
	"components/gmsa/webhook.go: ctx.Log.Warn(needsCertManager)":                      "a constant",
}

// Terminals and agents of CI services read all output: what a command prints goes through line.go, and what a component
// or the policy pack says through package escape.
func TestOutputIsEscaped(t *testing.T) {
	t.Parallel()
	watch(t)
	found := map[string]bool{}
	dirs := slices.Concat(publicFloors, []string{"internal/cli", "internal/policy", "internal/components"})
	sourcesBelow(t, root, dirs, func(path string, file *ast.File) {
		prints := strings.HasPrefix(path, "internal/") || strings.HasPrefix(path, "core/report/")
		for _, call := range printing(file, prints) {
			found[path+": "+call] = true
		}
	})
	for call := range found {
		if unescaped[call] == "" {
			t.Errorf("%s prints without an escape: use the functions of line.go, or package escape", call)
		}
	}
	for call := range unescaped {
		if !found[call] {
			t.Errorf("%s: there is no such call: remove the exception", call)
		}
	}
}

// printing returns the calls of a file that may write to a terminal or a log, except messages of Pulumi that are
// escaped. In a package that prints, a writer may be standard output; in others, only the standard streams themselves
// count.
func printing(file *ast.File, prints bool) (found []string) {
	inMemory := memory(file)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		function, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		of, name, shown := types.ExprString(function.X), function.Sel.Name, types.ExprString(call)
		first := types.ExprString(call.Args[0])
		switch {
		case of == "fmt" && strings.HasPrefix(name, "Fprint"), of == "io" && name == "WriteString":
			standard := strings.HasPrefix(first, "os.Std")
			if standard || prints && !slices.Contains(inMemory, strings.TrimPrefix(first, "&")) {
				found = append(found, shown)
			}
		case of == "fmt" && strings.HasPrefix(name, "Print"):
			found = append(found, shown)
		case name == "Write" && prints && !slices.Contains(inMemory, of):
			found = append(found, shown)
		case strings.HasSuffix(of, ".Log") && slices.Contains([]string{"Debug", "Info", "Warn", "Error"}, name):
			if !strings.HasPrefix(first, "escape.Lines(") {
				found = append(found, of+"."+name+"("+first+")")
			}
		}
		return true
	})
	return found
}

// memory returns the names of the variables of a file that collect a text.
func memory(file *ast.File) (names []string) {
	collects := func(typ ast.Expr) bool {
		shown := types.ExprString(typ)
		return shown == "strings.Builder" || shown == "bytes.Buffer"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n, ok := n.(*ast.ValueSpec); ok && n.Type != nil && collects(n.Type) {
			for _, name := range n.Names {
				names = append(names, name.Name)
			}
		}
		return true
	})
	return names
}

func TestPrintingIsFound(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p
func f(w io.Writer, name string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", name)
	b.WriteString(name)
	fmt.Fprintf(w, "%s", name)
	fmt.Println(name)
	io.WriteString(w, name)
	w.Write([]byte(name))
	ctx.Log.Warn(name, nil)
	ctx.Log.Warn(escape.Lines(name), nil)
}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`fmt.Fprintf(w, "%s", name)`, "fmt.Println(name)", "io.WriteString(w, name)", "w.Write([]byte(name))",
		"ctx.Log.Warn(name)",
	}
	if diff := cmp.Diff(want, printing(file, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
