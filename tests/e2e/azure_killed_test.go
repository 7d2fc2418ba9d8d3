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
)

// TestKilledInAzure kills `lab up` without warning while the simulated Azure works on a
// request. A plain up, or down, must cope with what is left, and with the run of Pulumi
// that does not know of it.
func TestKilledInAzure(t *testing.T) {
	t.Parallel()
	binary := program(t, labCommand(t))
	for _, c := range []struct {
		name    string
		request string // what the ID of the resource matches
		held    func(t *testing.T, l testLab)
		then    func(t *testing.T, l testLab)
	}{
		{
			name:    "while it makes the cluster and then taken down",
			request: `/managedClusters/[^/]+$`,
			then: func(t *testing.T, l testLab) {
				t.Helper()
				check(t, l.Down())
			},
		},
		{
			name:    "while it makes a pool and then started again",
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
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			hold(t, l, "PUT", c.request)
			cmd := exec.CommandContext(t.Context(), binary, "-dir", l.Dir, "up")
			cmd.Dir = checkout(t)
			cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
			// A new session, so that nothing else is told of the end.
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			// Pulumi, which lives on, has the output as well.
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
					t.Fatal("the run has ended before the request came")
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
				t.Error("nothing was left running, so this test tests nothing")
			}
			c.then(t, l)
		})
	}
}

// hold makes the lab's Azure work on a request until long after the test.
func hold(t *testing.T, l testLab, method, request string) {
	t.Helper()
	check(t, os.MkdirAll(l.AzureDir(), 0o700))
	// The lab takes over no folder of somebody else.
	check(t, os.WriteFile(filepath.Join(l.Dir, "id"), []byte(rand.Text()), 0o600))
	check(t, arm.WriteFaults(l.AzureDir(),
		[]arm.Fault{{Method: method, ID: request, Kind: arm.Slow, Delay: time.Hour}}))
}

// notHeld is "" once the request has come: that uses the fault up.
func notHeld(l testLab) string {
	faults, err := arm.ReadFaults(l.AzureDir())
	if err != nil || len(faults) > 0 {
		return fmt.Sprintf("the request to Azure has not come: %v are left (%v)", faults, err)
	}
	return ""
}
