package seeds

import (
	"strings"
	"testing"
)

// older is the heading of the sections about outdated guides.
const older = "\n## What older guides say\n"

// TestWordsThatReadersSearch looks for words of the seeds, which are in no manifest and name no limitation, in the
// first column of the tables about outdated guides.
func TestWordsThatReadersSearch(t *testing.T) {
	t.Parallel()
	for word, page := range map[string]string{
		"start-kubelet.ps1":          "networks.md",
		"start-kubeproxy.ps1":        "networks.md",
		"AddRoutes.ps1":              "networks.md",
		"VFP":                        "networks.md",
		"Virtual Filtering Platform": "networks.md",
		"master":                     "networks.md",
		"ipam.environment":           "networks.md",
		"Slack":                      "differences.md",
	} {
		_, section, found := strings.Cut(read(t, root, "docs", page), older)
		section, _, _ = strings.Cut(section, "\n## ")
		if !found {
			t.Fatalf("%s has no section about older guides", page)
		}
		if rows := withWord(section, word); len(rows) != 1 {
			t.Errorf("%s: %d rows about %s, want one: %q", page, len(rows), word, rows)
		}
	}
}

// withWord returns the rows of a table whose first column has a word, and whose second column says what is different.
func withWord(table, word string) []string {
	var rows []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && strings.Contains(plain(cells[1]), plain(word)) &&
			strings.TrimSpace(cells[2]) != "" {
			rows = append(rows, line)
		}
	}
	return rows
}
