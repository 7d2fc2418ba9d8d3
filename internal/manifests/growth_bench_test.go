package manifests

import (
	"fmt"
	"strings"
	"testing"
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

// BenchmarkPatterns matches a deep path with a pattern of many **: its time must grow with their number, not with all
// ways to match.
func BenchmarkPatterns(b *testing.B) {
	name := strings.Repeat("a/", 28) + "b"
	for _, n := range []int{2, 14} {
		b.Run(fmt.Sprintf("%d times", n), func(b *testing.B) {
			patterns, errs := ParsePatterns([]string{strings.Repeat("**/", n) + "zz"})
			if len(errs) > 0 {
				b.Fatal(errs)
			}
			for b.Loop() {
				if patterns.Exclude(name, false) {
					b.Fatal("the path is excluded")
				}
			}
		})
	}
}
