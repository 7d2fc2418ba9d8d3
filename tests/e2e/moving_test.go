package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// moves are the operations of Pulumi when a program moves resources into components, and out of them again: none on
// resources of providers, except updates of the cluster in Azure.
type moves struct{ project, key, in, out string }

// move runs the three ways of a program in order, and compares the existing objects after each of them.
func (m moves) move(t *testing.T, l testLab, prepare func(*deploy.Stack), list func() []string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	check(t, os.WriteFile(config, []byte("config:\n  azure-native:location: westeurope\n"), 0o600))
	stack := l.project(t, m.project, "dev", config)
	prepare(stack)
	way := func(name string) []string {
		events, args := labtest.EventLog(t)
		check(t, stack.Up(t.Context(), append(args, "--config", m.key+"="+name)...))
		check(t, stack.Preview(t.Context(), "--config", m.key+"="+name, "--expect-no-changes"))
		return labtest.Operations(t, events)
	}
	// Azure is busy with a new cluster for a while, and azure-native does not retry.
	for try := 1; ; try++ {
		if err := stack.Up(t.Context(), "--config", m.key+"=plain"); err == nil {
			break
		} else if try == 5 {
			t.Fatal(err)
		}
	}
	before := list()
	if len(before) == 0 {
		t.Fatal("there are no objects to move")
	}
	for _, step := range []struct{ name, want string }{{"in", m.in}, {"out", m.out}} {
		if diff := cmp.Diff(labtest.Lines(step.want), way(step.name)); diff != "" {
			t.Errorf("operations on the way %s (-want +got):\n%s", step.name, diff)
		}
		if diff := cmp.Diff(before, list()); diff != "" {
			t.Errorf("after the way %s (-before +after):\n%s", step.name, diff)
		}
	}
	check(t, stack.Destroy(t.Context(), "--skip-preview", "--config", m.key+"=out"))
}

// TestObjectsMoveIntoComponentsAndOut moves objects of pulumi-kubernetes into components and out of them again: each
// object must be retained, with the name that Pulumi has generated for it.
func TestObjectsMoveIntoComponentsAndOut(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	m := moves{
		project: "components/workload/testdata/moving", key: "moving:way",
		in: `
			create mixedkube:manifest:Chart shop
			create mixedkube:runtimeclass:Set windows
			create mixedkube:workload:Deployment web
			delete pulumi:providers:kubernetes default
		`,
		out: `
			delete mixedkube:manifest:Chart shop
			delete mixedkube:runtimeclass:Set windows
			delete mixedkube:workload:Deployment web
		`,
	}
	m.move(t, l, func(*deploy.Stack) {}, func() []string { return labtest.Identities(t, l.client(t)) })
}

// TestAClusterMovesIntoAComponentAndOut does the same with a cluster on AKS, its group and a pool.
func TestAClusterMovesIntoAComponentAndOut(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab")
	m := moves{
		project: "components/aks/testdata/moving", key: "moving-aks:way",
		// The updates set defaults of the component that the plain resources leave to Azure.
		in: `
			create mixedkube:aks:Cluster shop
			create pulumi:index:Stash shop-windows-admin
			create pulumi:providers:kubernetes shop-kubernetes
			create pulumi:providers:pulumi default
			update azure-native:containerservice:AgentPool shop-win22d
			update azure-native:containerservice:ManagedCluster shop-cluster
		`,
		out: `
			delete mixedkube:aks:Cluster shop
			delete pulumi:index:Stash shop-windows-admin
			delete pulumi:providers:kubernetes shop-kubernetes
			delete pulumi:providers:pulumi default
			update azure-native:containerservice:AgentPool win22
			update azure-native:containerservice:ManagedCluster shop
		`,
	}
	m.move(t, l, func(stack *deploy.Stack) {
		check(t, stack.SetSecret(t.Context(), "moving-aks:windowsPassword", "Correct-Horse-Battery-9"))
	}, func() []string {
		nodes, err := l.client(t).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		check(t, err)
		var lines []string
		for _, node := range nodes.Items {
			lines = append(lines, node.Name+" "+string(node.UID))
		}
		return lines
	})
}
