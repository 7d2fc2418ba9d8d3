package sources

import (
	"os"

	"golang.org/x/sys/unix"
)

// limitMemory limits the data of a process: unlike its address space, of which programs in Go reserve much more than they
// use.
func limitMemory(process *os.Process, limit uint64) error {
	return unix.Prlimit(process.Pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}, nil)
}
