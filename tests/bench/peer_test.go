package bench

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peer is a command that checks manifests.
type peer struct {
	command string
	args    []string
}

// run is the result of a run of a peer: its times, memory, output and exit code.
type run struct {
	wall, cpu time.Duration
	// peak is the peak memory, from /proc of Linux; zero on other systems.
	peak int64
	out  string
	code int
}

// on runs the command on files or directories.
func (p *peer) on(b *testing.B, paths ...string) run {
	b.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(b.Context(), p.command, append(slices.Clone(p.args), paths...)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	started := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan int64)
	stop := make(chan struct{})
	go func() { ended <- watch(cmd.Process.Pid, stop) }()
	err := cmd.Wait()
	wall := time.Since(started)
	close(stop)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.Fatal(err)
	}
	state := cmd.ProcessState
	return run{wall, state.UserTime() + state.SystemTime(), <-ended, out.String(), state.ExitCode()}
}

// watch returns the peak memory of a process at the last poll. It does not use the resource usage of the ended process,
// because that includes memory of the parent.
func watch(pid int, stop <-chan struct{}) (peak int64) {
	file := filepath.Join("/proc", strconv.Itoa(pid), "status")
	for {
		status, _ := os.ReadFile(file)
		for line := range strings.Lines(string(status)) {
			if fields := strings.Fields(line); fields[0] == "VmHWM:" {
				peak = max(peak, kibibytes(fields[1]))
			}
		}
		select {
		case <-stop:
			return peak
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// middle returns the median.
func middle(of []int64) int64 { return slices.Sorted(slices.Values(of))[len(of)/2] }

// tool builds a command of a module in internal/lab/tools that only this package needs.
func tool(b *testing.B, module, pkg string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), module)
	cmd := exec.CommandContext(b.Context(), "go", "build", "-ldflags=-w", "-o", binary, pkg)
	cmd.Dir = filepath.Join(checkout(b), "internal", "lab", "tools", module)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return binary
}
