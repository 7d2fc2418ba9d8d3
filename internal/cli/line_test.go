package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`C:\a "b" 'c' ä 東…`:       `C:\a "b" 'c' ä 東…`,
		"a\nb\r\tc":               `a\nb\r\tc`,
		"\x1b[2J\x1b]0;title\x07": `\x1b[2J\x1b]0;title\a`,
		"\u009b31m\x7f\x00":       `\u009b31m\x7f\x00`,
		"a\u202eb\u2028\u200b":    `a\u202eb\u2028\u200b`,
		"a\xffb":                  "a\uFFFDb",
	} {
		if got := oneLine(text); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestEachErrorIsALine(t *testing.T) {
	t.Parallel()
	deep := errors.Join(errors.New("b"), errors.Join(errors.New("c\nd"), errors.New("e")))
	var out strings.Builder
	printErrors(&out, errors.New("a"), deep, fmt.Errorf("f: %w", errors.New("g")))
	if diff := cmp.Diff("a\nb\nc\\nd\ne\nf: g\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
