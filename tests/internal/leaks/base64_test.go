package leaks

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	inBase64  = regexp.MustCompile(`[A-Za-z0-9+/]{32,}(?:(?:\\r|\\n|[\r\n])+[A-Za-z0-9+/]{4,})*`)
	lineBreak = regexp.MustCompile(`\\r|\\n|[\r\n]`)
)

// TestBase64IsFoundAsByARegularExpression compares random texts with an expression, which takes most of the time of a
// search.
func TestBase64IsFoundAsByARegularExpression(t *testing.T) {
	t.Parallel()
	random, found := rand.New(rand.NewPCG(1, 0)), 0
	pieces := []string{
		"A", "b+/9", strings.Repeat("x", 31), strings.Repeat("y", 32), "\n", "\r", `\n`, `\r`, `\`, "=", "==", " ",
		"\"", "é",
	}
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		var want []string
		for _, part := range inBase64.FindAllString(text.String(), -1) {
			want = append(want, lineBreak.ReplaceAllString(part, ""))
		}
		content := []byte(text.String())
		got := slices.Collect(encoded(content))
		if diff := cmp.Diff(want, got); diff != "" || string(content) != text.String() {
			t.Fatalf("base64 in %q (-want +got):\n%s", text.String(), diff)
		}
		found += len(got)
	}
	if found < 5_000 {
		t.Errorf("the texts have only %d parts", found)
	}
}
