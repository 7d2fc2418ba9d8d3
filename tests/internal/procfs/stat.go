// Package procfs reads what Linux shows of processes in /proc.
package procfs

import (
	"strconv"
	"strings"
)

// Stat has fields of /proc/PID/stat, see proc_pid_stat(5).
type Stat struct {
	PID, Parent int
	Name, State string
	// Started is the start time in ticks since the system started. With PID it identifies the process.
	Started uint64
	// Own is the processor time of the process in ticks. Waited is the time of the children for which it has waited,
	// and of theirs.
	Own, Waited uint64
}

// ParseStat reads the line in /proc/PID/stat, and reports whether it is valid. The name can contain blanks and
// parentheses.
func ParseStat(line string) (Stat, bool) {
	number, rest, _ := strings.Cut(line, " (")
	end := strings.LastIndex(rest, ") ")
	if end < 0 {
		return Stat{}, false
	}
	// The fields from number 3 on.
	fields := strings.Fields(rest[end+2:])
	if len(fields) < 20 {
		return Stat{}, false
	}
	field := func(number int) uint64 {
		value, err := strconv.ParseInt(fields[number-3], 10, 64)
		if err != nil {
			return 0
		}
		return uint64(max(0, value))
	}
	pid, err := strconv.Atoi(number)
	return Stat{
		PID: pid, Parent: int(field(4)), Name: rest[:end], State: fields[0], Started: field(22),
		Own: field(14) + field(15), Waited: field(16) + field(17),
	}, err == nil
}
