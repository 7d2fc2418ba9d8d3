package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEachErrorIsALine(t *testing.T) {
	t.Parallel()
	deep := errors.Join(errors.New("b"), errors.Join(errors.New("c\nd"), errors.New("e")))
	var out strings.Builder
	printErrors(&out, errors.New("a"), deep, fmt.Errorf("f: %w", errors.New("g")))
	if diff := cmp.Diff("a\nb\nc\\nd\ne\nf: g\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
