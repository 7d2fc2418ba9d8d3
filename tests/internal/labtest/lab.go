// Package labtest gives labs to tests: one of their own, or a shared one.
package labtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	// Programs that tests run inherit the day.
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/tests/internal/keeper"
)

// Lab is a lab that only one test uses.
type Lab struct {
	*lab.Lab

	// Root is the checkout, Dir the lab's directory.
	Root, Dir string
	Out       *Output
}

// Checkout returns the root of the repository to a test in a subdirectory of the directory tests.
func Checkout(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for filepath.Base(dir) != "tests" && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return filepath.Dir(dir)
}

// New returns a lab that has never been started. The lab is taken down after the test, whatever its state is.
func New(tb testing.TB) Lab {
	tb.Helper()
	l, err := Make(Checkout(tb), filepath.Join(tb.TempDir(), "lab"), tb.Output())
	if err != nil {
		tb.Fatal(err)
	}
	l.runs(tb)
	tb.Cleanup(func() {
		if err := l.End(); err != nil {
			tb.Error(err)
		}
	})
	return l
}

// Make returns a lab of the checkout root in the directory dir, whose output goes to the writer to.
func Make(root, dir string, to io.Writer) (Lab, error) {
	if _, err := keeper.Start(); err != nil {
		return Lab{}, err
	}
	out := &Output{to: to}
	cache, err := tools.FromRoot(root, out)
	if err != nil {
		return Lab{}, err
	}
	l, err := lab.New(cache, dir, out)
	return Lab{l, root, dir, out}, err
}

// testVariable is the name of a test in the environment of its Pulumi runs: the measurement of processor times reads it.
const testVariable = "MIXEDKUBE_TEST"

// runs prepares the lab for Pulumi runs of a test.
func (l Lab) runs(tb testing.TB) {
	tb.Helper()
	l.Environment = []string{
		testVariable + "=" + tb.Name(),
		// tests/sdks checks the types of programs in TypeScript, which takes longer than to run them.
		"PULUMI_NODEJS_TRANSPILE_ONLY=true",
	}
}

// End takes the lab down. The error lists processes or directories that are left.
func (l Lab) End() error {
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
	if _, err := os.Stat(l.Dir); err == nil {
		return fmt.Errorf("%s is left", l.Dir)
	}
	return nil
}

// ClientOf connects to the lab's cluster.
func (l Lab) ClientOf(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	client, err := l.Client()
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Settles waits until the status of the lab reports no problem.
func (l Lab) Settles(t *testing.T) {
	t.Helper()
	Eventually(t, func(ctx context.Context) string {
		l.Wake(ctx)
		if err := l.Status(ctx); err != nil {
			return err.Error()
		}
		return ""
	})
}

// Wake wakes the pods that KWOK has lost.
func (l Lab) Wake(ctx context.Context) {
	if client, err := l.Client(); err == nil {
		_ = cluster.Wake(ctx, client) // The next round tries again.
	}
}

// Eventually waits until check returns "". After five minutes it fails with the last message of check.
func Eventually(t *testing.T, check func(ctx context.Context) string) {
	t.Helper()
	var last string
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if last = check(t.Context()); last == "" {
			return
		}
	}
	t.Fatal(last)
}
