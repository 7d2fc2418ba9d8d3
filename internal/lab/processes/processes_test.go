package processes

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestKill(t *testing.T) {
	t.Parallel()
	id, otherID := rand.Text(), rand.Text()
	dir, other := t.TempDir(), t.TempDir()
	start := func(dir, id string) *exec.Cmd {
		// The shell's child must be found as well.
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `sleep 60 & echo $! > "$0"; wait`,
			filepath.Join(dir, "child"))
		cmd.Env = append(os.Environ(), Mark(id))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	own, others := start(dir, id), start(other, otherID)
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
	want := []int{own.Process.Pid, child(dir)}
	otherChild := child(other)
	of := func(id string) []int {
		pids, err := Of(id)
		if err != nil {
			t.Fatal(err)
		}
		return pids
	}
	got := of(id)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("processes are %v, want %v", got, want)
	}

	if err := Kill(id); err != nil {
		t.Fatal(err)
	}
	if left := of(id); left != nil {
		t.Errorf("processes %v are left", left)
	}
	if err := own.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("the process ended with %v", err)
	}
	if left := of(otherID); !slices.Contains(left, others.Process.Pid) || !slices.Contains(left, otherChild) {
		t.Errorf("another lab's processes are %v, want %d and %d", left, others.Process.Pid, otherChild)
	}
	if err := Kill(otherID); err != nil {
		t.Fatal(err)
	}
	_ = others.Wait()
}

func TestFromPS(t *testing.T) {
	t.Parallel()
	const out = `    1 /sbin/launchd
  412 /lab/bin/etcd --data-dir /lab/etcd PATH=/bin MIXEDKUBE_LAB=ABC HOME=/lab
  413 /lab/bin/etcd MIXEDKUBE_LAB=ABCD
  414 vi MIXEDKUBE_LAB
  415 /lab/bin/kwok MIXEDKUBE_LAB=ABC
`
	if got, want := fromPS(out, Mark("ABC")), []int{412, 415}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestALabWithoutAnIDHasNoProcesses(t *testing.T) {
	t.Parallel()
	if pids, err := Of(""); pids != nil || err != nil {
		t.Errorf("got %v, %v", pids, err)
	}
}
