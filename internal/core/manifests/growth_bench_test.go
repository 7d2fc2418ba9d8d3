package manifests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// BenchmarkLines looks up the line of each field of an object: its time per field must not depend on their number.
func BenchmarkLines(b *testing.B) {
	for _, n := range []int{1000, 40_000} {
		b.Run(fmt.Sprintf("%d fields", n), func(b *testing.B) {
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, "key%d: 1\n", i)
			}
			docs, err := ReadYAML(strings.NewReader(text.String()), "a.yaml")
			if err != nil {
				b.Fatal(err)
			}
			paths := make([]string, n)
			for i := range paths {
				paths[i] = fmt.Sprintf("key%d", i)
			}
			for i := 0; b.Loop(); i++ {
				if docs[0].Line(paths[i%n]) == 0 {
					b.Fatal("no line")
				}
			}
		})
	}
}

// BenchmarkEdits removes, replaces and adds values, in lines and in brackets: the time per value must not depend on
// their number.
func BenchmarkEdits(b *testing.B) {
	for _, layout := range []struct{ name, begin, key, between, element, end string }{
		{"lines", "map:\n", "  key%d: a # b\n", "list:\n", "  - c: %d\n    # d\n    e: f\n", ""},
		{"brackets", `{"map": {`, `"key%d": "a", `, `"last": 1}, "list": [`, `{"c": %d, "e": "f"}, `, "1]}"},
	} {
		for _, n := range []int{500, 10_000} {
			var text strings.Builder
			text.WriteString(layout.begin)
			for i := range n {
				fmt.Fprintf(&text, layout.key, i)
			}
			text.WriteString(layout.between)
			for i := range n {
				fmt.Fprintf(&text, layout.element, i)
			}
			text.WriteString(layout.end)
			b.Run(fmt.Sprintf("%s, %d values", layout.name, n), func(b *testing.B) {
				benchmarkEdits(b, n, []byte(text.String()))
			})
		}
	}
}

func benchmarkEdits(b *testing.B, n int, text []byte) {
	b.Helper()
	var edits []tree.Edit
	for i := range n {
		path := []string{"map", fmt.Sprintf("key%d", i)}
		if i%3 > 0 {
			edits = append(edits, tree.Edit{Path: path, Remove: true})
		}
		if i%3 > 1 {
			edits = append(edits, tree.Edit{Path: path, Value: "x"})
		}
		edits = append(edits, tree.Edit{Path: append(path[:1:1], fmt.Sprintf("new%d", i)), Value: "y"})
	}
	edits = append(edits, tree.Edit{Path: []string{"list", tree.Each, "c"}, Remove: true},
		tree.Edit{Path: []string{"list", tree.Each, "g"}, Value: "h"})
	for b.Loop() {
		parsed, err := NewText(text, "a.yaml")
		if err == nil {
			err = parsed.Edit(parsed.Documents[0], edits)
		}
		if err != nil || len(parsed.Changes()) < n {
			b.Fatal(len(parsed.Changes()), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
}
