package examples_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// highlighted are the names of the languages in pages, by the extensions of files.
var highlighted = map[string]string{".go": "go", ".ts": "typescript", ".py": "python", ".yaml": "yaml"}

// tabs are the languages of a program, in the order of their tabs, with their files.
var tabs = []struct{ language, file string }{
	{"Go", "main.go"},
	{"TypeScript", "typescript/" + mainFiles["typescript"]},
	{"Python", "python/" + mainFiles["python"]},
	{"YAML", "yaml/" + mainFiles["yaml"]},
}

// beginTabs and endTabs are invisible on GitHub. The site of the documentation turns the text between them into tabs.
const beginTabs, endTabs = "<!-- tabs -->\n", "<!-- /tabs -->\n"

// generated matches the comment above a block or tabs that TestGeneratedPages writes: its indentation, whether the page
// itself has the tab for Go, and the path of a file or of a directory with a program in several languages, of which the
// page may show a region.
var generated = regexp.MustCompile("^( *)<!-- Written by `make generate`(, except for Go)?: " +
	"edit ((?:examples|tests/languages)/[^ #]+)(?:#([a-z-]+))? instead\\. -->\n$")

// TestGeneratedPages writes programs into the pages with -update, each below a comment that names it. Outside of them,
// pages have no tabs and no programs, which would be manual copies.
func TestGeneratedPages(t *testing.T) {
	t.Parallel()
	written := 0
	for _, page := range pages(t) {
		lines := strings.SplitAfter(read(t, page), "\n")
		var text, manual strings.Builder
		for i := 0; i < len(lines); i++ {
			text.WriteString(lines[i])
			manual.WriteString(lines[i])
			m := generated.FindStringSubmatch(lines[i])
			if m == nil {
				continue
			}
			written++
			p := pageProgram{indent: m[1], exceptGo: m[2] != "", path: m[3], region: m[4]}
			begin, end := p.fences()
			after := slices.Index(lines[i+1:], p.indent+end)
			if lines[i+1] != p.indent+begin || after < 0 {
				t.Fatalf("%s:%d: %q and %q must follow", page, i+1, begin, end)
			}
			text.WriteString(p.code(t, lines[i+1:i+1+after]))
			i += 1 + after
		}
		golden.Equal(t, page, text.String())
		for _, mark := range []string{beginTabs, "\nfunc main() { pulumi.Run(program) }\n"} {
			if strings.Contains(manual.String(), mark) {
				t.Errorf("%s has %q without a comment that names the program", page, mark)
			}
		}
	}
	if written < 15 {
		t.Errorf("the pages show only %d programs", written)
	}
}

// pageProgram is a program in a page.
type pageProgram struct {
	indent, path, region string
	exceptGo             bool
}

// fences returns the lines between which the page has the program.
func (s pageProgram) fences() (begin, end string) {
	if extension := filepath.Ext(s.path); extension != "" {
		return "```" + highlighted[extension] + "\n", "```\n"
	}
	return beginTabs, endTabs
}

// code returns the program as in the page, with the fences: a block for a file, or a tab for each language in which a
// directory has the program, or the region of it. old are the lines that the page has.
func (s pageProgram) code(t *testing.T, old []string) string {
	t.Helper()
	if filepath.Ext(s.path) != "" {
		return s.indented(block(s.path, s.part(t, "../"+s.path)))
	}
	var all []string
	for _, tab := range tabs {
		code := ""
		if tab.language == "Go" && s.exceptGo {
			begin, end := slices.Index(old, s.indent+"```go\n"), slices.Index(old, s.indent+"```\n")
			if begin < 0 || end < begin {
				t.Fatalf("%s#%s: the page has no block of Go", s.path, s.region)
			}
			code = strings.Join(old[begin:end+1], "")
		} else if part := s.part(t, "../"+s.path+"/"+tab.file); part != "" {
			code = s.indented(block(tab.file, part))
		}
		if code != "" {
			all = append(all, s.indented("**"+tab.language+"**\n\n")+code)
		}
	}
	if len(all) < 2 {
		t.Errorf("%s#%s is in %d languages", s.path, s.region, len(all))
	}
	return s.indented(beginTabs) + "\n" + strings.Join(all, "\n") + "\n" + s.indented(endTabs)
}

