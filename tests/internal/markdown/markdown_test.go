package markdown_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

const page = "# Run `mixedkube check`\n" +
	"<a id=\"old-name\"></a>\n" +
	"Text #1.\n" +
	"\n" +
	"1. A step:\n" +
	"\n" +
	"   ```go\n" +
	"   a := 1\n" +
	"\n" +
	"   ```\n" +
	"\n" +
	"## The output, in CI\n" +
	"1. ```yaml\n" +
	"   # a comment\n" +
	"   ```\n"

func TestHeadings(t *testing.T) {
	t.Parallel()
	want := []markdown.Heading{
		{Text: "Run mixedkube check", Anchor: "run-mixedkube-check"},
		{Anchor: "old-name"},
		{Text: "The output, in CI", Anchor: "the-output-in-ci"},
	}
	if diff := cmp.Diff(want, markdown.Headings(page)); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	want := []markdown.Block{
		{Language: "go", Line: 7, Lines: []string{"   a := 1", ""}},
		{Language: "yaml", Line: 13, Lines: []string{"   # a comment"}},
	}
	if diff := cmp.Diff(want, markdown.Blocks(page)); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if got, want := want[0].Code(), "   a := 1\n\n"; got != want {
		t.Errorf("code: %q, want %q", got, want)
	}
	const text = "# Run `mixedkube check`\n<a id=\"old-name\"></a>\nText #1.\n\n1. A step:\n\n\n## The output, in CI\n"
	if diff := cmp.Diff(text, markdown.Text(page)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}
