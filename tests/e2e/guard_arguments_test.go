package e2e

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// wrongArguments checks that one preview shows the wrong arguments of five components, and that an update ends with the
// first one.
func wrongArguments(t *testing.T, l testLab) {
	t.Helper()
	stack := l.project(t, "components/guard/testdata/arguments", "dev", "")
	l.Out.Take()
	labtest.Failed(t, "the preview", stack.Preview(t.Context()))
	golden.Equal(t, "testdata/arguments.golden", labtest.Diagnostics(l.Out.Take()))

	labtest.Failed(t, "the update", stack.Up(t.Context(), "--skip-preview"))
	shown := l.Out.Take()
	contains(t, shown, `mixedkube:runtimeclass:Set "classes": keep[0]`)
	if created := createdObjects(shown); len(created) > 0 {
		t.Errorf("created %q", created)
	}
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Error(err)
	}
}
