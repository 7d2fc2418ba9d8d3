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

// testLab is a lab that only one test uses.
type testLab struct{ labtest.Lab }

// newLab returns a lab that has never been started. The lab is taken down after the test, whatever its state is.
func newLab(t *testing.T) testLab {
	t.Helper()
	return testLab{labtest.New(t)}
}

func makeLab(root, dir string, to io.Writer) (testLab, error) {
	l, err := labtest.Make(root, dir, to)
	return testLab{l}, err
}

// processes returns the processes of the lab.
func (l testLab) processes(t *testing.T) []int {
	t.Helper()
	pids, err := processes.Of(l.ID())
	if err != nil {
		t.Fatal(err)
	}
	return pids
}

// labCommand returns the directory of the command that the Makefile runs.
func labCommand(t *testing.T) string {
	t.Helper()
	return filepath.Join(checkout(t), "internal", "lab", "cmd", "lab")
}

// client connects to the lab's cluster.
func (l testLab) client(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	return l.ClientOf(t)
}

// checkout returns the root of the repository.
func checkout(t *testing.T) string {
	t.Helper()
	return labtest.Checkout(t)
}

// shownLines is the number of lines of a lab's output that a failing test shows: the cause is at the end.
const shownLines = 120

// tail passes on the output of a lab if live is set. Otherwise it collects the last lines.
type tail struct {
	to     io.Writer
	live   bool
	buffer []byte
}

func (o *tail) Write(p []byte) (int, error) {
	if o.live {
		return o.to.Write(p)
	}
	o.buffer = append(o.buffer, p...)
	if lines := bytes.SplitAfter(o.buffer, []byte("\n")); len(lines) > 2*shownLines {
		o.buffer = bytes.Join(lines[len(lines)-shownLines:], nil)
	}
	return len(p), nil
}

// show writes the collected lines.
func (o *tail) show() {
	lines := bytes.SplitAfter(o.buffer, []byte("\n"))
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
