package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// testLab is a lab that a test has to itself.
type testLab struct {
	*lab.Lab

	root, dir string
	out       *output
}

// newLab is a lab that was never started. It is gone after the test, whatever has happened
// to it.
func newLab(t *testing.T) testLab {
	t.Helper()
	l, err := makeLab(checkout(t), filepath.Join(t.TempDir(), "lab"), t.Output())
	check(t, err)
	t.Cleanup(func() {
		if err := l.end(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func makeLab(root, dir string, to io.Writer) (testLab, error) {
	out := &output{to: to}
	cache, err := tools.FromRoot(root, out)
	if err != nil {
		return testLab{}, err
	}
	l, err := lab.New(cache, dir, out)
	return testLab{l, root, dir, out}, err
}

// end takes the lab down. The error says what is left of it.
func (l testLab) end() error {
	id := l.ID()
	if err := l.Down(); err != nil {
		return fmt.Errorf("take down the lab: %w", err)
	}
	left, err := processes.Of(id)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("processes %v are left", left)
	}
	if _, err := os.Stat(l.dir); err == nil {
		return fmt.Errorf("%s is left", l.dir)
	}
	return nil
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
	client, err := l.Client()
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// checkout is the root of the repository.
func checkout(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// output keeps what a lab prints, and shows it in the test's log.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	to   io.Writer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	return o.to.Write(p)
}

// redirect shows what comes next elsewhere.
func (o *output) redirect(to io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = to
}

// take returns what was printed since the last call.
func (o *output) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	o.text.Reset()
	return text
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

// eventually waits until check returns "", and fails with what it returned
// last.
func eventually(t *testing.T, check func(ctx context.Context) string) {
	t.Helper()
	var last string
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if last = check(t.Context()); last == "" {
			return
		}
	}
	t.Fatal(last)
}

// settles waits until the status of the lab names no problem.
func (l testLab) settles(t *testing.T) {
	t.Helper()
	eventually(t, func(ctx context.Context) string {
		l.wake(ctx)
		if err := l.Status(ctx); err != nil {
			return err.Error()
		}
		return ""
	})
}

// wake wakes the pods that KWOK has lost.
func (l testLab) wake(ctx context.Context) {
	if client, err := l.Client(); err == nil {
		_ = cluster.Wake(ctx, client) // The next round tries again.
	}
}

// contains fails unless text contains every one of the parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}
