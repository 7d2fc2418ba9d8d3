package cli

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	type changes = []manifests.Change
	put := func(at, replaced int, text string) manifests.Change {
		return manifests.Change{At: at, Replaced: replaced, Text: text}
	}
	const nine = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for _, tt := range []struct {
		name, before string
		changes      changes
		want         string
	}{
		{"no change", "a\n", nil, ""},
		{"an empty text", "", changes{put(0, 0, "a\n")}, "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		{"to an empty text", "a\nb\n", changes{put(0, 4, "")}, "--- f\n+++ f\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{
			"in the middle", nine,
			changes{put(8, 0, "x\n")},
			"--- f\n+++ f\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n",
		},
		{
			"near each other", nine,
			changes{put(0, 0, "x\n"), put(12, 0, "y\n")},
			"--- f\n+++ f\n@@ -1,9 +1,11 @@\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n+y\n 7\n 8\n 9\n",
		},
		{
			"far from each other", nine,
			changes{put(0, 0, "x\n"), put(14, 0, "y\n")},
			"--- f\n+++ f\n@@ -1,3 +1,4 @@\n+x\n 1\n 2\n 3\n@@ -5,5 +6,6 @@\n 5\n 6\n 7\n+y\n 8\n 9\n",
		},
		{
			"no line end", "a\nb",
			changes{put(2, 1, "c\n")},
			"--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n",
		},
		{
			"at the end, without a line end", "a\nb",
			changes{put(3, 0, "\nc")},
			"--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of " +
				"file\n",
		},
		{"at the end", "a\nb\n", changes{put(4, 0, "c\n")}, "--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n b\n+c\n"},
		{
			"twice at one place", "a\nb\n",
			changes{put(2, 0, "x\n"), put(2, 0, "y\n")},
			"--- f\n+++ f\n@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n",
		},
		{
			"twice in one line", "a\n{b: null, c: {}}\nd\n",
			changes{put(6, 4, "[]"), put(16, 0, "e: f")},
			"--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-{b: null, c: {}}\n+{b: [], c: {e: f}}\n d\n",
		},
		{
			"in a line and behind it", "a [\n b\n]\n",
			changes{put(6, 0, ","), put(6, 0, "\n c")},
			"--- f\n+++ f\n@@ -1,3 +1,4 @@\n a [\n- b\n+ b,\n+ c\n ]\n",
		},
		{
			"the end of a line goes", "a\nb\nc\n",
			changes{put(1, 1, "-")},
			"--- f\n+++ f\n@@ -1,3 +1,2 @@\n-a\n-b\n+a-b\n c\n",
		},
		{
			"over several lines", "a\nb\nc\nd\n",
			changes{put(3, 3, "x"), put(7, 0, "y")},
			"--- f\n+++ f\n@@ -1,4 +1,2 @@\n a\n-b\n-c\n-d\n+bxdy\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := unified("f", tt.before, tt.changes)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v, (-want +got):\n%s", err, diff)
			}
		})
	}
}

// Whatever the changes are, applying the difference leads from one text to the other, and added lines remove none.
func TestApplyingTheDifferenceGivesTheOtherText(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteByte("abc\n\n"[random.IntN(5)])
		}
		return b.String()
	}
	for range 5000 {
		before := text(40)
		var after strings.Builder
		var changes []manifests.Change
		onlyLines := true
		at := 0
		for range random.IntN(4) {
			c := manifests.Change{At: at + random.IntN(len(before)-at+1), Text: text(6)}
			if random.IntN(2) == 0 {
				c.Replaced = random.IntN(len(before) - c.At + 1)
			}
			atBegin := c.At == 0 || before[c.At-1] == '\n'
			onlyLines = onlyLines && c.Replaced == 0 && (c.Text == "" || atBegin && strings.HasSuffix(c.Text, "\n"))
			after.WriteString(before[at:c.At] + c.Text)
			changes, at = append(changes, c), c.At+c.Replaced
		}
		after.WriteString(before[at:])
		shown, err := unified("f", before, changes)
		if err != nil {
			t.Fatal(err)
		}
		if onlyLines && strings.Contains(shown, "\n-") {
			t.Fatalf("%+v of %q take lines away:\n%s", changes, before, shown)
		}
		if got := patched(t, before, shown); got != after.String() {
			t.Fatalf("with %+v from %q to %q the difference leads to %q:\n%s", changes, before, after.String(), got,
				shown)
		}
	}
}

