package rulepages

import (
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli"
)

// mostFiles is how many files may have a sentence of a rule, except its code and its page: its test, and a page with
// an output.
const mostFiles = 2

// TestSentencesCanChange finds the sentences of each rule, so that a change of one is a change of few files.
func TestSentencesCanChange(t *testing.T) {
	t.Parallel()
	sentences := ownSentences(explain(t))
	rules := map[string]bool{}
	for _, candidates := range sentences {
		for _, s := range candidates {
			rules[s.rule] = true
		}
	}
	if all := len(cli.Rules()); len(rules) < all*3/4 {
		t.Errorf("the sentences of %d of %d rules are known", len(rules), all)
	}
	files := map[string]map[string]string{}
	eachFile(t, func(name, text string) {
		for s := range sentences.in(text) {
			if files[s.rule] == nil {
				files[s.rule] = map[string]string{}
			}
			files[s.rule][name] = strings.TrimSpace(s.words)
		}
	})
	for id, in := range files {
		if len(in) <= mostFiles {
			continue
		}
		t.Errorf("%s: %d files have its sentence, except its code and its page, and at most %d are easy to change: "+
			"compare with ruletest.Brief or ruletest.WithoutSentences", id, len(in), mostFiles)
		for _, name := range slices.Sorted(maps.Keys(in)) {
			t.Logf("%s: %s: …%s…", id, name, in[name])
		}
	}
}

func TestSentencesInTexts(t *testing.T) {
	t.Parallel()
	all := index{
		" a b c d e ": {{"MK1", " a b c d e "}, {"MK2", " a b c d e f "}},
		" b c d e f ": {{"MK3", " b c d e f g "}},
	}
	for text, want := range map[string][]string{
		"a b c d e": {"MK1"}, "x a b c d e f": {"MK1", "MK2"}, "a b c d e f g": {"MK1", "MK2", "MK3"},
		"a b c d": nil, "": nil, "xa b c d e": nil, "a b c d ex": nil,
	} {
		var got []string
		for s := range all.in(words(text)) {
			got = append(got, s.rule)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has the sentences of %v, want %v", text, got, want)
		}
	}
}

// A sentence is found wherever it is wrapped, joined or escaped.
func TestWords(t *testing.T) {
	t.Parallel()
	const want = " windows supports only SIGKILL and SIGTERM "
	for _, text := range []string{
		`windows supports only "SIGKILL" and SIGTERM`, "`windows supports ` +\n\t`only SIGKILL and SIGTERM`",
		"\"windows sup\" +\n\t\"ports only SIGKILL and SIGTERM\"", "# windows supports only\n# SIGKILL\\nand SIGTERM",
		`windows supports only 2 SIGKILL and\u003cSIGTERM`,
	} {
		if got := words(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

var (
	// message is the text of a finding on a page.
	message = regexp.MustCompile(`^(?:error|warning|info): (.*) \(MK\d+\)$`)
	// value separates the parts of a sentence that are the same for all values: it matches values, paths, keys, and what
	// Kubernetes' own validation adds.
	value = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\d+|\S+[./[]\S+|(?:Invalid|Required|Duplicate|Unsupported) value|` +
		`(?:a (?:valid label|lowercase RFC) .*)?regex used for validation is`)
	// joined is where Go joins two constants.
	joined = regexp.MustCompile("[\"`]\\s*\\+\\s*[\"`]")
	// escaped is a character in JSON or Go that has letters.
	escaped = regexp.MustCompile(`\\(?:u[0-9a-f]{4}|[nrt])`)
	word    = regexp.MustCompile(`[A-Za-z]+`)
)

// sentence is a part of a finding that no other rule has, as words.
type sentence struct{ rule, words string }

// shortest is the length of the shortest sentence, in words: other files do not have it by chance.
const shortest = 5

// index has sentences by their first words.
type index map[string][]sentence

// ownSentences returns the sentences of rules in the findings of their examples.
func ownSentences(all []explained) index {
	rules := map[string][]string{}
	for _, r := range all {
		if r.Example == nil {
			continue
		}
		for _, finding := range r.Example.Findings {
			m := message.FindStringSubmatch(finding)
			if m == nil {
				continue
			}
			for _, part := range value.Split(m[1], -1) {
				if w := words(part); strings.Count(w, " ") > shortest && !slices.Contains(rules[w], r.ID) {
					rules[w] = append(rules[w], r.ID)
				}
			}
		}
	}
	own := index{}
	for text, ids := range rules {
		if len(ids) == 1 {
			first := text[:end(text, 0)]
			own[first] = append(own[first], sentence{ids[0], text})
		}
	}
	return own
}

// in yields the sentences that a text has, which are words.
func (x index) in(text string) iter.Seq[sentence] {
	return func(yield func(sentence) bool) {
		for at := 0; end(text, at) > 0; at += 1 + strings.IndexByte(text[at+1:], ' ') {
			for _, s := range x[text[at:end(text, at)]] {
				if strings.HasPrefix(text[at:], s.words) && !yield(s) {
					return
				}
			}
		}
	}
}

// end returns where the shortest sentence ends that begins at the space at, or 0 if the text ends before.
func end(text string, at int) int {
	for range shortest {
		next := strings.IndexByte(text[at+1:], ' ')
		if next < 0 {
			return 0
		}
		at += 1 + next
	}
	return at + 1
}

// words returns the words of a text, with a space around each.
func words(text string) string {
	text = escaped.ReplaceAllString(joined.ReplaceAllString(text, ""), " ")
	return " " + strings.Join(word.FindAllString(text, -1), " ") + " "
}

// eachFile calls a function with the words of each file that changes with a sentence: tests, what they compare, and
// pages with outputs.
func eachFile(t *testing.T, do func(name, text string)) {
	t.Helper()
	files := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules" ||
			name == "docs/rules" || name == "tests/pins"): // what earlier versions wrote stays
			return fs.SkipDir
		case entry.IsDir() || !changesWithSentences(name):
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		files++
		do(name, words(string(text)))
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files: %v", files, err)
	}
}

func changesWithSentences(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") ||
		path.Ext(name) == ".md" && name != "CHANGELOG.md"
}
