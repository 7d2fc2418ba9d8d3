package schemas

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// comments are the comments of fields, by package, type and name.
type comments map[string]string

// readComments reads the packages with the types of the files that people write.
func readComments(t *testing.T) comments {
	t.Helper()
	c := comments{}
	for _, top := range []string{"core", "machines", "components", "internal/cli", "stacks/stackconfig"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(file string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == "testdata" {
				return fs.SkipDir
			}
			if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil,
				parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg, err := filepath.Rel(root, filepath.Dir(file))
			c.read(parsed, path.Join("github.com/mixedkube/mixedkube", filepath.ToSlash(pkg)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c comments) read(file *ast.File, pkg string) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				for _, name := range f.Names {
					c[pkg+"."+spec.Name.Name+"."+name.Name] = f.Doc.Text()
				}
			}
		}
		return false
	})
}

// link is a link of a comment.
var link = regexp.MustCompile(`\[([\w.]+)\]`)

// of returns the comment of a field in one line, with the key instead of the field's name, and without links.
func (c comments) of(owner reflect.Type, f reflect.StructField) string {
	text := strings.Join(strings.Fields(c[owner.PkgPath()+"."+owner.Name()+"."+f.Name]), " ")
	if rest, ok := strings.CutPrefix(text, f.Name+" "); ok {
		text = tree.Key(f) + " " + rest
	}
	return link.ReplaceAllString(text, "$1")
}
