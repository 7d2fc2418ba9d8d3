package e2e

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// testLab is a lab that a test has to itself.
type testLab struct{ labtest.Lab }

// newLab is a lab that was never started. It is gone after the test, whatever has happened
// to it.
func newLab(t *testing.T) testLab {
	t.Helper()
	return testLab{labtest.New(t)}
}

func makeLab(root, dir string, to io.Writer) (testLab, error) {
	l, err := labtest.Make(root, dir, to)
	return testLab{l}, err
}

// processes are those of the lab.
func (l testLab) processes(t *testing.T) []int {
	t.Helper()
	pids, err := processes.Of(l.ID())
	if err != nil {
		t.Fatal(err)
	}
	return pids
}

// labCommand is the folder of the command behind the Makefile.
func labCommand(t *testing.T) string {
	t.Helper()
	return filepath.Join(checkout(t), "internal", "lab", "cmd", "lab")
}

// client connects to the lab's cluster.
func (l testLab) client(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	return l.ClientOf(t)
}

// checkout is the root of the repository.
func checkout(t *testing.T) string {
	t.Helper()
	return labtest.Checkout(t)
}

// shownLines is how much of a lab's output a failing test shows: the cause is at its end.
const shownLines = 120

// tail passes on what a lab prints while it runs, or else keeps the last lines.
type tail struct {
	to   io.Writer
	live bool
	kept []byte
}

func (o *tail) Write(p []byte) (int, error) {
	if o.live {
		return o.to.Write(p)
	}
	o.kept = append(o.kept, p...)
	if lines := bytes.SplitAfter(o.kept, []byte("\n")); len(lines) > 2*shownLines {
		o.kept = bytes.Join(lines[len(lines)-shownLines:], nil)
	}
	return len(p), nil
}

// show writes the lines that were kept.
func (o *tail) show() {
	lines := bytes.SplitAfter(o.kept, []byte("\n"))
	if _, err := o.to.Write(bytes.Join(lines[max(0, len(lines)-shownLines):], nil)); err != nil {
		panic(err) // a test's own output
	}
}

func eventually(t *testing.T, check func(ctx context.Context) string) {
	t.Helper()
	labtest.Eventually(t, check)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	labtest.Contains(t, text, parts...)
}
