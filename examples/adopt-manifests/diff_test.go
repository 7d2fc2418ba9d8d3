package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, before, after, want string }{
		{"no difference", "a\n", "a\n", ""},
		{"an empty text", "", "a\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		{"to an empty text", "a\nb\n", "", "--- f\n+++ f\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n9\n", "--- f\n+++ f\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n"},
		{"near each other", "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n1\n2\n3\n4\n5\n6\ny\n7\n8\n", "--- f\n+++ f\n@@ -1,8 +1,10 @@\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n+y\n 7\n 8\n"},
		{"far from each other", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n1\n2\n3\n4\n5\n6\n7\ny\n8\n9\n", "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+x\n 1\n 2\n 3\n@@ -5,5 +6,6 @@\n 5\n 6\n 7\n+y\n 8\n 9\n"},
		{"no line end", "a\nb", "a\nc\n", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, unified("f", tt.before, tt.after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever the texts are, the steps lead from one to the other.
func TestTheStepsLeadFromOneTextToTheOther(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := func() []string {
			var lines []string
			for range random.IntN(12) {
				lines = append(lines, string(rune('a'+random.IntN(4)))+"\n")
			}
			return lines
		}
		a, b := text(), text()
		var before, after []string
		for _, s := range compare(a, b) {
			if s.kind != '+' {
				before = append(before, s.line)
			}
			if s.kind != '-' {
				after = append(after, s.line)
			}
		}
		if strings.Join(before, "") != strings.Join(a, "") || strings.Join(after, "") != strings.Join(b, "") {
			t.Fatalf("from %q to %q the steps lead from %q to %q", a, b, before, after)
		}
	}
}
