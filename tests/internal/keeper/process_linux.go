package keeper

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/mixedkube/mixedkube/tests/internal/procfs"
)

// find reads the details of a process from /proc. They are zero if it does not exist.
func find(pid int) details {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return details{}
	}
	s, ok := procfs.ParseStat(string(text))
	if !ok {
		return details{}
	}
	return details{process{pid, strconv.FormatUint(s.Started, 10)}, s.Name, s.State, s.Parent}
}
