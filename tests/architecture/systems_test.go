package architecture_test

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The library, the command and the plugin run on all systems of a release (.goreleaser.yaml). A file whose
// name ends in _linux.go or _windows.go is not built on other systems: for these, another file with the same
// beginning of its name has the same functions.
func TestEveryFileIsBuiltOnEverySystem(t *testing.T) {
	t.Parallel()
	watch(t)
	files := 0
	built := map[string]map[string]bool{} // on which systems the files with the same beginning are built
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		switch relative, _ := filepath.Rel(root, path); {
		case relative == ".":
			return nil
		// The lab and its tests need Linux.
		case entry.IsDir() && (relative == filepath.Join("internal", "lab") || relative == "tests" ||
			name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		for _, system := range []string{"linux", "darwin", "windows"} {
			context := build.Default
			context.GOOS, context.BuildTags = system, []string{"sdk"} // the tag of internal/azuresim
			is, err := context.MatchFile(filepath.Dir(path), name)
			if err != nil {
				return err
			}
			beginning := strings.TrimSuffix(path, ".go")
			for _, suffix := range []string{"_linux", "_windows", "_unix", "_other"} {
				beginning = strings.TrimSuffix(beginning, suffix)
			}
			if built[beginning] == nil {
				built[beginning] = map[string]bool{}
			}
			built[beginning][system] = built[beginning][system] || is
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for beginning, systems := range built {
		for system, is := range systems {
			if !is {
				t.Errorf("%s*.go: is not built for %s: rename the file, or add one for it", beginning, system)
			}
		}
	}
	if files < 500 {
		t.Errorf("looked at %d files, want at least 500", files)
	}
}
