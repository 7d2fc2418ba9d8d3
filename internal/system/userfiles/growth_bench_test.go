package userfiles

import (
	"fmt"
	"strings"
	"testing"
)

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
