//go:build unix

package tools

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// alive reports whether a process runs. A zombie does not.
func alive(pid string) bool {
	if stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat")); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	number, err := strconv.Atoi(pid)
	return err == nil && syscall.Kill(number, 0) == nil
}

func kill(t *testing.T, pid string) {
	t.Helper()
	number, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(number, syscall.SIGKILL)
}
