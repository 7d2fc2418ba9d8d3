package proctime

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// stat is what /proc/PID/stat shows of a process.
type stat struct {
	key
	parent      int
	name        string
	own, waited time.Duration
}

// tick is the unit of times in /proc: USER_HZ is 100 on all systems on which Go runs.
const tick = 10 * time.Millisecond

// running returns all processes.
func running() []stat {
	entries, _ := os.ReadDir("/proc")
	var all []stat
	buffer := make([]byte, 1024)
	for _, entry := range entries {
		if name := entry.Name(); name[0] < '0' || name[0] > '9' {
			continue
		}
		file, err := os.Open("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		n, err := file.Read(buffer)
		_ = file.Close()
		if err != nil {
			continue
		}
		if s, ok := parse(string(buffer[:n])); ok {
			all = append(all, s)
		}
	}
	return all
}

// parse reads the line in /proc/PID/stat, see proc_pid_stat(5). The name can contain blanks and parentheses.
func parse(line string) (stat, bool) {
	number, rest, _ := strings.Cut(line, " (")
	end := strings.LastIndex(rest, ") ")
	if end < 0 {
		return stat{}, false
	}
	// The fields from number 3 on.
	fields := strings.Fields(rest[end+2:])
	if len(fields) < 20 {
		return stat{}, false
	}
	field := func(number int) uint64 {
		value, err := strconv.ParseInt(fields[number-3], 10, 64)
		if err != nil {
			return 0
		}
		return uint64(max(0, value))
	}
	times := func(user, system int) time.Duration { return time.Duration(field(user)+field(system)) * tick }
	pid, err := strconv.Atoi(number)
	return stat{
		key: key{pid, field(22)}, parent: int(field(4)), name: rest[:end], own: times(14, 15), waited: times(16, 17),
	}, err == nil
}

// describe reads what else is known of a process.
func describe(s stat) Process {
	dir := filepath.Join("/proc", strconv.Itoa(s.pid))
	words := func(file string) []string {
		text, _ := os.ReadFile(filepath.Join(dir, file))
		return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	}
	at, _ := os.Readlink(filepath.Join(dir, "cwd"))
	return Process{PID: s.pid, Parent: s.parent, Name: s.name, Args: words("cmdline"), Env: words("environ"), Dir: at}
}