// patched applies a difference to a text, and fails if their lines differ.
func patched(t *testing.T, before, difference string) string {
	t.Helper()
	var after strings.Builder
	rest, line := before, 1
	keep := func(to int) {
		for ; line < to && rest != ""; line++ {
			end := strings.IndexByte(rest, '\n') + 1
			after.WriteString(rest[:end])
			rest = rest[end:]
		}
	}
	const open = "\x00\n" // the end of a line without a line feed
	difference = strings.ReplaceAll(difference, "\n\\ No newline at end of file\n", open)
	for shown := range strings.Lines(strings.TrimPrefix(difference, "--- f\n+++ f\n")) {
		kind, text := shown[0], strings.TrimSuffix(shown[1:], open)
		switch {
		case kind == '@':
			var from int
			if _, err := fmt.Sscanf(shown, "@@ -%d", &from); err != nil {
				t.Fatalf("%q: %v", shown, err)
			}
			keep(from)
			continue
		case kind == '+':
			after.WriteString(text)
			continue
		case !strings.HasPrefix(rest, text):
			t.Fatalf("%q is not what %q continues with:\n%s", text, rest, difference)
		}
		rest, line = rest[len(text):], line+1
		if kind == ' ' {
			after.WriteString(text)
		}
	}
	return after.String() + rest
}

// repeated is testdata/adopt/many/deployment.yaml n times, and its conversion.
func repeated(tb testing.TB, n int) (before string, f conversion.File) {
	tb.Helper()
	before = strings.Repeat(files(tb, "testdata/adopt/many")["deployment.yaml"], n)
	topology, _, err := (&input{}).topology(tb.Context(), "testdata/topology.yaml", configuration{}, io.Discard)
	if err != nil {
		tb.Fatal(err)
	}
	result, errs := conversion.Convert([]conversion.File{{Name: "many.yaml", Text: []byte(before)}},
		conversion.Options{Topology: topology})
	if len(errs) > 0 || len(result.Objects) != n {
		tb.Fatalf("%d objects of %d, %v", len(result.Objects), n, errs)
	}
	return before, result.Files[0]
}

// Twice as many objects take twice the memory, not four times. The memory of other tests would count too, so this one
// does not run in parallel.
//
//nolint:paralleltest // See above.
func TestTheMemoryForADifferenceGrowsWithTheText(t *testing.T) {
	memory := func(n int) uint64 {
		before, f := repeated(t, n)
		var begin, end runtime.MemStats
		runtime.ReadMemStats(&begin)
		shown, err := unified(f.Name, before, f.Changes)
		runtime.ReadMemStats(&end)
		if err != nil {
			t.Fatal(err)
		}
		if added := strings.Count(shown, "\n+"); added != 13*n+1 {
			t.Errorf("%d lines are added to %d objects, want 13 each", added-1, n)
		}
		return end.TotalAlloc - begin.TotalAlloc
	}
	if once, twice := memory(200), memory(400); twice > 3*once {
		t.Errorf("the difference of 200 objects takes %d bytes, that of 400 takes %d", once, twice)
	}
}

func BenchmarkUnified(b *testing.B) {
	before, f := repeated(b, 1000)
	b.SetBytes(int64(len(before)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := unified(f.Name, before, f.Changes); err != nil {
			b.Fatal(err)
		}
	}
}
