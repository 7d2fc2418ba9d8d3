package hostile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// run is a command line on a machine.
type run struct {
	args []string
	// dir is the working directory, the checkout by default.
	dir   string
	stdin io.Reader
	// files are further open files of the process. The number of the first is 3.
	files []*os.File
	// writes are the paths on the machine that the command may write.
	writes []string
	// heavy is true if helm may need what its own limit allows.
	heavy bool
}

// result is what is left of a run.
type result struct {
	code           int
	stdout, stderr string
	// ended is why the run has not ended by itself.
	ended string
	// cpu and memory are the processor time and the largest resident memory in bytes, of the command and of helm. Linux
	// counts the memory of this test before it starts the command, too.
	cpu    time.Duration
	memory int64
	// changed lists the paths that have changed and may not.
	changed []string
}

const (
	// addresses limits the address space in KB, and seconds the processor time, of each process: they end a run that
	// is far beyond the bounds, before it harms this machine.
	addresses, seconds = 6 << 20, 40
)

// run runs the command. The limits are in effect before the command begins.
func (m machine) run(t *testing.T, r run) result {
	t.Helper()
	before := m.snapshot(t)
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	const limited = `ulimit -v "$1" && ulimit -t "$2" && ulimit -c 0 && shift 2 && exec "$@"`
	words := append([]string{"-c", limited, "sh", strconv.Itoa(addresses), strconv.Itoa(seconds), mixedkube}, r.args...)
	cmd := exec.CommandContext(ctx, "/bin/sh", words...)
	cmd.Dir, cmd.Stdin, cmd.ExtraFiles = r.dir, r.stdin, r.files
	if r.dir == "" {
		cmd.Dir = m.checkout
	}
	home := filepath.Join(m.base, "home")
	cmd.Env = []string{
		"PATH=" + helmDir, "HOME=" + home, "TMPDIR=" + filepath.Join(m.base, "temp"), "DOCKER_CONFIG=" + home,
		"HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home,
		"AZURE_CLIENT_SECRET=" + secret, "TF_BUILD=True", "GITHUB_ACTIONS=true", "GOTRACEBACK=single",
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	err := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed && ctx.Err() == nil {
		t.Fatal(err)
	}
	state := cmd.ProcessState
	got := result{
		code: state.ExitCode(), stdout: stdout.String(), stderr: stderr.String(),
		cpu: state.UserTime() + state.SystemTime(), changed: changes(before, m.snapshot(t), r.writes),
	}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		got.memory = usage.Maxrss << 10
	}
	switch {
	case ctx.Err() != nil:
		got.ended = "it does not end"
	case got.code < 0:
		got.ended = state.String()
	}
	return got
}

// line returns the command line, for a shell in the working directory.
func (r run) line() string {
	words := []string{"mixedkube"}
	for _, arg := range r.args {
		words = append(words, strconv.Quote(arg))
	}
	if r.stdin != nil {
		words = append(words, "< (standard input)")
	}
	return strings.Join(words, " ")
}
