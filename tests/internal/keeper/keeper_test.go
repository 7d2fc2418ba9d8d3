package keeper

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// helperVariable makes this program a test that starts a process, like a lab: see TestMain.
const helperVariable = "MIXEDKUBE_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) == "" {
		os.Exit(m.Run())
	}
	dir, err := Start()
	if err != nil {
		panic(err)
	}
	started := exec.Command("sleep", "600")
	started.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := started.Start(); err != nil {
		panic(err)
	}
	fmt.Println(dir, os.Getpid(), started.Process.Pid)
	select {}
}

// runOfTests is a run with a test that has started a process.
type runOfTests struct {
	cmd                 *exec.Cmd
	dir                 string
	test, started, tops process
}

// launchTests starts a run: below a program that is named go, or alone.
func launchTests(t *testing.T, below string) runOfTests {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	if below != "" {
		script := filepath.Join(t.TempDir(), below)
		if err := executable.Write(script, []byte("#!/bin/sh\n'"+self+"'\nexit 0\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd = exec.Command(script)
	}
	cmd.Env = append(os.Environ(), helperVariable+"=true", "TMPDIR="+t.TempDir())
	cmd.Stderr = os.Stderr
	// The test's own runner does not belong to this run.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	fields := strings.Fields(line)
	if err != nil || len(fields) != 3 {
		t.Fatalf("the test prints %q (%v)", line, err)
	}
	number := func(text string) process {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return find(pid).process
	}
	r := runOfTests{cmd, fields[0], number(fields[1]), number(fields[2]), find(cmd.Process.Pid).process}
	for _, p := range []process{r.test, r.started, r.tops} {
		if !p.alive() {
			t.Fatalf("of the run %+v, a process does not run", r)
		}
	}
	return r
}

// ends fails unless nothing of the run is left soon.
func (r runOfTests) ends(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		_, err := os.Stat(r.dir)
		if !r.test.alive() && !r.started.alive() && os.IsNotExist(err) {
			return
		}
	}
	t.Errorf("left: the test: %t, the process that it has started: %t, %s", r.test.alive(), r.started.alive(), r.dir)
}

func TestAKilledRunLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		below  string
		killed func(runOfTests) process
	}{
		"go test is killed":            {"go", func(r runOfTests) process { return r.tops }},
		"a test that runs alone":       {"", func(r runOfTests) process { return r.test }},
		"a test below another program": {"debugger", func(r runOfTests) process { return r.test }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := launchTests(t, tt.below)
			if err := syscall.Kill(tt.killed(r).pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = r.cmd.Wait()
			r.ends(t)
		})
	}
}

// TestPackagesShareTheRun kills the test of one package, while `go test` has other packages.
func TestPackagesShareTheRun(t *testing.T) {
	t.Parallel()
	r := launchTests(t, "go")
	if err := syscall.Kill(r.tops.pid, syscall.SIGSTOP); err != nil { // as if go test had further packages
		t.Fatal(err)
	}
	if err := syscall.Kill(r.test.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * poll)
	if !r.started.alive() {
		t.Error("go test still runs, and the keeper has ended a process")
	}
	if err := syscall.Kill(r.tops.pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_ = r.cmd.Wait()
	r.ends(t)
}
