package keeper

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// find reads the details of a process from /proc/PID/stat, see proc_pid_stat(5). They are zero if it does not exist.
func find(pid int) details {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return details{}
	}
	_, rest, _ := strings.Cut(string(text), " (")
	end := strings.LastIndex(rest, ") ")
	if end < 0 {
		return details{}
	}
	// The fields from number 3 on.
	fields := strings.Fields(rest[end+2:])
	const state, parent, started = 0, 1, 19
	if len(fields) <= started {
		return details{}
	}
	above, err := strconv.Atoi(fields[parent])
	if err != nil {
		return details{}
	}
	return details{process{pid, fields[started]}, rest[:end], fields[state], above}
}
