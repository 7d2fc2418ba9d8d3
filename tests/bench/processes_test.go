package bench

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// used is the resource usage of a process of a lab so far, from /proc of Linux; zero on other systems.
type used struct {
	memory, peak int64 // bytes
	cpu          time.Duration
}

// usage returns the resource usage of the processes of a lab by the names of their commands.
func usage(b *testing.B, labID string) map[string]used {
	b.Helper()
	pids, err := processes.Of(labID)
	if err != nil {
		b.Error(err)
	}
	found := map[string]used{}
	for _, pid := range pids {
		dir := filepath.Join("/proc", strconv.Itoa(pid))
		command, err := os.Readlink(filepath.Join(dir, "exe"))
		status, err2 := os.ReadFile(filepath.Join(dir, "status"))
		stat, err3 := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil || err2 != nil || err3 != nil {
			continue // it has ended
		}
		u := used{cpu: cpuTime(string(stat))}
		for line := range strings.Lines(string(status)) {
			fields := strings.Fields(line)
			switch fields[0] {
			case "VmRSS:":
				u.memory = kibibytes(fields[1])
			case "VmHWM:":
				u.peak = kibibytes(fields[1])
			}
		}
		name := filepath.Base(command)
		sum := found[name]
		found[name] = used{sum.memory + u.memory, sum.peak + u.peak, sum.cpu + u.cpu}
	}
	return found
}

// cpuTime returns the sum of the 14th and 15th field of /proc/PID/stat, which are in hundredths of a second. The second
// field can contain spaces, and ends with a parenthesis.
func cpuTime(stat string) time.Duration {
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func kibibytes(number string) int64 {
	n, _ := strconv.ParseInt(number, 10, 64)
	return n << 10
}

func mebibytes(bytes int64) string { return fmt.Sprintf("%d MiB", bytes>>20) }

// during returns the resource usage of the processes of a lab that start during do, and the time that do takes.
func during(b *testing.B, labID string, do func()) (map[string]used, time.Duration) {
	b.Helper()
	others, found := usage(b, labID), map[string]used{}
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
				now := usage(b, labID)
				maps.DeleteFunc(now, func(name string, _ used) bool { _, ok := others[name]; return ok })
				maps.Copy(found, now)
			}
		}
	}()
	started := time.Now()
	do()
	took := time.Since(started)
	close(done)
	<-stopped
	return found, took
}
