package languages

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// moving is a stack that several programs deploy, one after the other.
type moving struct {
	lab labtest.Lab
	// programs is the directory of the programs, in the directory programs.
	programs string
	// config is its configuration file, or "" if there is none.
	config string
}

// configure writes the configuration.
func (m *moving) configure(t *testing.T, lines string) {
	t.Helper()
	m.config = filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	if err := os.WriteFile(m.config, []byte("config:\n"+lines), 0o600); err != nil {
		t.Fatal(err)
	}
}

// in returns the stack with a program in a language, until the next call.
func (m *moving) in(t *testing.T, program, language string) *deploy.Stack {
	t.Helper()
	dir := labtest.WithPins(t, filepath.Join("programs", m.programs, program, language), language)
	if m.programs == "moving" {
		chart := filepath.Join(m.lab.Root, "components", "workload", "testdata", "moving", "shop")
		if err := os.CopyFS(filepath.Join(dir, "shop"), os.DirFS(chart)); err != nil {
			t.Fatal(err)
		}
	}
	stack, err := m.lab.Project(t.Context(), dir, "dev", m.config)
	labtest.Available(t, filepath.Join(m.programs, program)+" in "+language, err)
	return stack
}

// update updates the stack, and compares the operations with the lines of want. A preview after it must show no
// changes.
func update(t *testing.T, stack *deploy.Stack, want string) {
	t.Helper()
	events, args := labtest.EventLog(t)
	timed(t, "update", func() error { return stack.Up(t.Context(), append(args, "--skip-preview")...) })
	checkOperations(t, want, labtest.Operations(t, events))
	unchanged(t, stack)
}

// unchanged fails if a preview of the stack shows changes.
func unchanged(t *testing.T, stack *deploy.Stack) {
	t.Helper()
	timed(t, "preview", func() error { return stack.Preview(t.Context(), "--expect-no-changes", "--diff") })
}

// planned fails unless a preview of the stack shows the operations in the lines of want.
func planned(t *testing.T, stack *deploy.Stack, want string) {
	t.Helper()
	events, args := labtest.EventLog(t)
	timed(t, "preview", func() error { return stack.Preview(t.Context(), args...) })
	checkOperations(t, want, labtest.Planned(t, events))
}

// checkOperations leaves out the default providers of the engine, whose names have the versions of SDKs.
func checkOperations(t *testing.T, want string, got []string) {
	t.Helper()
	got = slices.DeleteFunc(slices.Compact(got), func(operation string) bool {
		return strings.Contains(operation, " pulumi:providers:") && strings.Contains(operation, " default")
	})
	labtest.SameLines(t, "operations", want, got)
}

// TestObjectsMoveIntoComponentsAndOut moves objects of pulumi-kubernetes into components and out of them again, in
// each language: each object must be retained, with the name that Pulumi has generated for it. Without -all, the
// test runs only the programs in YAML, and previews the one with components in TypeScript.
func TestObjectsMoveIntoComponentsAndOut(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	for _, language := range []string{"yaml", "typescript", "python"} {
		if language != "yaml" && !sample.All() {
			continue
		}
		t.Run(language, func(t *testing.T) { moveObjects(t, &moving{lab: l, programs: "moving"}, language) })
	}
}

func moveObjects(t *testing.T, m *moving, language string) {
	t.Helper()
	client := m.lab.ClientOf(t)
	stack := m.in(t, "plain", language)
	timed(t, "creation", func() error { return stack.Up(t.Context(), "--skip-preview") })
	before := labtest.Identities(t, client)
	// Three Deployments with a pod each, a ConfigMap and a class. The other ConfigMap is the cluster's own.
	if len(before) != 9 {
		t.Fatalf("the objects are %q", before)
	}
	move := func(way, want string) {
		t.Helper()
		stack = m.in(t, way, language)
		update(t, stack, want)
		if diff := cmp.Diff(before, labtest.Identities(t, client)); diff != "" {
			t.Errorf("objects after %s (-before +after):\n%s", way, diff)
		}
	}
	move("in", `
		create mixedkube:manifest:Chart shop
		create mixedkube:runtimeclass:Set windows
		create mixedkube:workload:Deployment web
	`)
	if language == "yaml" {
		t.Run("unchanged in typescript", func(t *testing.T) { unchanged(t, m.in(t, "in", "typescript")) })
		move("out", `
			delete mixedkube:runtimeclass:Set windows
			delete mixedkube:workload:Deployment web
		`)
	} else {
		move("out", `
			delete mixedkube:manifest:Chart shop
			delete mixedkube:runtimeclass:Set windows
			delete mixedkube:workload:Deployment web
		`)
		// A program in YAML can continue with the charts and groups that another program has moved out.
		t.Run("unchanged in yaml", func(t *testing.T) { unchanged(t, m.in(t, "plain", "yaml")) })
		stack = m.in(t, "out", language)
	}
	timed(t, "removal", func() error { return stack.Destroy(t.Context(), "--skip-preview") })
}

