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
	// dir has the lab, and the files kind, ready while no test uses the lab, and generation.
	dir  string
	lock *flock.Flock
}

// slots is how many labs of a run exist at once. Tests wait for one. More labs than this only compete for processors.
var slots = max(6, 2*runtime.NumCPU())

// lab returns the directory of the lab. Each lab has another one: clients of Kubernetes keep connections for the paths
// of certificates.
func (s slot) lab() string {
	generation, _ := os.ReadFile(s.generation())
	return filepath.Join(s.dir, "lab"+string(generation))
}

func (s slot) generation() string { return filepath.Join(s.dir, "generation") }
func (s slot) kind() string       { return filepath.Join(s.dir, "kind") }
func (s slot) ready() string      { return filepath.Join(s.dir, "ready") }
func (s slot) exists() bool       { return exists(s.lab()) }
func (s slot) isReady() bool      { return exists(s.ready()) }
func (s slot) unlock()            { _ = s.lock.Close() }

// is reports whether the last lab of the slot was of a kind.
func (s slot) is(kind string) bool {
	content, err := os.ReadFile(s.kind())
	return err == nil && string(content) == kind
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Empty returns a running lab for a stack of the checkout, without a deployment. The test has exclusive use of it. The
// lab is emptied after the test, and taken down if that fails.
func Empty(tb testing.TB, o lab.Options) Lab {
	tb.Helper()
	kind := kind(tb, o.Stack)
	s := take(tb, kind)
	shown := &tail{to: tb.Output(), live: testing.Verbose()}
	l, fresh := s.prepare(tb, kind, shown)
	l.runs(tb)
	tb.Cleanup(func() {
		err := errors.New("the test has failed")
		if tb.Failed() {
			if err := l.Status(context.Background()); err != nil {
				tb.Logf("status: %v", err)
			}
			shown.show()
		}
		l.Out.Redirect(io.Discard)
		if !tb.Failed() {
			err = s.release(l)
		}
		if err != nil {
			tb.Logf("the lab is taken down: %v", err)
			if err := s.end(l); err != nil {
				tb.Error(err)
			}
		}
	})
	if err := l.Start(tb.Context(), o); err != nil {
		tb.Fatal(err)
	}
	if fresh {
		if err := recordObjects(tb.Context(), l.Kubeconfig(), s.dir); err != nil {
			tb.Fatal(err)
		}
	}
	l.Out.Take()
	return l
}

// kind returns what a running lab takes some time to change, see [cluster.Options].
func kind(tb testing.TB, stack string) string {
	tb.Helper()
	config, err := deploy.ReadStack(filepath.Join(Checkout(tb), "stacks"), stack)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("load balancers: %t", lab.HasLoadBalancers(config))
}

// prepare returns the lab of the slot, with its processes running, and whether it is a new one.
func (s slot) prepare(tb testing.TB, kind string, shown io.Writer) (l Lab, fresh bool) {
	tb.Helper()
	reused := s.isReady()
	var err error
	if s.exists() && !reused { // its test was killed
		if l, err = Make(Checkout(tb), s.lab(), shown); err != nil {
			tb.Fatal(err)
		}
		if err := s.end(l); err != nil {
			tb.Fatal(err)
		}
	}
	if l, err = Make(Checkout(tb), s.lab(), shown); err != nil {
		tb.Fatal(err)
	}
	// Until it is released, it is not ready.
	err = errors.Join(os.RemoveAll(s.ready()), os.WriteFile(s.kind(), []byte(kind), 0o600),
		processes.Signal(l.ID(), syscall.SIGCONT))
	if err != nil {
		tb.Fatal(err)
	}
	return l, !reused
}

// take waits for a slot: for one whose lab is ready, if possible of the same kind, or one without a lab.
func take(tb testing.TB, kind string) slot {
	tb.Helper()
	run, err := keeper.Start()
	if err != nil {
		tb.Fatal(err)
	}
	all := make([]slot, slots)
	for i := range all {
		all[i].dir = filepath.Join(run, "labs", strconv.Itoa(i))
		if err := os.MkdirAll(all[i].dir, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	for {
		for _, fits := range []func(slot) bool{
			func(s slot) bool { return s.isReady() && s.is(kind) },
			slot.isReady,
			func(s slot) bool { return !s.exists() },
			func(s slot) bool { return !s.isReady() }, // its test was killed
		} {
			if s, ok := free(tb, all, fits); ok {
				tb.Cleanup(s.unlock)
				return s
			}
		}
		select {
		case <-tb.Context().Done():
			tb.Fatal(tb.Context().Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// free locks one of the slots that fit and that no test has.
func free(tb testing.TB, all []slot, fits func(slot) bool) (slot, bool) {
	tb.Helper()
	for _, s := range all {
		if !fits(s) {
			continue
		}
		s.lock = flock.New(filepath.Join(s.dir, "lock"))
		got, err := s.lock.TryLock()
		if err != nil {
			tb.Fatal(err)
		}
		if got && fits(s) { // it may have changed in the meantime
			return s, true
		}
		s.unlock()
	}
	return slot{}, false
}

// release empties the lab for the next test, and stops its processes until then.
func (s slot) release(l Lab) error {
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
	return os.WriteFile(s.ready(), nil, 0o600)
}

// end takes the lab down. The slot is empty again.
func (s slot) end(l Lab) error {
	if err := l.End(); err != nil {
		return fmt.Errorf("end the lab: %w", err)
	}
	generation := strconv.FormatInt(time.Now().UnixNano(), 10)
	return errors.Join(os.RemoveAll(s.ready()), os.WriteFile(s.generation(), []byte(generation), 0o600))
}
