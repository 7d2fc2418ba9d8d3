package processes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

func TestKill(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes are known by their environment only where there is /proc")
	}
	dir, other := t.TempDir(), t.TempDir()
	start := func(dir string) *exec.Cmd {
		// The shell's child must be found as well.
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `sleep 60 & echo $! > "$0"; wait`, filepath.Join(dir, "child"))
		cmd.Env = append(os.Environ(), processes.Mark(dir))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	mine, others := start(dir), start(other)
	child := func(dir string) int {
		for range 100 {
			content, _ := os.ReadFile(filepath.Join(dir, "child"))
			if pid, err := strconv.Atoi(string(content[:max(0, len(content)-1)])); err == nil {
				return pid
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatal("the shell has started no child")
		return 0
	}
	want := []int{mine.Process.Pid, child(dir)}
	otherChild := child(other)
	got := processes.Of(dir)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("processes are %v, want %v", got, want)
	}

	if err := processes.Kill(dir); err != nil {
		t.Fatal(err)
	}
	if left := processes.Of(dir); left != nil {
		t.Errorf("processes %v are left", left)
	}
	if err := mine.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("the process ended with %v", err)
	}
	if left := processes.Of(other); !slices.Contains(left, others.Process.Pid) || !slices.Contains(left, otherChild) {
		t.Errorf("another lab's processes are %v, want %d and %d", left, others.Process.Pid, otherChild)
	}
	if err := processes.Kill(other); err != nil {
		t.Fatal(err)
	}
	_ = others.Wait()
}
