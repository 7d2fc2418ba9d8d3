package pages

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

// omission is the line of a block that stands for lines of the program.
const omission = "// ..."

// TestGoBlocksAreCode looks for the Go code of README.md and docs in the programs that tests compile and run: examples,
// tests and the programs of the tests of components. Indentation and alignment may differ.
func TestGoBlocksAreCode(t *testing.T) {
	t.Parallel()
	programs := map[string][]string{}
	for _, file := range files(t, ".go") {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "examples/") ||
			!strings.HasPrefix(file, "internal/") && strings.Contains(file, "/testdata/") {
			programs[file] = normalized(strings.Split(read(t, root, file), "\n"))
		}
	}
	blocks := map[string]int{}
	for _, page := range files(t, ".md") {
		if page != "README.md" && filepath.Dir(page) != "docs" {
			continue
		}
		for _, block := range markdown.Blocks(read(t, root, page)) {
			if block.Language != "go" {
				continue
			}
			blocks[page]++
			blocks["all"]++
			found := false
			for _, program := range programs {
				found = found || contains(program, normalized(block.Lines))
			}
			if !found {
				t.Errorf("%s:%d: no example and no test has this code:\n%s", page, block.Line, block.Code())
			}
		}
	}
	// Whole programs of the tests are on the two pages.
	for page, least := range map[string]int{"all": 50, "docs/existing-clusters.md": 7, "docs/moving.md": 6} {
		if blocks[page] < least {
			t.Errorf("%s: %d blocks of Go, want at least %d", page, blocks[page], least)
		}
	}
}

// normalized returns lines with single spaces between words, and none at the ends.
func normalized(lines []string) []string {
	var found []string
	for _, line := range lines {
		found = append(found, strings.Join(strings.Fields(line), " "))
	}
	return found
}

// contains reports whether a program has the lines of a block, one after the other except at omissions.
func contains(program, block []string) bool {
	for len(block) > 0 {
		piece := block
		if at := slices.Index(block, omission); at >= 0 {
			piece, block = block[:at], block[at+1:]
		} else {
			block = nil
		}
		at := 0
		for at+len(piece) <= len(program) && !slices.Equal(program[at:at+len(piece)], piece) {
			at++
		}
		if at+len(piece) > len(program) {
			return false
		}
		program = program[at+len(piece):]
	}
	return true
}

func TestContains(t *testing.T) {
	t.Parallel()
	program := normalized(strings.Split("a := 1\n\tb  := 2 // two\n\n\tc := 3\n\td := 4", "\n"))
	for block, want := range map[string]bool{
		"b := 2 // two\n\nc := 3":    true,
		"  a := 1\n  // ...\nd := 4": true,
		"// ...\nd := 4":             true,
		"a := 1\nc := 3":             false,
		"d := 4\n// ...\na := 1":     false,
		"d := 4\ne := 5":             false,
		"b := 2":                     false,
	} {
		if diff := cmp.Diff(want, contains(program, normalized(strings.Split(block, "\n")))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", block, diff)
		}
	}
}
