package prose_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/prose"
)

const root = "../.."

var dir = flag.String("dir", "", "look only below this directory, such as internal/lab")

// compiled is a pattern with its compiled expressions.
type compiled struct {
	pattern
	find, except *regexp.Regexp
	needles      []string
}

func compile(p pattern) compiled {
	short := strings.NewReplacer("START", `(?:^|[.:;!?)] )`, "BE", `\b(?:is|are|was|were|be|been|being)`)
	expression := short.Replace(p.find)
	c := compiled{pattern: p, find: regexp.MustCompile(expression), needles: needles(expression)}
	if p.except != "" {
		c.except = regexp.MustCompile(short.Replace(p.except))
	}
	return c
}

// in returns the begin and the end of each phrase in a text.
func (c compiled) in(text string) [][]int {
	if !containsAny(text, c.needles) {
		return nil
	}
	hits := c.find.FindAllStringIndex(text, -1)
	if hits == nil || c.except == nil {
		return hits
	}
	exceptions := c.except.FindAllStringIndex(text, -1)
	return slices.DeleteFunc(hits, func(hit []int) bool {
		return slices.ContainsFunc(exceptions, func(e []int) bool { return e[0] < hit[1] && hit[0] < e[1] })
	})
}

// hit is a phrase or a name that has to be replaced.
type hit struct {
	path                 string
	line                 int
	words, name, instead string
}

func (h hit) String() string {
	return fmt.Sprintf("%s:%d: %q: %s: write %s", h.path, h.line, h.words, h.name, h.instead)
}

func TestProseIsPlainEnglish(t *testing.T) {
	t.Parallel()
	all := make([]compiled, 0, len(patterns))
	for _, p := range patterns {
		all = append(all, compile(p))
	}
	var hits []hit
	for name, source := range tracked(t) {
		units, err := prose.Find(name, source)
		if err != nil {
			t.Error(err)
		}
		for _, u := range units {
			hits = append(hits, hitsIn(u, all)...)
		}
	}
	report(t, hits)
}

func hitsIn(u prose.Unit, all []compiled) []hit {
	var hits []hit
	for _, p := range all {
		if u.Heading && strings.HasPrefix(p.find.String(), "(?:^") {
			continue // a heading may begin with What or Who
		}
		for _, at := range p.in(u.Masked) {
			from := at[0] + len(u.Masked[at[0]:at[1]]) - len(strings.TrimLeft(u.Masked[at[0]:at[1]], ".:;!?) "))
			to := min(len(u.Text), max(at[1], from+30), from+60)
			hits = append(hits, hit{u.Path, u.Line(from), strings.ToValidUTF8(u.Text[from:to], ""), p.name, p.write})
		}
	}
	return hits
}

// tracked returns the files whose prose is written by hand. It leaves out testdata, which follows from
// other files, and the tables of this package, which have the phrases as examples.
func tracked(t *testing.T) map[string][]byte {
	t.Helper()
	out, err := exec.Command("git", "-C", root, "ls-files", "-z", "--", *dir).Output()
	if *dir == "" {
		out, err = exec.Command("git", "-C", root, "ls-files", "-z").Output()
	}
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		isTable, _ := path.Match("tests/prose/patterns*_test.go", name)
		if isTable || name == "tests/prose/review_test.go" ||
			strings.Contains(name, "testdata/") && path.Base(name) != "introduction.md" {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if os.IsNotExist(err) { // deleted, and not committed yet
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Ext(name) == ".md" && bytes.Contains(source[:min(len(source), 300)], []byte("`make generate`")) {
			continue
		}
		files[name] = source
	}
	if len(files) == 0 {
		t.Fatalf("no file below %q", *dir)
	}
	return files
}

// report fails the test if there are hits. It prints them, and their number by pattern and by directory.
func report(t *testing.T, hits []hit) {
	t.Helper()
	if len(hits) == 0 {
		return
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.name, b.name))
	})
	byName, byDir := map[string]int{}, map[string]int{}
	var text strings.Builder
	for _, h := range hits {
		fmt.Fprintln(&text, h)
		byName[h.name]++
		byDir[area(h.path)]++
	}
	for _, counts := range []map[string]int{byName, byDir} {
		text.WriteByte('\n')
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&text, "%6d %s\n", counts[key], key)
		}
	}
	t.Errorf("%d hits:\n%s", len(hits), text.String())
}

// area returns the first part of a path, or the first two in the large directories.
func area(name string) string {
	parts := strings.Split(path.Dir(name), "/")
	depth := 1
	if slices.Contains([]string{"components", "core", "internal", "machines", "system", "tests"}, parts[0]) {
		depth = 2
	}
	return strings.Join(parts[:min(depth, len(parts))], "/")
}
