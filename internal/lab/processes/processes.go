// Package processes keeps track of the processes of a lab: of the control plane
// and of everything that Pulumi starts, even if the lab itself was killed
// before it could record anything.
//
// Each process is started with an entry in its environment that has the lab's
// ID, and the processes that it starts inherit the entry.
package processes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const variable = "MIXEDKUBE_LAB"

// Mark returns the environment entry that assigns a process to the lab with
// the ID. The ID must be unique on the machine.
func Mark(id string) string { return variable + "=" + id }

// Of returns the IDs of a lab's processes, without zombies. An empty ID has no processes.
func Of(id string) ([]int, error) {
	if id == "" {
		return nil, nil
	}
	return Marked(Mark(id))
}

// Marked returns the IDs of the processes that were started with an entry in their environment, without zombies and
// without this process.
func Marked(entry string) ([]int, error) {
	if _, err := os.Stat("/proc/self/environ"); err == nil {
		return fromProc(entry), nil
	}
	// macOS: -E adds the environment to the command.
	out, err := exec.Command("ps", "-axwwE", "-o", "pid=,command=").Output()
	if err != nil {
		return nil, fmt.Errorf("list the processes with ps: %w", err)
	}
	return fromPS(string(out), entry), nil
}

// Signal sends a signal to the processes of a lab.
func Signal(id string, signal syscall.Signal) error {
	pids, err := Of(id)
	if err != nil {
		return err
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("send process %d the signal %v: %w", pid, signal, err)
		}
	}
	return nil
}

// Kill ends the processes of a lab and returns when they have ended.
func Kill(id string) error {
	if id == "" {
		return nil
	}
	return KillMarked(Mark(id))
}

// KillMarked ends the processes that [Marked] returns, and returns when they have ended.
func KillMarked(entry string) error {
	for deadline := time.Now().Add(10 * time.Second); ; {
		pids, err := Marked(entry)
		if err != nil || len(pids) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v do not end: end them by hand", pids)
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d: %w", pid, err)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// fromProc reads the environment that each process was started with. The processes of
// other users do not show it.
func fromProc(mark string) []int {
	var pids []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for entry := range bytes.SplitSeq(environ, []byte{0}) {
			if string(entry) == mark {
				pids = appendPID(pids, filepath.Base(filepath.Dir(file)))
			}
		}
	}
	return pids
}

// fromPS parses lines with a process ID, a command and its environment.
func fromPS(out, mark string) []int {
	var pids []int
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if slices.Contains(fields[min(1, len(fields)):], mark) {
			pids = appendPID(pids, fields[0])
		}
	}
	return pids
}

// appendPID leaves out this process: a process of the lab may have started it.
func appendPID(pids []int, number string) []int {
	if pid, err := strconv.Atoi(number); err == nil && pid != os.Getpid() {
		return append(pids, pid)
	}
	return pids
}
