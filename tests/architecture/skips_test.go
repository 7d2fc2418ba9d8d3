package architecture_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// skipMessage matches the message of a skipped test: what the machine lacks and how to get it, or the command that runs
// the test. With a verb, the value has the rest. tests/cmd/stages lists the messages.
var skipMessage = regexp.MustCompile(`^(needs .+: .|needs .*(%v|%s)|needs $|only with .)`)

func TestSkippedTestsNameTheirNeeds(t *testing.T) {
	t.Parallel()
	calls := 0
	eachFile(t, ".go", func(path string, _ *token.FileSet, file *ast.File) {
		found, wrong := skips(file)
		calls += found
		for _, message := range wrong {
			t.Errorf("%s: %s", path, message)
		}
	})
	if calls < 50 {
		t.Errorf("%d skipped tests are found, want more", calls)
	}
}

func TestASkippedTestWithoutItsNeedsIsFound(t *testing.T) {
	t.Parallel()
	const text = `package a
import "testing"
func Test(t *testing.T) {
	t.Skip("needs nft: apt-get install nftables")
	t.Skipf("needs %v", err)
	t.Skip("needs " + reason)
	t.Skip("only with make soak")
	t.Skip()
	t.SkipNow()
	t.Skip(err)
	t.Skip("needs nft")
	t.Skip("only with ")
	t.Skipf("left out: %v", err)
	other.Skip("a part")
}
`
	file, err := parser.ParseFile(token.NewFileSet(), "a_test.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	const fix = `begin with "needs ", what is missing, ": " and how to get it, or with "only with " and a command`
	found, got := skips(file)
	want := []string{
		"Skip(): " + fix, "SkipNow(): " + fix, "Skip(err): " + fix, `Skip("needs nft"): ` + fix,
		`Skip("only with "): ` + fix, `Skipf("left out: %v"): ` + fix,
	}
	if diff := cmp.Diff(want, got); diff != "" || found != 10 {
		t.Errorf("%d calls (-want +got):\n%s", found, diff)
	}
	file.Imports[0].Path.Value = `"other"`
	if found, got := skips(file); found != 0 || len(got) != 0 {
		t.Errorf("without the package testing: %d, %q", found, got)
	}
}

// skips returns how many tests a file skips, and the calls with another message than the convention's.
func skips(file *ast.File) (found int, wrong []string) {
	tests := false
	for _, spec := range file.Imports {
		tests = tests || spec.Path.Value == `"testing"`
	}
	if !tests {
		return 0, nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if on, ok := method.X.(*ast.Ident); !ok || !slices.Contains([]string{"t", "b", "tb", "f"}, on.Name) {
			return true
		}
		switch method.Sel.Name {
		case "Skip", "Skipf", "SkipNow":
		default:
			return true
		}
		found++
		message, shown := "", ""
		if len(call.Args) > 0 {
			message, shown = firstText(call.Args[0])
		}
		if !skipMessage.MatchString(message) {
			wrong = append(wrong, fmt.Sprintf(`%s(%s): begin with "needs ", what is missing, ": " and how to get it, `+
				`or with "only with " and a command`, method.Sel.Name, shown))
		}
		return true
	})
	return found, wrong
}

// firstText returns the text with which an expression begins, and how to show the expression.
func firstText(e ast.Expr) (text, shown string) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return firstText(e.X)
	case *ast.BasicLit:
		text, _ = strconv.Unquote(e.Value)
		return text, e.Value
	case *ast.Ident:
		return "", e.Name
	default:
		return "", "…"
	}
}
