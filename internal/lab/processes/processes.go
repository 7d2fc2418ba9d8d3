// Package processes keeps track of the processes of a lab: of the control plane
// and of everything that Pulumi starts, also where the lab itself was killed
// before it could write anything down.
//
// Each process is started with an entry in its environment that bears the lab's
// ID, and hands that on to those that it starts.
package processes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const variable = "MIXEDKUBE_LAB"

// Mark is the entry of the environment that makes a process one of the lab with
// the ID, which must be unique on the machine.
func Mark(id string) string { return variable + "=" + id }

// Of lists the processes of a lab. Those that have ended and wait to be reaped
// do not count; an empty ID has none.
func Of(id string) ([]int, error) {
	if id == "" {
		return nil, nil
	}
	if _, err := os.Stat("/proc/self/environ"); err == nil {
		return fromProc(id), nil
	}
	// macOS: -E adds the environment to the command.
	out, err := exec.Command("ps", "-axwwE", "-o", "pid=,command=").Output()
	if err != nil {
		return nil, fmt.Errorf("list the processes with ps: %w", err)
	}
	return fromPS(string(out), id), nil
}

// Kill ends the processes of a lab and returns when they are gone.
func Kill(id string) error {
	for deadline := time.Now().Add(10 * time.Second); ; {
		pids, err := Of(id)
		if err != nil || len(pids) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v of the lab do not end: end them by hand", pids)
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d of the lab: %w", pid, err)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// fromProc reads the environment that each process was started with. Those of
// other users do not show it.
func fromProc(id string) []int {
	var pids []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for entry := range bytes.SplitSeq(environ, []byte{0}) {
			if string(entry) == Mark(id) {
				pids = appendPID(pids, filepath.Base(filepath.Dir(file)))
			}
		}
	}
	return pids
}

// fromPS reads lines of a number, a command and its environment.
func fromPS(out, id string) []int {
	var pids []int
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		for _, field := range fields[min(1, len(fields)):] {
			if field == Mark(id) {
				pids = appendPID(pids, fields[0])
				break
			}
		}
	}
	return pids
}

// appendPID leaves out this process: it may have been started from a lab's.
func appendPID(pids []int, number string) []int {
	if pid, err := strconv.Atoi(number); err == nil && pid != os.Getpid() {
		return append(pids, pid)
	}
	return pids
}
