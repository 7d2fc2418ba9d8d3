package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// An upgrade of two nodes changes pods and nodes about 40 times.
const changesBetweenMoments = 4

// testKilledDrains kills a client with SIGKILL at ten moments of a drain, and every second time also the simulated
// Azure. The operation continues, in the second case with the next request, and ends as it would have.
func testKilledDrains(t *testing.T, l labtest.Lab, cloud *arm.Cloud, client kubernetes.Interface) {
	t.Helper()
	az := program(t, filepath.Join(checkout(t), "internal", "lab", "cmd", "az"))
	for _, moment := range sample.Of(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2) {
		t.Run(fmt.Sprintf("moment %d", moment), func(t *testing.T) {
			r := startRolling(t, cloud, client, outcome{Budget: "allows"}, killedAt+moment)
			command := func(ctx context.Context) *exec.Cmd {
				cmd := exec.CommandContext(ctx, az, "aks", "nodepool", "upgrade", "-g", "rolling", "--cluster-name",
					filepath.Base(r.id), "-n", r.pool, "-k", "1.36", "--yes", "-o", "none")
				cmd.Env = append(os.Environ(), armclient.DirVariable+"="+l.AzureDir(),
					armclient.KubeconfigVariable+"="+l.Kubeconfig(), armclient.MinuteVariable+"="+minute.String(),
					processes.Mark(l.ID()))
				// A new session, so that the signal does not reach other processes.
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
				return cmd
			}
			before := r.changed()
			first := command(t.Context())
			check(t, first.Start())
			eventually(t, func(ctx context.Context) string {
				if state := r.state(ctx); state != "Upgrading" {
					return "the pool is " + state
				}
				return ""
			})
			eventually(t, func(context.Context) string {
				if n := r.changed() - before; n < moment*changesBetweenMoments {
					return fmt.Sprintf("%d changes", n)
				}
				return ""
			})
			t.Logf("killed after %d changes", r.changed()-before)
			check(t, first.Process.Kill())
			_ = first.Wait()
			if moment%2 == 1 {
				check(t, processes.KillMarked(azurenodes.WorkerMark(l.AzureDir())))
			}
			eventually(t, func(ctx context.Context) string {
				output, err := command(ctx).CombinedOutput()
				if err != nil && !strings.Contains(string(output), "Another agentpool operation") {
					t.Fatalf("%v\n%s", err, output)
				}
				return string(output)
			})
			if diff := cmp.Diff([]string{"new", "new"}, r.lines(t)); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
			if state := r.state(t.Context()); state != "Succeeded" {
				t.Errorf("the pool is %s", state)
			}
			r.checkNames(t, false)
			r.settles(t)
			r.checkBudget(t)
			r.finish(t, outcome{})
		})
	}
}
