package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// inPlaceLab is a lab with the stack of components/aks/testdata/inplace.
type inPlaceLab struct {
	testLab

	stack   *deploy.Stack
	records string
}

// configure sets the configuration of the program.
func (l inPlaceLab) configure(t *testing.T, settings ...string) {
	t.Helper()
	var text strings.Builder
	text.WriteString("config:\n  azure-native:location: westeurope\n")
	for _, setting := range settings {
		text.WriteString("  inplace:" + setting + "\n")
	}
	check(t, os.WriteFile(l.stack.Config, []byte(text.String()), 0o600))
}

// startInPlace starts a lab for the stack, in the simulated previews.
func startInPlace(t *testing.T) inPlaceLab {
	t.Helper()
	l := inPlaceLab{testLab: emptyLab(t, "lab"), records: t.TempDir()}
	l.stack = l.project(t, "components/aks/testdata/inplace", "dev", filepath.Join(t.TempDir(), "Pulumi.dev.yaml"))
	l.stack.Environment = append(l.stack.Environment, armclient.FeaturesVariable+"="+arm.FeatureResize,
		armclient.WindowsUpgradeVariable+"=true")
	l.configure(t)
	check(t, l.stack.SetSecret(t.Context(), "inplace:windowsPassword", "Correct-Horse-Battery-9"))
	return l
}

// up runs `pulumi up` with a length of the minutes of Azure. It returns the operations and the output.
func (l inPlaceLab) up(t *testing.T, minute string, args ...string) (operations []string, output string, err error) {
	t.Helper()
	stack := *l.stack
	stack.Environment = append(slices.Clone(stack.Environment), armclient.MinuteVariable+"="+minute)
	r := newRunRecord(t, &stack, l.records)
	err = stack.Up(t.Context(), append(append(args, r.eventLog()...), "--diff")...)
	for _, operation := range labtest.Operations(t, r.events) {
		if !strings.HasPrefix(operation, "refresh ") {
			operations = append(operations, operation)
		}
	}
	return operations, r.output(t), err
}

// checkUp runs `pulumi up`, and compares its operations and the nodes after it.
func (l inPlaceLab) checkUp(t *testing.T, operations, nodes string, args ...string) {
	t.Helper()
	got, output, err := l.up(t, "20s", append(args, "--skip-preview")...)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if operations != "…" {
		labtest.SameLines(t, "operations", operations, got)
	}
	labtest.SameLines(t, "nodes", nodes, labtest.NodeLines(t, l.client(t)))
}

