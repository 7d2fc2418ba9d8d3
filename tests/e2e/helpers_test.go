package e2e

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// testLab is a lab that a test has to itself.
type testLab struct {
	*lab.Lab
	dir string
	out *output
}

// newLab makes a lab that is gone after the test, whatever has happened to it.
func newLab(t *testing.T) testLab {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lab")
	out := &output{to: t.Output()}
	cache, err := tools.FromRoot(checkout(t), out)
	if err != nil {
		t.Fatal(err)
	}
	l, err := lab.New(cache, dir, out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		id := l.ID()
		if err := l.Down(); err != nil {
			t.Errorf("take down the lab: %v", err)
		}
		if left, err := processes.Of(id); err != nil || len(left) > 0 {
			t.Errorf("processes %v are left (%v)", left, err)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", dir, err)
		}
	})
	return testLab{l, dir, out}
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

// command builds the command behind the Makefile.
func command(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "lab")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/lab")
	build.Dir = filepath.Join(checkout(t), "internal", "lab")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
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

// take returns what was printed since the last call.
func (o *output) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	o.text.Reset()
	return text
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

// contains fails unless text contains every one of the parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}
