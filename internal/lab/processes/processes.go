// Package processes keeps track of the processes of a lab: of the control plane
// and of everything that Pulumi starts, also where the lab itself was killed
// before it could write anything down.
//
// Each process is started with an entry in its environment that names the lab,
// and hands that on to those that it starts.
package processes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

const variable = "MIXEDKUBE_LAB"

// Mark is the entry of the environment that makes a process one of the lab in
// dir, an absolute path.
func Mark(dir string) string { return variable + "=" + dir }

// Of lists the processes of the lab in dir. It knows them by /proc; where there
// is none, as on macOS, it reads the files below dir in which kwokctl has noted
// those of the control plane.
func Of(dir string) []int {
	if _, err := os.Stat("/proc/self/environ"); err == nil {
		return marked(dir)
	}
	return noted(dir)
}

// Kill ends the processes of the lab in dir and returns when they are gone.
func Kill(dir string) error {
	for deadline := time.Now().Add(10 * time.Second); ; {
		pids := Of(dir)
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v of the lab in %s do not end: end them by hand", pids, dir)
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d of the lab: %w", pid, err)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// marked reads the environment that each process was started with. Processes
// that have ended and wait to be reaped have none any more, those of other
// users do not show it.
func marked(dir string) []int {
	var pids []int
	entry := []byte(Mark(dir))
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for have := range bytes.SplitSeq(environ, []byte{0}) {
			if bytes.Equal(have, entry) {
				pids = append(pids, numbered(filepath.Base(filepath.Dir(file)))...)
			}
		}
	}
	return pids
}

func noted(dir string) []int {
	var pids []int
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*", "clusters", "*", "pids", "*.pid"))
	for _, file := range files {
		content, _ := os.ReadFile(file)
		for _, pid := range numbered(string(bytes.TrimSpace(content))) {
			if syscall.Kill(pid, 0) == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

func numbered(s string) []int {
	pid, err := strconv.Atoi(s)
	if err != nil || pid == os.Getpid() {
		return nil
	}
	return []int{pid}
}