// block returns code between the fences of its language.
func block(file, code string) string {
	return "```" + highlighted[filepath.Ext(file)] + "\n" + code + "```\n"
}

// regions matches the comments that begin and end a region, as editors fold them.
var regions = regexp.MustCompile(`(?m)^[ \t]*(?://|#) #?(?:end)?region .*\n`)

// omitted matches a region inside of another one that pages leave out.
var omitted = regexp.MustCompile(`(?ms)^([ \t]*)(//|#) #?region omitted\n.*?endregion omitted\n`)

// part returns the region of a file without its indentation, or the whole file. A program can be without the region, and
// does not have to be in all languages then.
func (s pageProgram) part(t *testing.T, file string) string {
	t.Helper()
	if s.region == "" {
		return read(t, file)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	text := read(t, file)
	mark := func(word string) *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*(?://|#) #?` + word + ` ` + s.region + `\n`)
	}
	begin, end := mark("region").FindStringIndex(text), mark("endregion").FindStringIndex(text)
	if begin == nil {
		return ""
	}
	if end == nil || end[0] < begin[1] {
		t.Fatalf("%s: the region %s does not end", file, s.region)
	}
	part := omitted.ReplaceAllString(text[begin[1]:end[0]], "$1$2 ...\n")
	part = regions.ReplaceAllString(part, "")
	indent := part[:len(part)-len(strings.TrimLeft(part, " "))]
	var lines strings.Builder
	for line := range strings.Lines(part) {
		lines.WriteString(strings.TrimPrefix(line, indent))
	}
	return strings.TrimRight(lines.String(), "\n") + "\n"
}

// indented returns a text with the indentation of the page, as in a list.
func (s pageProgram) indented(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = s.indent + line
		}
		lines.WriteString(line)
	}
	return lines.String()
}

// pages returns README.md and the pages of docs.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../docs/*.md")
	if err != nil || len(found) < 30 {
		t.Fatalf("there are %d pages: %v", len(found), err)
	}
	return append(found, "../README.md")
}

// The README must be short: everything else is on a page of docs.
func TestTheREADMEIsShort(t *testing.T) {
	t.Parallel()
	const limit = 150
	if got := strings.Count(read(t, "../README.md"), "\n"); got > limit {
		t.Errorf("README.md has %d lines, and at most %d are allowed: move the rest to docs", got, limit)
	}
}

// The lines of Go that pages add to a program must be lines of an example.
func TestPagesShowHowAnExampleIsGuarded(t *testing.T) {
	t.Parallel()
	program := read(t, "tested-shop/main.go")
	for _, page := range []string{"README.md", "docs/guard.md"} {
		_, rest, begins := strings.Cut(read(t, "../"+page), "```diff\n")
		difference, _, ends := strings.Cut(rest, "```\n")
		if !begins || !ends {
			t.Fatalf("%s shows no difference", page)
		}
		added := 0
		for line := range strings.Lines(difference) {
			line, ok := strings.CutPrefix(line, "+")
			if !ok {
				continue
			}
			added++
			if !strings.Contains(program, "\n"+line) {
				t.Errorf("%s: examples/tested-shop/main.go has no line %q", page, line)
			}
		}
		if added != 4 {
			t.Errorf("%s adds %d lines, want 4", page, added)
		}
	}
}

// The page of the workloads lists each example, and that of the lab each workload of the stacks.
func TestThePagesListTheExamples(t *testing.T) {
	t.Parallel()
	page := read(t, "../docs/workloads.md")
	for _, name := range projects(t) {
		if !strings.Contains(page, "| ["+name+"](../examples/"+name+") |") {
			t.Errorf("docs/workloads.md does not list examples/%s", name)
		}
	}
	lab := read(t, "../docs/lab.md")
	for _, w := range stackconfig.Workloads() {
		if !strings.Contains(lab, "| `"+string(w)+"` |") {
			t.Errorf("docs/lab.md does not name the workload %s of the stacks", w)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
