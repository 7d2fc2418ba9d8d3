package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// TestKilledInAzure kills `lab up` with SIGKILL while the simulated Azure handles a request. The next up or down must
// handle the leftovers, including the Pulumi process that is still running.
func TestKilledInAzure(t *testing.T) {
	t.Parallel()
	binary := program(t, labCommand(t))
	for _, c := range sample.Of(t, []struct {
		name    string
		request string // a pattern for the ID of the resource
		held    func(t *testing.T, l testLab)
		then    func(t *testing.T, l testLab)
	}{
		{
			name:    "while it creates the cluster and then taken down",
			request: `/managedClusters/[^/]+$`,
			then: func(t *testing.T, l testLab) {
				t.Helper()
				check(t, l.Down())
			},
		},
		{
			name:    "while it creates a pool and then started again",
			request: `/agentPools/[^/]+$`,
			held: func(t *testing.T, l testLab) {
				t.Helper()
				checkPorts(t, l)
				checkListeners(t, l, "pulumi", "pulumi-language-go", "pulumi-resource-azure-native",
					"pulumi-resource-command")
			},
			then: func(t *testing.T, l testLab) {
				t.Helper()
				check(t, l.Up(t.Context(), lab.Options{Stack: "lab"}))
				contains(t, l.Out.Take(), "an earlier run was cut off: removing what it left in "+l.Dir, "21 created",
					"0 problems")
			},
		},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			hold(t, l, "PUT", c.request)
			cmd := exec.CommandContext(t.Context(), binary, "-dir", l.Dir, "up")
			cmd.Dir = checkout(t)
			cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
			// A new session, so that the signal does not reach other processes.
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			// Pulumi keeps running with the same output, so do not wait for its end.
			cmd.WaitDelay = time.Millisecond
			check(t, cmd.Start())
			ended := make(chan struct{})
			go func() {
				_ = cmd.Wait()
				close(ended)
			}()
			eventually(t, func(context.Context) string {
				select {
				case <-ended:
					t.Fatal("the run has ended before Azure received the request")
				default:
				}
				return notHeld(l)
			})
			if c.held != nil {
				c.held(t, l)
			}
			check(t, cmd.Process.Kill())
			<-ended
			if len(l.processes(t)) == 0 {
				t.Error("no process is left, so this test checks nothing")
			}
			c.then(t, l)
		})
	}
}

// hold delays a request in the lab's Azure until long after the test.
func hold(t *testing.T, l testLab, method, request string) {
	t.Helper()
	check(t, os.MkdirAll(l.AzureDir(), 0o700))
	// Without an ID, the lab would refuse the directory.
	check(t, os.WriteFile(filepath.Join(l.Dir, "id"), []byte(rand.Text()), 0o600))
	check(t, arm.WriteFaults(l.AzureDir(),
		[]arm.Fault{{Method: method, ID: request, Kind: arm.Slow, Delay: time.Hour}}))
}

// notHeld returns "" once Azure has received the request, because the request uses up the fault.
func notHeld(l testLab) string {
	faults, err := arm.ReadFaults(l.AzureDir())
	if err != nil || len(faults) > 0 {
		return fmt.Sprintf("Azure has not received the request: %v are left (%v)", faults, err)
	}
	return ""
}
