package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// eachFile calls f for each Go file of all modules whose name has the suffix.
func eachFile(t *testing.T, suffix string, f func(path string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	watch(t)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root:
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, suffix):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err == nil {
			f(path, set, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
