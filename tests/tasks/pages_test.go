package tasks

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

var (
	// cited matches a section that a script names, such as docs/ci.md, "GitHub Actions".
	cited = regexp.MustCompile(`([A-Za-z/-]+\.md), "([^"]+)"`)
	// used matches a command of mixedkube in a script, with its flags.
	used = regexp.MustCompile(`(?m)^\s*mixedkube ([a-z]+)(.*)$`)
	flag = regexp.MustCompile(`--[a-z][a-z-]*`)
	// searched matches the words that a script finds in a file that it was given.
	searched = regexp.MustCompile(`(?m)^grep '([^']+)' \w+\.txt$`)
)

// The pages contain the sections, commands, flags and words that each script uses.
func TestThePagesHaveWhatTheScriptsUse(t *testing.T) {
	t.Parallel()
	root := labtest.Checkout(t)
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for task := range machines {
		script := read(filepath.Join("testdata", task, "task.sh"))
		var pages strings.Builder
		sections := cited.FindAllStringSubmatch(script, -1)
		if len(sections) == 0 {
			t.Errorf("%s: names no section of a page", task)
		}
		for _, section := range sections {
			page := read(filepath.Join(root, filepath.FromSlash(section[1])))
			pages.WriteString(page)
			hasText := func(h markdown.Heading) bool { return h.Text == section[2] }
			if !slices.ContainsFunc(markdown.Headings(page), hasText) {
				t.Errorf("%s: %s has no section %q", task, section[1], section[2])
			}
		}
		var needed []string
		for _, command := range used.FindAllStringSubmatch(script, -1) {
			needed = append(needed, "mixedkube "+command[1])
			needed = append(needed, flag.FindAllString(command[2], -1)...)
		}
		for _, words := range searched.FindAllStringSubmatch(script, -1) {
			needed = append(needed, words[1])
		}
		for _, text := range needed {
			if !strings.Contains(pages.String(), text) {
				t.Errorf("%s: no page that the script names has %q", task, text)
			}
		}
	}
}
