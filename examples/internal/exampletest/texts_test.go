package exampletest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEachTextIsShownOnce(t *testing.T) {
	t.Parallel()
	const script = `      - |
        set -eu

        one
          two
        three
`
	const deeper = `  deeper:
    data.sh: |
      set -eu

      one
        two
      three
    other.sh: |
      set -eu

      one
        two
      four
`
	graph := "pod \"a\"\n    command:\n" + script + "      - |-\n        short\n" + deeper +
		"pod \"b\"\n    command:\n" + script + "    end: a | b\n"
	want := `pod "a"
    command:
      - | (text 1)
        set -eu

        one
          two
        three
      - |-
        short
  deeper:
    data.sh: | (text 1 again)
    other.sh: |
      set -eu

      one
        two
      four
pod "b"
    command:
      - | (text 1 again)
    end: a | b
`
	if diff := cmp.Diff(want, once(graph)); diff != "" {
		t.Errorf("the graph (-want +got):\n%s", diff)
	}
}
