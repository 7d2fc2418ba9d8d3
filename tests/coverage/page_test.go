package coverage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const head = `# What the documentation states, and where it is

These pages were read as lists: each limitation, number, version and date on them is a row in
[tests/coverage/testdata](../tests/coverage/testdata). The columns count what became of the rows: a rule reports it,
a table has it ([internal/core/facts](../internal/core/facts/doc.go)), the simulated Azure does it or leaves it out
([NOT_SIMULATED.md](../internal/azuresim/NOT_SIMULATED.md)), a page explains it, it does not concern clusters with
Linux and Windows nodes made by programs or no program shows it, or it is open. TestGeneratedPage writes this page; do
not edit it.

`

// columns are the keys of a row, and their headings.
var columns = []struct{ key, heading string }{
	{"rule", "rule"},
	{"fact", "fact"},
	{"sim", "simulated"},
	{"lab", "not simulated"},
	{"page", "page"},
	{"not", "not for mixed clusters, or not in a program"},
	{"open", "open"},
}

func TestGeneratedPage(t *testing.T) {
	t.Parallel()
	var page, table, open, contradictions strings.Builder
	total := map[string]int{}
	rows := 0
	all := sources(t)
	for _, s := range all {
		counts := map[string]int{}
		for _, r := range s.Rows {
			rows++
			for key := range r.fates() {
				counts[key]++
				total[key]++
			}
			if r.Open == "H" || r.Open == "M" {
				fmt.Fprintf(&open, "| %s | %s | %s |\n", s.link(r.Line), cell(r.States), r.Open)
			}
			if r.Against != "" {
				places, days := placesAndDays(r.Against, all)
				fmt.Fprintf(&contradictions, "| %s | %s | %s | %s | %s | %s | %s |\n",
					s.link(r.Line), s.day(r), cell(r.States), cell(places), days, r.Follows, cell(r.Do))
			}
		}
		fmt.Fprintf(&table, "| %s |%s\n", s.link(0), cells(counts))
	}
	page.WriteString(head)
	page.WriteString("| page |")
	for _, c := range columns {
		fmt.Fprintf(&page, " %s |", c.heading)
	}
	page.WriteString("\n|---|" + strings.Repeat("---:|", len(columns)) + "\n")
	fmt.Fprintf(&page, "| **all %d limitations** |%s\n", rows, cells(total))
	page.WriteString(table.String())
	page.WriteString("\n## Open\n\nLimitations that nothing has yet, except marginal ones.\n\n| page | states | " +
		"weight |\n|---|---|---|\n")
	page.WriteString(open.String())
	page.WriteString("\n## Contradictions\n\nTwo pages, or two places of one page, that do not agree. The day is the " +
		"one that a page has as its own, that of the\nrelease note, or that of the copy that was read. The project " +
		"follows this page, the other place, both, or neither, if it\nneeds no answer.\n\n" +
		"| page | day | states | the other place | its day | follows | what each states " +
		"|\n|---|---|---|---|---|---|---|\n")
	page.WriteString(contradictions.String())
	golden.Equal(t, root+"/docs/coverage.md", page.String())
}

// placesAndDays returns the places of a contradiction without their days, and the days.
func placesAndDays(against string, all []source) (places, days string) {
	var names, found []string
	for place := range strings.SplitSeq(against, "; ") {
		name, day := dayOf(place, all)
		names, found = append(names, name), append(found, day)
	}
	return strings.Join(names, "; "), strings.Join(slices.Compact(found), "; ")
}

func cells(counts map[string]int) string {
	var b strings.Builder
	for _, c := range columns {
		if n := counts[c.key]; n > 0 {
			fmt.Fprintf(&b, " %d |", n)
		} else {
			b.WriteString(" |")
		}
	}
	return b.String()
}

func cell(text string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text) }

// isCommit matches a commit or the tag of a version.
var isCommit = regexp.MustCompile(`^([0-9a-f]{40}|v[0-9]+\.[0-9]+\.[0-9]+)$`)

// link returns a link to a page, or to a line of it.
func (s source) link(line int) string {
	address := s.Page
	name := s.Page[strings.LastIndex(strings.TrimSuffix(s.Page, "/"), "/")+1:]
	if s.Repo != "" && !strings.HasPrefix(address, "https://") {
		commit := s.Commit
		if s.Later.Line > 0 && line >= s.Later.Line {
			commit = s.Later.Commit
		}
		address = "https://github.com/" + s.Repo + "/blob/" + commit + "/" + s.Page
	}
	if line > 0 && strings.HasPrefix(address, "https://github.com/") && s.Repo != "" {
		return fmt.Sprintf("[%s:%d](%s?plain=1#L%d)", name, line, address, line)
	}
	return fmt.Sprintf("[%s](%s)", name, address)
}
