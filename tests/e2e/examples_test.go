package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// configuredExamples are the examples that need a configuration in this test, with a function of the checkout's path.
var configuredExamples = map[string]func(checkout string) string{
	// The publisher's chart and manifests would be copied first.
	"antrea": func(checkout string) string {
		testdata := filepath.Join(checkout, "examples", "antrea", "testdata")
		return "antrea:chart: " + filepath.Join(testdata, "antrea") + "\n" +
			"  antrea:windows: " + filepath.Join(testdata, "antrea-windows.yml")
	},
	// The lab's cluster was not created by kubeadm.
	"bare-metal-agents": func(string) string { return "bare-metal-agents:ownServiceAccount: true" },
	// The publisher's chart would be copied first.
	"calico": func(checkout string) string {
		return "calico:chart: " + filepath.Join(checkout, "examples", "calico", "testdata", "tigera-operator")
	},
	// The real chart would be downloaded, and no program would answer its webhook.
	"gmsa": func(checkout string) string {
		return "gmsa:chart: " + filepath.Join(checkout, "components", "gmsa", "testdata", "program", "chart")
	},
}

// TestExamples deploys each example into a lab, and destroys some of them, or all with -all. TestLabInAzure, TestTheExampleOfMachines,
// TestClustersThatExist and TestTheExampleForEKS do this for the examples that create their cluster in Azure or look it
// up there, and for the example for EKS.
func TestExamples(t *testing.T) {
	t.Parallel()
	examples := examplesForAnyCluster(t)
	if len(examples) < 20 {
		t.Fatalf("there are only %d examples", len(examples))
	}
	destroyed := sample.Of(t, examples, 8)
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deployExample(t, name, slices.Contains(destroyed, name))
		})
	}
}

// examplesForAnyCluster returns the names of the examples that do not need a specific cluster.
func examplesForAnyCluster(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(checkout(t), "examples"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, example := range entries {
		if _, err := os.Stat(filepath.Join(checkout(t), "examples", example.Name(), "Pulumi.yaml")); err != nil {
			continue
		}
		_, ok := inAzure[example.Name()]
		if !ok && !slices.Contains([]string{machinesExample, eksExample, existingExample}, example.Name()) {
			names = append(names, example.Name())
		}
	}
	return names
}

func deployExample(t *testing.T, name string, destroy bool) {
	t.Helper()
	l := emptyLab(t, "lab-given")
	config := ""
	if configuration, ok := configuredExamples[name]; ok {
		config = filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
		check(t, os.WriteFile(config, []byte("config:\n  "+configuration(checkout(t))+"\n"), 0o600))
	}
	stack := l.project(t, "examples/"+name, "dev", config)
	if err := stack.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Out.Take()
	if err := l.Status(t.Context()); err != nil {
		t.Error(err)
	}
	if shown := l.Out.Take(); name != "calico" { // whose operator would create the pods of Windows nodes
		contains(t, shown, "windows   10.0.20348")
	}
	golden.Equal(t, "testdata/examples/"+name+".golden", landed(t, l.client(t)))
	if err := stack.Preview(t.Context(), "--expect-no-changes"); err != nil {
		t.Error(err)
	}
	if !destroy {
		return
	}
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Error(err)
	}
}

// landed returns a line for each pod in a cluster, with the kind of its controller and the pool of its node, and for
// each Service. It has no names, because Pulumi generates many of them.
func landed(t *testing.T, client kubernetes.Interface) string {
	t.Helper()
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	var lines []string
	for _, pod := range pods.Items {
		of := ""
		if owner := metav1.GetControllerOf(&pod); owner != nil {
			of = " of a " + owner.Kind
		}
		pool, _, _ := strings.Cut(pod.Spec.NodeName, "-")
		if inAzure := nodeOnAKS.FindStringSubmatch(pod.Spec.NodeName); inAzure != nil {
			pool = inAzure[1]
		}
		line := fmt.Sprintf("a pod%s in %s is %s on %s\n", of, pod.Namespace, pod.Status.Phase, pool)
		// A CronJob may create a second Job meanwhile.
		if of != " of a Job" || !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	services, err := client.CoreV1().Services(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	for _, s := range services.Items {
		if s.Name == "kubernetes" {
			continue
		}
		ports := make([]string, len(s.Spec.Ports))
		for i, p := range s.Spec.Ports {
			ports[i] = fmt.Sprintf("%d to %s", p.Port, p.TargetPort.String())
			if s.Spec.Type != corev1.ServiceTypeClusterIP && p.NodePort == 0 {
				t.Errorf("the Service %s has no node port", s.Name)
			}
		}
		lines = append(lines,
			fmt.Sprintf("a %s Service in %s leads %s\n", s.Spec.Type, s.Namespace, strings.Join(ports, ", ")))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// nodeOnAKS matches the name of a node on AKS with its pool: akswin22d000000, or aks-sysvhv-62242410-vmss000000.
var nodeOnAKS = regexp.MustCompile(`^aks-?([a-z][a-z0-9]*?)(?:-\d{8}-vmss)?[0-9a-z]{6}$`)
