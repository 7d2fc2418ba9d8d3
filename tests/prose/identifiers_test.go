package prose_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// glossary is the page with a table of terms below the heading Glossary. Its last column has the private words.
const glossary = "CONTRIBUTING.md"

const mostTerms, mostPrivateWords = 30, 25

func TestNamesAreWordsOfTheField(t *testing.T) {
	t.Parallel()
	private := privateWords(t)
	var hits []hit
	for name, source := range tracked(t) {
		if path.Ext(name) == ".go" {
			hits = append(hits, privateNames(t, name, source, private)...)
		}
	}
	report(t, hits)
}

// privateWords returns the words that the glossary replaces, each with its term.
func privateWords(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(glossary)))
	if err != nil {
		t.Fatal(err)
	}
	words, terms := map[string]string{}, 0
	span := regexp.MustCompile("`([a-z]+)`")
	_, section, _ := strings.Cut(string(page), "\n## Glossary\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || strings.HasPrefix(cells[0], "-") || strings.TrimSpace(cells[0]) == "term" {
			continue
		}
		terms++
		for _, word := range span.FindAllStringSubmatch(cells[3], -1) {
			words[word[1]] = strings.TrimSpace(cells[0])
		}
	}
	if terms == 0 || terms > mostTerms || len(words) > mostPrivateWords {
		t.Errorf("%s: has %d terms, want 1 to %d, and %d private words, want at most %d",
			glossary, terms, mostTerms, len(words), mostPrivateWords)
	}
	return words
}

// privateNames returns the declared names of a file that contain a private word, each name once.
func privateNames(t *testing.T, file string, source []byte, private map[string]string) []hit {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	first := map[string]hit{}
	for _, name := range declared(parsed) {
		for _, word := range camel(name.Name) {
			instead, ok := private[word]
			if _, seen := first[name.Name]; !ok || seen {
				continue
			}
			first[name.Name] = hit{
				file, files.Position(name.Pos()).Line, name.Name, fmt.Sprintf("private word %q", word), instead,
			}
		}
	}
	return slices.Collect(maps.Values(first))
}

// declared returns the names of types, functions, methods, fields, parameters, constants and variables.
func declared(file *ast.File) []*ast.Ident {
	if ast.IsGenerated(file) {
		return nil
	}
	var names []*ast.Ident
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if name, ok := e.(*ast.Ident); ok && name.Name != "_" {
				names = append(names, name)
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			add(node.Name)
		case *ast.TypeSpec:
			add(node.Name)
		case *ast.ValueSpec:
			names = append(names, node.Names...)
		case *ast.Field:
			names = append(names, node.Names...)
		case *ast.AssignStmt:
			if node.Tok == token.DEFINE {
				add(node.Lhs...)
			}
		case *ast.RangeStmt:
			if node.Tok == token.DEFINE {
				add(node.Key, node.Value)
			}
		}
		return true
	})
	return names
}

var part = regexp.MustCompile(`[A-Z]+[0-9]*\b|[A-Z]?[a-z0-9]+|[A-Z]+`)

// camel returns the words of a name, in lower case.
func camel(name string) []string {
	words := part.FindAllString(name, -1)
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

func TestPrivateNames(t *testing.T) {
	t.Parallel()
	const source = `package p
type Gone struct { Kept, Size int }
func (g Gone) isThere(given string) (said error) {
	there, err := g.find(given)
	for wanted := range there {}
	var halfOpen, therefore int
	return err
}
func TestWhatAzureSaid(t *testing.T) {}
`
	private := map[string]string{
		"gone": "deleted", "kept": "retained", "there": "existing", "said": "message",
		"given": "input", "wanted": "desired", "half": "partial",
	}
	var got []string
	for _, h := range privateNames(t, "p.go", []byte(source), private) {
		got = append(got, h.String())
	}
	slices.Sort(got)
	want := []string{
		`p.go:2: "Gone": private word "gone": write deleted`,
		`p.go:2: "Kept": private word "kept": write retained`,
		`p.go:3: "given": private word "given": write input`,
		`p.go:3: "isThere": private word "there": write existing`,
		`p.go:3: "said": private word "said": write message`,
		`p.go:4: "there": private word "there": write existing`,
		`p.go:5: "wanted": private word "wanted": write desired`,
		`p.go:6: "halfOpen": private word "half": write partial`,
		`p.go:9: "TestWhatAzureSaid": private word "said": write message`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
