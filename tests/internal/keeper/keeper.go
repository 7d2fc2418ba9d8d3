// Package keeper ends what a test run has started when the run ends, even if it is killed: processes of labs,
// browsers and programs have no parent that would end them.
//
// A run is a `go test` with all its packages, or a test binary that runs alone. Its keeper is a process that waits for
// the end of the run, and then ends all processes with the mark of the run and removes its directory. All processes
// that a test starts after [Start] inherit the mark.
package keeper

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

const (
	// markVariable is the directory of the run in the environment of the processes that it starts.
	markVariable = "MIXEDKUBE_TEST_RUN"
	// keeperVariable makes a test binary the keeper of the directory.
	keeperVariable = "MIXEDKUBE_TEST_KEEPER"
	// poll is how often a keeper looks at the run.
	poll = 300 * time.Millisecond
)

// A test binary is at hand, and has the code that the keeper needs. No test runs in a keeper.
func init() { //nolint:gochecknoinits // It comes before TestMain.
	if dir := os.Getenv(keeperVariable); dir != "" {
		code := 0
		if err := keep(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code) //nolint:forbidigo // It is the main of the keeper.
	}
}

// Start makes sure that the run has a keeper, and returns the directory of the run, which its packages share.
var Start = sync.OnceValues(start)

func start() (string, error) {
	run := ancestors()
	owner := process{pid: os.Getpid()}
	if len(run) > 0 {
		owner = run[0]
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("mixedkube-tests-%d-%s", owner.pid, owner.started))
	if err := os.MkdirAll(filepath.Join(dir, "tests"), 0o700); err != nil {
		return "", err
	}
	if err := note(dir, "tests", self()); err != nil {
		return "", err
	}
	for _, p := range run {
		if err := note(dir, "run", p); err != nil {
			return "", err
		}
	}
	if err := os.Setenv(markVariable, dir); err != nil {
		return "", err
	}
	return dir, launch(dir)
}

// launch starts a keeper, and returns when a keeper is at work. It may be another package's.
func launch(dir string) error {
	log, err := os.OpenFile(filepath.Join(dir, "keeper.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program)
	// Without the mark, so that the keeper does not end itself.
	cmd.Env = slices.DeleteFunc(append(os.Environ(), keeperVariable+"="+dir), func(entry string) bool {
		return strings.HasPrefix(entry, markVariable+"=")
	})
	// go test waits for its output; and a signal from the terminal is not for the keeper.
	cmd.Stderr = log
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		held, err := isHeld(dir)
		if err != nil || held {
			return err
		}
	}
	return errors.New("the keeper of the test run does not start")
}

func lockFile(dir string) string { return filepath.Join(dir, "keeper.lock") }

// isHeld reports whether a keeper holds the lock of the run.
func isHeld(dir string) (bool, error) {
	lock := flock.New(lockFile(dir))
	free, err := lock.TryRLock()
	if free {
		_ = lock.Unlock()
	}
	return !free, err
}

// keep waits for the end of the run and ends what is left of it. It does nothing if the run has a keeper.
func keep(dir string) error {
	lock := flock.New(lockFile(dir))
	for tries := 20; ; tries-- { // those who ask whether it is held hold it for a moment
		got, err := lock.TryLock()
		if err != nil {
			return err
		}
		if got {
			break
		}
		if tries == 0 {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	for running(dir) {
		time.Sleep(poll)
	}
	return end(dir)
}

// running reports whether all of the processes of the run are alive, or, of a test binary that runs alone, it.
func running(dir string) bool {
	run, tests := noted(dir, "run"), noted(dir, "tests")
	if len(run) == 0 {
		return slices.ContainsFunc(tests, process.alive)
	}
	return !slices.ContainsFunc(run, func(p process) bool { return !p.alive() })
}

// end ends the processes of the run, and removes its directory.
func end(dir string) error {
	for _, p := range noted(dir, "tests") {
		if p.alive() {
			_ = syscall.Kill(p.pid, syscall.SIGKILL) // it may have ended
		}
	}
	// A process that has been killed may have started another one.
	err := processes.KillMarked(markVariable + "=" + dir)
	return errors.Join(err, os.RemoveAll(dir))
}