// TestAClusterMovesIntoAComponent moves a cluster on AKS of a program in Go, its group and a pool into the component
// of a program in YAML. With -all, it previews the same in the other languages, before and after.
func TestAClusterMovesIntoAComponent(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab"})
	m := &moving{lab: l, programs: "moving-aks"}
	m.configure(t, "  azure-native:location: westeurope\n  moving-aks:way: plain\n")
	program := filepath.Join(l.Root, "components", "aks", "testdata", "moving")
	plain, err := l.Project(t.Context(), program, "dev", m.config)
	if err != nil {
		t.Fatal(err)
	}
	if err := plain.SetSecret(t.Context(), "moving-aks:windowsPassword", "Correct-Horse-Battery-9"); err != nil {
		t.Fatal(err)
	}
	timed(t, "creation", func() (err error) {
		// Azure is busy with a new cluster for a while, and azure-native does not retry.
		for range 5 {
			if err = plain.Up(t.Context(), "--skip-preview"); err == nil {
				break
			}
		}
		return err
	})
	nodes := func() (uids []string) {
		list, err := l.ClientOf(t).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, node := range list.Items {
			uids = append(uids, node.Name+" "+string(node.UID))
		}
		return uids
	}
	before := nodes()
	if len(before) == 0 {
		t.Fatal("there are no nodes")
	}
	// The updates set defaults of the component that the plain resources leave to Azure.
	const operations = `
		create mixedkube:aks:Cluster shop
		create pulumi:index:Stash shop-windows-admin
		create pulumi:providers:kubernetes shop-kubernetes
		update azure-native:containerservice:AgentPool shop-win22d
		update azure-native:containerservice:ManagedCluster shop-cluster
	`
	others := []string{"typescript", "python"}
	if !sample.All() {
		others = nil
	}
	for _, language := range others {
		t.Run("planned in "+language, func(t *testing.T) { planned(t, m.in(t, "in", language), operations) })
	}
	update(t, m.in(t, "in", "yaml"), operations)
	if diff := cmp.Diff(before, nodes()); diff != "" {
		t.Errorf("nodes (-before +after):\n%s", diff)
	}
	for _, language := range others {
		t.Run("unchanged in "+language, func(t *testing.T) { unchanged(t, m.in(t, "in", language)) })
	}
	stack := m.in(t, "in", "yaml")
	timed(t, "removal", func() error { return stack.Destroy(t.Context(), "--skip-preview") })
}

// TestAChildMovesIntoAComponentByATransform moves a ServiceAccount into a component whose options do not reach it.
func TestAChildMovesIntoAComponentByATransform(t *testing.T) {
	t.Parallel()
	if !sample.All() {
		t.Skip("only with make soak: programs in YAML have no transforms")
	}
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	for _, language := range []string{"typescript", "python"} {
		t.Run(language, func(t *testing.T) {
			m := &moving{lab: l, programs: "moving-transform"}
			m.configure(t, "  moving-transform:in: false\n")
			stack := m.in(t, "in", language)
			timed(t, "creation", func() error { return stack.Up(t.Context(), "--skip-preview") })
			m.configure(t, "  moving-transform:in: true\n")
			planned(t, m.in(t, "in", language), `
				create kubernetes:apps/v1:DaemonSet detector-daemonset
				create kubernetes:core/v1:ConfigMap detector-config
				create kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding detector-binding
				create mixedkube:hostprocess:NodeProblemDetector detector
			`)
			timed(t, "removal", func() error { return stack.Destroy(t.Context(), "--skip-preview") })
		})
	}
}
