package e2e

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// TestKilledRun kills `lab up` with SIGKILL at several points. The next up or down must handle the leftovers.
func TestKilledRun(t *testing.T) {
	t.Parallel()
	binary := program(t, labCommand(t))
	// killAt starts `lab up` in the lab's directory, and kills it once reached returns true.
	killAt := func(t *testing.T, l testLab, reached func() bool) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, "-dir", l.Dir, "up", "-stack", "lab-given")
		cmd.Dir = checkout(t)
		cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
		// A new session, so that the signal does not reach other processes.
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, func(context.Context) string {
			if reached() {
				return ""
			}
			return "the run has not reached the point at which to kill it"
		})
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
	}
	exists := func(parts ...string) func() bool {
		return func() bool {
			files, _ := filepath.Glob(filepath.Join(parts...))
			return len(files) > 0
		}
	}
	controlPlaneStarts := func(l testLab) func() bool {
		return exists(l.Dir, "cluster", "kwok", "clusters", "*", "pids", "etcd.pid")
	}
	pulumiDeploys := func(l testLab) func() bool {
		return exists(l.Dir, "pulumi", "*", "state", ".pulumi", "locks", "*", "*", "*", "*.json")
	}
	// upAgain kills a run, and starts it again.
	upAgain := func(t *testing.T, point func(testLab) func() bool) testLab {
		t.Helper()
		l := newLab(t)
		killAt(t, l, point(l))
		if len(l.processes(t)) == 0 {
			t.Error("no process is left, so this test checks nothing")
		}
		check(t, l.Up(t.Context(), lab.Options{Stack: "lab-given"}))
		contains(t, l.Out.Take(), "an earlier run was cut off: removing what it left in "+l.Dir, "15 created",
			"0 problems")
		return l
	}
	for _, c := range sample.Of(t, []struct {
		name string
		run  func(*testing.T)
	}{
		{"while the control plane starts", func(t *testing.T) {
			t.Helper()
			upAgain(t, controlPlaneStarts)
		}},
		{"while pulumi deploys", func(t *testing.T) {
			t.Helper()
			l := upAgain(t, pulumiDeploys)
			t.Run("a cluster without processes starts again with all its objects", func(t *testing.T) {
				check(t, processes.Kill(l.ID()))
				err := l.Status(t.Context())
				if want := "the cluster does not answer: "; err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("status: got %v, want %s…", err, want)
				}
				check(t, l.Up(t.Context(), lab.Options{Stack: "lab-given"}))
				contains(t, l.Out.Take(), "15 unchanged", "0 problems")
			})
		}},
		{"and then taken down", func(t *testing.T) {
			t.Helper()
			l := newLab(t)
			killAt(t, l, controlPlaneStarts(l))
			check(t, l.Down())
		}},
	}, 1) {
		t.Run(c.name, c.run)
	}
}

// TestInterruptedRun interrupts runs like Ctrl-C, the first one while the control plane starts and the second one while
// Pulumi deploys. The lab retains the existing cluster.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var before types.UID
	for _, run := range []struct{ name, reached, content string }{
		{"while the control plane starts", filepath.Join("cluster", "kwokctl.yaml"), ""},
		// Wait for the first resource in the state: before the preview, Pulumi does not handle signals.
		{
			"while pulumi deploys", filepath.Join("pulumi", "*", "state", ".pulumi", "stacks", "*", "*.json"),
			`"pulumi:pulumi:Stack"`,
		},
	} {
		done := t.Run(run.name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			ended := make(chan error, 1)
			go func() { ended <- l.Up(ctx, lab.Options{Stack: "lab-given"}) }()
			eventually(t, func(context.Context) string {
				files, _ := filepath.Glob(filepath.Join(l.Dir, run.reached))
				for _, file := range files {
					if content, err := os.ReadFile(file); err == nil && strings.Contains(string(content), run.content) {
						return ""
					}
				}
				return "the run has not reached the point at which to interrupt it"
			})
			interrupt()
			if err := <-ended; err == nil {
				t.Error("an interrupted up must not succeed")
			}
			before = sameCluster(t, l, before)
		})
		if !done {
			return
		}
	}
	check(t, l.Up(t.Context(), lab.Options{Stack: "lab-given"}))
	sameCluster(t, l, before)
	out := l.Out.Take()
	contains(t, out, "0 problems")
	if strings.Contains(out, "cut off") {
		t.Error("an interrupted run ends properly, and must not be treated as one that was cut off")
	}
}

// sameCluster fails if the lab had a cluster before, and now has another one.
func sameCluster(t *testing.T, l testLab, before types.UID) types.UID {
	t.Helper()
	now := clusterUID(t, l)
	if before != "" && before != now {
		t.Error("the lab has another cluster")
	}
	return now
}

// clusterUID returns a unique ID of the cluster, or "" if there is none.
func clusterUID(t *testing.T, l testLab) types.UID {
	t.Helper()
	client, err := l.Client()
	if errors.Is(err, cluster.ErrNone) {
		return ""
	}
	check(t, err)
	namespace, err := client.CoreV1().Namespaces().Get(t.Context(), "kube-system", metav1.GetOptions{})
	check(t, err)
	return namespace.UID
}

func TestBusyPort(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	port := listener.Addr().(*net.TCPAddr).Port

	l := newLab(t)
	err = l.Start(t.Context(), lab.Options{Stack: "lab-given", Port: port})
	want := "port " + strconv.Itoa(port) + " is not free on 127.0.0.1 (listen tcp 127.0.0.1:" + strconv.Itoa(port) +
		": bind: address already in use): choose another one, or 0 for one that is free"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if left := l.processes(t); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	if _, err := os.Stat(filepath.Join(l.Dir, "cluster")); !os.IsNotExist(err) {
		t.Errorf("a cluster's directory is left: %v", err)
	}

	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Start(t.Context(), lab.Options{Stack: "lab-given", Port: port}); err != nil {
		t.Fatalf("the port is free now: %v", err)
	}
	if err := l.Start(t.Context(), lab.Options{Stack: "lab-given", Port: port}); err != nil {
		t.Fatalf("the cluster itself holds the port now: %v", err)
	}
	err = l.Start(t.Context(), lab.Options{Stack: "lab-given", Port: port + 1})
	want = fmt.Sprintf("the cluster is at https://127.0.0.1:%d: take it down with `make down` to give it port %d",
		port, port+1)
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
