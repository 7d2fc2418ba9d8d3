package manifests

import (
	"fmt"
	"strings"
	"testing"
)

// A file can have tens of thousands of findings in one mapping: its children are read once, not for each of them.
func TestEachValueIsReadOnceForItsLines(t *testing.T) {
	t.Parallel()
	const n = 2000
	var text strings.Builder
	text.WriteString("spec:\n  list:\n")
	for i := range n {
		fmt.Fprintf(&text, "  - item%d\n", i)
	}
	for i := range n {
		fmt.Fprintf(&text, "  key%d: {a: 1}\n", i)
	}
	docs, err := ReadYAML(strings.NewReader(text.String()), "a.yaml")
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	d := docs[0]
	for i := range n {
		for path, want := range map[string]int{
			fmt.Sprintf("spec.list[%d]", i):  3 + i,
			fmt.Sprintf("spec.key%d", i):     3 + n + i,
			fmt.Sprintf("spec.none%d", i):    1,
			fmt.Sprintf("spec.list[%d]", -i): 2,
		} {
			if i == 0 && strings.HasSuffix(path, "[0]") {
				continue
			}
			if got := d.Line(path); got != want {
				t.Fatalf("%s is in line %d, want %d", path, got, want)
			}
		}
	}
	// The document, spec and spec.list.
	if got := len(d.index.values); got != 3 {
		t.Errorf("the children of %d values were read, want 3", got)
	}
}
