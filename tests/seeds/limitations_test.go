package seeds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// limitation is a feature that does not work, according to the seeds.
type limitation struct {
	Seed []string `json:"seed"`
	// Words are the words that a reader searches for.
	Words      []string `json:"words"`
	Limitation string   `json:"limitation"`
	Today      struct {
		// State is "still" or "changed". How describes the change.
		State  string   `json:"state"`
		How    string   `json:"how,omitempty"`
		Source []string `json:"source"`
	} `json:"today"`
	// Rule are IDs, and Page is a file of docs.
	Rule []string `json:"rule,omitempty"`
	Page string   `json:"page,omitempty"`
}

// TestLimitations searches for the words of each limitation where a reader would search.
func TestLimitations(t *testing.T) {
	t.Parallel()
	known := rules(t)
	all := load[[]limitation](t, "limitations.yaml")
	if len(all) < 150 {
		t.Fatalf("there are only %d limitations", len(all))
	}
	for _, l := range all {
		t.Run(l.Limitation, func(t *testing.T) {
			t.Parallel()
			if len(l.Seed) == 0 || len(l.Words) == 0 || len(l.Today.Source) == 0 || len(l.Rule) == 0 && l.Page == "" {
				t.Fatal("it needs its seeds, its words, a source, and a rule or a page")
			}
			if l.Today.State != "still" && (l.Today.State != "changed" || l.Today.How == "") {
				t.Errorf("the state is %q, want still, or changed with how", l.Today.State)
			}
			var text strings.Builder
			for _, id := range l.Rule {
				if known[id] == "" {
					t.Errorf("there is no rule %s", id)
				}
				text.WriteString(known[id])
			}
			if l.Page != "" {
				page, err := os.ReadFile(filepath.Join(root, "docs", l.Page))
				if err != nil {
					t.Fatal(err)
				}
				text.Write(page)
			}
			documented := plain(text.String())
			for _, words := range l.Words {
				if !strings.Contains(documented, plain(words)) {
					t.Errorf("%v and %s do not contain %q", l.Rule, l.Page, words)
				}
			}
		})
	}
}
