package proctime

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/tests/internal/procfs"
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

func parse(line string) (stat, bool) {
	s, ok := procfs.ParseStat(line)
	return stat{
		key: key{s.PID, s.Started}, parent: s.Parent, name: s.Name, own: time.Duration(s.Own) * tick,
		waited: time.Duration(s.Waited) * tick,
	}, ok
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
