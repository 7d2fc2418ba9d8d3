package golden

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

func TestDifference(t *testing.T) {
	t.Parallel()
	from := `graph (update)
  pod "web"
    spec:
      node: a
      name: web
  pod "db"
    name: db
end
`
	to := `graph (preview)
  pod "web"
    spec:
      node: [unknown]
      name: web
  pod "db"
    name: db
    zone: 1
end
logs:`
	want := `@@ @@
-graph (update)
+graph (preview)
@@ pod "web" spec: @@
-      node: a
+      node: [unknown]
@@ pod "db" @@
+    zone: 1
@@ @@
+logs:
\ No newline at end of file
`
	if got := Difference(from, to); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Difference(from, from); got != "" {
		t.Errorf("equal texts differ:\n%s", got)
	}
}

// A terminal does not show the blank, the carriage return and the no-break space.
func TestDiffShowsBlanks(t *testing.T) {
	t.Parallel()
	got := Diff("one\ntwo\nthree\nfour\nfive\n", "one\ntwo \nthree\r\nfo\u00a0ur\n\tfive\n")
	want := `--- want
+++ got
@@ -1,5 +1,5 @@
 one
-two
-three
-four
-five
+"two "
+"three\r"
+"fo\u00a0ur"
+	five
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Diff("one\n", "one\n"); got != "" {
		t.Errorf("equal texts differ:\n%s", got)
	}
}

// Two texts with many differences: package udiff alone would replace all lines after the first hundred.
func TestEditsAreFew(t *testing.T) {
	t.Parallel()
	var from, to strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&from, "  line %d:\n    id: %d\n    ready: true\n", i, i)
		fmt.Fprintf(&to, "  line %d:\n    id: [unknown]\n    ready: true\n", i)
	}
	all := edits(from.String(), to.String())
	if len(all) != 3000 {
		t.Errorf("%d edits, want 3000", len(all))
	}
	if got, err := udiff.Apply(from.String(), all); err != nil || got != to.String() {
		t.Errorf("the edits give another text, %v", err)
	}
}

func TestEditsOfRandomTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(30) {
			fmt.Fprintf(&b, "%d\n", random.IntN(20))
		}
		return b.String() + strings.Repeat("end", random.IntN(2))
	}
	for range 2000 {
		from, to := text(), text()
		if got, err := udiff.Apply(from, edits(from, to)); err != nil || got != to {
			t.Fatalf("from %q to %q: %q, %v", from, to, got, err)
		}
	}
}
