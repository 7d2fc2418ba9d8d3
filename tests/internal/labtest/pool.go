package labtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/tests/internal/keeper"
)

// slot is a place for a lab that all packages of a test run share, one test at a time: to start a control plane takes
// as much processor time as a deployment.
type slot struct {
	// dir has the lab, and the file ready while no test uses it.
	dir  string
	lock *flock.Flock
}

// slots is how many labs of a run exist at once. Tests wait for one. More labs than this only compete for processors.
var slots = max(6, 2*runtime.NumCPU())

func (s slot) lab() string   { return filepath.Join(s.dir, "lab") }
func (s slot) ready() string { return filepath.Join(s.dir, "ready") }
func (s slot) exists() bool  { return exists(s.lab()) }
func (s slot) isReady() bool { return exists(s.ready()) }

// fits reports whether the lab is ready and of a kind.
func (s slot) fits(kind string) bool {
	content, err := os.ReadFile(s.ready())
	return err == nil && string(content) == kind
}

func (s slot) unlock()        { _ = s.lock.Close() }
func (s slot) String() string { return filepath.Base(s.dir) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Empty returns a running lab for a stack of the checkout, without a deployment. The test has exclusive use of it. The
// lab is emptied after the test, and taken down if that fails.
func Empty(t testing.TB, o lab.Options) Lab {
	t.Helper()
	kind := kind(t, o.Stack)
	s := take(t, kind)
	shown := &tail{to: t.Output(), live: testing.Verbose()}
	l, err := Make(Checkout(t), s.lab(), shown)
	if err != nil {
		t.Fatal(err)
	}
	l.runs(t)
	t.Cleanup(func() {
		err := errors.New("the test has failed")
		if t.Failed() {
			if err := l.Status(context.Background()); err != nil {
				t.Logf("status: %v", err)
			}
			shown.show()
		}
		l.Out.Redirect(io.Discard)
		if !t.Failed() {
			err = s.release(l, kind)
		}
		if err != nil {
			t.Logf("the lab is taken down: %v", err)
			if err := s.end(l); err != nil {
				t.Error(err)
			}
		}
	})
	if err := processes.Signal(l.ID(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	fresh := s.exists() && s.fits(kind)
	if s.exists() && !fresh { // another kind, or its test was killed
		if err := s.end(l); err != nil {
			t.Fatal(err)
		}
	}
	// Until it is released, it is not ready.
	if err := os.RemoveAll(s.ready()); err != nil {
		t.Fatal(err)
	}
	if err := l.Start(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if !fresh {
		if err := recordObjects(t.Context(), l.Kubeconfig(), s.dir); err != nil {
			t.Fatal(err)
		}
	}
	l.Out.Take()
	return l
}

// kind is what a running lab cannot change, see [cluster.Options].
func kind(t testing.TB, stack string) string {
	t.Helper()
	config, err := deploy.ReadStack(filepath.Join(Checkout(t), "stacks"), stack)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("load balancers: %t", lab.HasLoadBalancers(config))
}

// take waits for a slot: for one whose lab is ready, or one without a lab, or with a lab of another kind.
func take(t testing.TB, kind string) slot {
	t.Helper()
	run, err := keeper.Start()
	if err != nil {
		t.Fatal(err)
	}
	for {
		for _, fits := range []func(slot) bool{
			func(s slot) bool { return s.fits(kind) },
			func(s slot) bool { return !s.exists() },
			func(s slot) bool { return !s.isReady() }, // its test was killed
			func(slot) bool { return true },
		} {
			for number := range slots {
				s := slot{dir: filepath.Join(run, "labs", strconv.Itoa(number))}
				if !fits(s) {
					continue
				}
				if err := os.MkdirAll(s.dir, 0o700); err != nil {
					t.Fatal(err)
				}
				s.lock = flock.New(filepath.Join(s.dir, "lock"))
				got, err := s.lock.TryLock()
				if err != nil {
					t.Fatal(err)
				}
				if !got {
					continue
				}
				if !fits(s) { // it has changed in the meantime
					s.unlock()
					continue
				}
				t.Cleanup(s.unlock)
				return s
			}
		}
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// release empties the lab for the next test, and stops its processes until then.
func (s slot) release(l Lab, kind string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := l.Clear(); err != nil {
		return err
	}
	l.Stacks = filepath.Join(l.Root, "stacks")
	if err := restoreObjects(ctx, l.Kubeconfig(), s.dir); err != nil {
		return err
	}
	// An idle control plane would take as much processor time in four minutes as its start.
	if err := processes.Signal(l.ID(), syscall.SIGSTOP); err != nil {
		return err
	}
	return os.WriteFile(s.ready(), []byte(kind), 0o600)
}

// end takes the lab down. The slot is empty again.
func (s slot) end(l Lab) error {
	if err := l.End(); err != nil {
		return fmt.Errorf("end the lab: %w", err)
	}
	return os.RemoveAll(s.ready())
}
