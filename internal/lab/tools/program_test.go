package tools

import (
	"regexp"
	"testing"
	"time"
)

func TestProgramsAreCompiled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.heartbeat = 50 * time.Millisecond
	// Each program has one package, which is compiled once.
	b.script("go", `for last in "$@"; do :; done
case "$1 $2" in
"list -deps") echo "example.com/$last m@v1@ " ;;
"list -export") [ -e "$last" ] || { mkdir -p "$last"; `+
		`echo "go: downloading m v1" >&2; echo "example.com/$last" >&2; sleep 0.2; } ;;
esac`)
	programs := []Program{{"the lab", ".", []string{"a"}}, {"the stack's program", ".", []string{"b"}}}
	if err := b.Prepare(t.Context(), nil, programs...); err != nil {
		t.Fatal(err)
	}
	// The total number of packages is known at the first beat. Between two programs
	// nothing is compiled.
	beat := regexp.MustCompile(`tools    [01] of 2 packages compiled, less than a minute left(: example\.com/[ab])?\n`)
	printed := b.printed()
	if len(beat.FindAllString(printed, -1)) < 2 {
		t.Errorf("no signs of life:\n%s", printed)
	}
	equal(t, "progress", beat.ReplaceAllString(printed, ""),
		"tools    the lab: compiled in TIME\ntools    the stack's program: compiled in TIME\n")

	b.out.Reset()
	if err := b.Prepare(t.Context(), nil, programs...); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress if all is compiled", b.printed(), "")
}
