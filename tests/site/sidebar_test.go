package site

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// sample is the directory of pages that cover all cases.
const sample = "testdata/pages"

func TestTheSidebarFollowsTheIndex(t *testing.T) {
	t.Parallel()
	c, err := gather(os.DirFS(sample))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.sidebar()
	if err != nil {
		t.Fatal(err)
	}
	want := []item{
		{Items: []item{{Text: "Overview", Link: "/"}, {Text: "Documentation", Link: "/docs/"}}},
		{Text: "First steps", Collapsed: new(false), Items: []item{{Text: "Write in tabs", Link: "/docs/tabs"}}},
		{Text: "Look up", Collapsed: new(false), Items: []item{
			{Text: "Rules", Link: "/docs/rules/", Collapsed: new(true), Items: []item{
				{Text: "Rules of pods", Link: "/docs/rules/pods"},
				{Text: "Rules of Services", Link: "/docs/rules/services"},
			}},
			{Text: "Dead links", Link: "/docs/dead"},
		}},
		{Text: "Decisions", Collapsed: new(true), Items: []item{
			{Text: "1. A sample, not everything", Link: "/docs/decisions/0001-a-sample"},
		}},
		{Text: "Next to the code", Collapsed: new(false), Items: []item{{Text: "Notes", Link: "/code/NOTES"}}},
		{Text: "Project", Collapsed: new(false), Items: []item{{Text: "Changes", Link: "/CHANGELOG"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the sidebar (-want +got):\n%s", diff)
	}
	const summary = "A sample of what the pages of the repository may have, in two lines."
	if got := c.pages[start].summary(); got != summary {
		t.Errorf("the summary of the start page is %q, want %q", got, summary)
	}
}

// Visitors would not find a page of docs that no list has, so it is an error.
func TestPageThatIsNotListed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		pages fstest.MapFS
		want  string
	}{
		{
			"left out",
			fstest.MapFS{
				"README.md":      {Data: []byte("# Start")},
				"docs/README.md": {Data: []byte("# Index\n\n- [A](a.md), and [c](c.md)\n")},
				"docs/a.md":      {Data: []byte("# A")},
				"docs/b.md":      {Data: []byte("# B")},
				"docs/c.md":      {Data: []byte("# C")},
			},
			"docs/b.md: no list in docs/README.md links to it: add it to one\n" +
				"docs/c.md: no list in docs/README.md links to it: add it to one",
		},
		{
			"no index",
			fstest.MapFS{
				"README.md": {Data: []byte("# Start")}, "docs/a.md": {Data: []byte("# A")},
			},
			"docs/README.md: no such page: the site needs it",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := gather(tt.pages)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.sidebar(); err == nil || err.Error() != tt.want {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}