// TestPoolsThatChangeInPlace changes the size and the release of a pool in place, with a budget that stops the drain at
// first, and with an update that is killed. Then a new pool replaces it, with such a budget again. Each step depends on
// the previous ones.
func TestPoolsThatChangeInPlace(t *testing.T) {
	t.Parallel()
	l := startInPlace(t)
	const (
		small, large  = "pool: {vmSize: Standard_D4s_v5}", "pool: {vmSize: Standard_D8s_v5}"
		newer         = "pool: {vmSize: Standard_D8s_v5, osSKU: Windows2025}"
		smallNewer    = "pool: {vmSize: Standard_D4s_v5, osSKU: Windows2025}"
		named, change = "nameInAzure: win22d", "inPlace: true"
		linux         = "aks-sysvhv-62242410-vmss000000 v1.36.3 Standard_D4s_v5 CriticalAddonsOnly=true:NoSchedule\n"
		smallNodes    = linux + `
			akswin22d000000 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
			akswin22d000001 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
		`
		largeNodes = linux + `
			akswin22d000002 v1.36.3 Standard_D8s_v5 os=windows:NoSchedule
			akswin22d000003 v1.36.3 Standard_D8s_v5 os=windows:NoSchedule
		`
	)
	blocks, allows := "budget: {maxUnavailable: 0}", "budget: {maxUnavailable: 1}"
	l.configure(t, small, allows)
	l.checkUp(t, "…", smallNodes)

	t.Run("the name alone changes nothing", func(t *testing.T) {
		l.configure(t, small, allows, named)
		r := newRunRecord(t, l.stack, l.records)
		if err := l.stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
			t.Errorf("%v\n%s", err, r.output(t))
		}
	})
	t.Run("a budget stops the drain", func(t *testing.T) {
		l.configure(t, large, blocks, named, change)
		r := newRunRecord(t, l.stack, l.records)
		check(t, l.stack.Preview(t.Context()))
		contains(t, r.output(t), "AKS adds 1 node, drains and removes 2 old nodes",
			"this update drains the nodes of win22, where pods of Deployment/web run, and would stop there")
		_, output, err := l.up(t, "200ms", "--skip-preview")
		if err == nil {
			t.Error("the update succeeds although the budget allows no eviction")
		}
		contains(t, output, "Drain node akswin22d00000", "create of shop-win22-size: 1 pod did not leave the node "+
			"akswin22d00000", "Relax the PodDisruptionBudget web, or let them end, and run pulumi up again")
	})
	t.Run("the next update continues", func(t *testing.T) {
		l.configure(t, large, allows, named, change)
		l.checkUp(t, `
			create command:local:Command shop-win22-size
			update kubernetes:policy/v1:PodDisruptionBudget web
		`, largeNodes)
		l.checkPods(t, "akswin22d000002 akswin22d000003")
	})
	t.Run("an update to another release is killed", func(t *testing.T) {
		// A refresh shows pools that are not inline as a change of the cluster, which changes nothing.
		l.checkUp(t, "update azure-native:containerservice:ManagedCluster shop-cluster", largeNodes, "--refresh")
		l.configure(t, newer, allows, named, change, "soak: 1")
		ended := make(chan error, 1)
		go func() {
			_, _, err := l.up(t, "2s", "--skip-preview")
			ended <- err
		}()
		eventually(t, func(context.Context) string {
			if nodes := labtest.NodeLines(t, l.client(t)); len(nodes) < 4 {
				return strings.Join(nodes, "\n")
			}
			return ""
		})
		l.killPulumi(t, l.stack, ended)
	})
	t.Run("the next update ends it", func(t *testing.T) {
		l.checkUp(t, "…", largeNodes)
		l.checkPods(t, "akswin22d000002 akswin22d000003") // with the release that the pods select
	})
	t.Run("nothing is left to do", func(t *testing.T) {
		l.checkUp(t, "update azure-native:containerservice:ManagedCluster shop-cluster", largeNodes, "--refresh")
	})
	t.Run("a budget stops the deletion of the pool that a new one replaces", func(t *testing.T) {
		l.configure(t, smallNewer, blocks)
		_, output, err := l.up(t, "200ms", "--skip-preview")
		if err == nil {
			t.Error("the update succeeds although the budget allows no eviction")
		}
		contains(t, output, "PodDrainFailure", "delete of shop-win22d: ", "did not leave the node akswin22d00000")
	})
	t.Run("the next update deletes it", func(t *testing.T) {
		l.configure(t, smallNewer, allows)
		l.checkUp(t, `
			delete azure-native:containerservice:AgentPool shop-win22d
			update kubernetes:policy/v1:PodDisruptionBudget web
		`, linux+`
			akswin22h000000 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
			akswin22h000001 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
		`)
		l.checkPods(t, "akswin22h000000 akswin22h000001")
	})
}

// checkPods waits until all pods run on the nodes, and none is pending.
func (l inPlaceLab) checkPods(t *testing.T, want string) {
	t.Helper()
	client := l.client(t)
	eventually(t, func(ctx context.Context) string {
		pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err.Error()
		}
		var on []string
		for _, pod := range pods.Items {
			if !isReady(&pod) {
				return fmt.Sprintf("pod %s on %q is %s", pod.Name, pod.Spec.NodeName, pod.Status.Phase)
			}
			on = append(on, pod.Spec.NodeName)
		}
		slices.Sort(on)
		if got := strings.Join(on, " "); got != want {
			return "the pods are on " + got
		}
		return ""
	})
}
