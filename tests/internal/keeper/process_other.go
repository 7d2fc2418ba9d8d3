//go:build !linux

package keeper

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// find asks ps for the details of a process. They are zero if it does not exist.
func find(pid int) details {
	out, err := exec.Command("ps", "-o", "ppid=,stat=,lstart=,comm=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return details{}
	}
	// 501 Ss Mon Nov 30 03:47:04 2026 /usr/bin/make
	fields := strings.Fields(string(out))
	if len(fields) < 8 {
		return details{}
	}
	above, err := strconv.Atoi(fields[0])
	if err != nil {
		return details{}
	}
	return details{
		process{pid, strings.Join(fields[2:7], "_")}, filepath.Base(fields[7]), fields[1][:1], above,
	}
}
