package cluster

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

func TestServicesGetAddressesWhereTheCloudHasLoadBalancers(t *testing.T) {
	t.Parallel()
	for _, loadBalancers := range []bool{true, false} {
		if got := strings.Contains(kwokctlConfig([6]int{}, etcdKey{}, loadBalancers),
			"\n  name: service-load-balancer\n"); got != loadBalancers {
			t.Errorf("with load balancers %t: the stage exists: %t", loadBalancers, got)
		}
	}
}

func TestLoadBalancersChangeWhileTheClusterExists(t *testing.T) {
	t.Parallel()
	c, id := Cluster{Dir: t.TempDir()}, "load-balancers-"+rand.Text()
	without := kwokctlConfig([6]int{}, etcdKey{}, false)
	if err := os.MkdirAll(filepath.Dir(c.pidFile(kwokController)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.controllerConfig(), []byte(without), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		want, ends bool
		config     string
	}{
		{false, false, without},
		{true, true, kwokctlConfig([6]int{}, etcdKey{}, true)},
		{true, false, kwokctlConfig([6]int{}, etcdKey{}, true)},
		{false, true, without},
	} {
		pid := controller(t, c, id)
		if err := c.setLoadBalancers(t.Context(), id, step.want); err != nil {
			t.Fatal(err)
		}
		alive, err := processes.Of(id)
		if err != nil {
			t.Fatal(err)
		}
		if ended := !slices.Contains(alive, pid); ended != step.ends {
			t.Errorf("load balancers %t: the controller has ended: %t", step.want, ended)
		}
		content, err := os.ReadFile(c.controllerConfig())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.config, string(content)); diff != "" {
			t.Errorf("load balancers %t (-want +got):\n%s", step.want, diff)
		}
	}
}

// controller starts a process in place of KWOK's controller.
func controller(t *testing.T, c Cluster, id string) int {
	t.Helper()
	process := exec.CommandContext(t.Context(), "sleep", "600")
	process.Env = append(os.Environ(), processes.Mark(id))
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Wait() }) // The context of the test has ended it.
	pid := process.Process.Pid
	if err := os.WriteFile(c.pidFile(kwokController), []byte(strconv.Itoa(pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	return pid
}
