package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// desired is the desired state of a stack.
type desired struct {
	// exists is false for a stack that is destroyed.
	exists            bool
	version, password string
	// controlPlanes is the number of control plane machines of a self-managed cluster.
	controlPlanes int
	license       string
	// bare reports whether there are no workloads.
	bare bool
	// pools are the pools in the form of the configuration.
	pools []map[string]any
}

// pool returns the pool with a name, or nil if there is none.
func (w *desired) pool(name string) map[string]any {
	i := slices.IndexFunc(w.pools, func(p map[string]any) bool { return p["name"] == name })
	if i < 0 {
		return nil
	}
	return w.pools[i]
}

// copied returns a deep copy of w.
func (w *desired) copied() *desired {
	c := *w
	c.pools = nil
	for _, pool := range w.pools {
		c.pools = append(c.pools, maps.Clone(pool))
	}
	return &c
}

// shortPause is the wait in seconds before the first retry if Azure is busy. The simulated Azure is not busy for long.
const shortPause = 0.2

// want writes the stack's configuration.
func (l azureLab) want(w *desired) error {
	workloads := []string{"linux-web"}
	if w.bare {
		workloads = []string{}
	}
	content, err := yaml.Marshal(map[string]any{"config": map[string]any{
		"azure-native:location": "westeurope",
		"mixedkube:aks": map[string]any{
			"azureCLI": true, "unprotected": true, "windowsAdmin": map[string]any{"licenseType": w.license},
			"retryBackoffSeconds": shortPause,
		},
		"mixedkube:workloads": workloads,
		"mixedkube:cluster":   map[string]any{"kubernetesVersion": w.version, "pools": w.pools},
	}})
	if err != nil {
		return err
	}
	return os.WriteFile(deploy.StackFile(l.Stacks, "lab"), content, 0o600)
}

func (l azureLab) problems(t *testing.T, w *desired) error {
	t.Helper()
	ctx := t.Context()
	if !w.exists {
		return errors.Join(l.checkAzure(ctx, w), l.checkEmpty(ctx))
	}
	return errors.Join(l.checkAzure(ctx, w), l.finalStatus(ctx))
}

func (l azureLab) secrets(t *testing.T, w *desired) []leaks.Secret {
	t.Helper()
	return append(leaks.OfKubeconfig(t, l.Kubeconfig()), leaks.Secret{Name: "password " + w.password, Text: w.password})
}

// finalStatus returns Status once the pods are stable: a deployment ends before that.
func (l azureLab) finalStatus(ctx context.Context) error {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		l.Wake(ctx)
		if err := l.Status(ctx); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// checkEmpty returns an error if a destroyed stack has left objects in the cluster.
func (l testLab) checkEmpty(ctx context.Context) error {
	client, err := l.Client()
	if err != nil {
		return err
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var left []string
	for _, node := range nodes.Items {
		left = append(left, "node "+node.Name)
	}
	for _, deployment := range deployments.Items {
		left = append(left, "deployment "+deployment.Name)
	}
	if len(left) > 0 {
		return fmt.Errorf("the stack is destroyed, but has left %s", strings.Join(left, ", "))
	}
	return nil
}

// checkAzure compares the resources in Azure with the desired ones.
func (l azureLab) checkAzure(ctx context.Context, w *desired) error {
	want, err := l.desiredInAzure(w)
	if err != nil {
		return err
	}
	have, err := l.inAzure(ctx)
	if err != nil {
		return err
	}
	return compareAzure(want, have)
}

// compareAzure returns the differences between two sets of resources, which are texts by name.
func compareAzure(want, have map[string]string) error {
	var wrong []error
	for _, id := range slices.Sorted(maps.Keys(have)) {
		if text, ok := want[id]; !ok {
			wrong = append(wrong, fmt.Errorf("azure has %s, which is not desired: %s", id, have[id]))
		} else if text != have[id] {
			wrong = append(wrong, fmt.Errorf("azure has %s: %s, want %s", id, have[id], text))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if _, ok := have[id]; !ok {
			wrong = append(wrong, fmt.Errorf("azure does not have %s", id))
		}
	}
	return errors.Join(wrong...)
}

const succeeded = "Succeeded"

// desiredInAzure returns the resources that a stack must have in Azure, by their IDs without generated names.
func (l azureLab) desiredInAzure(w *desired) (map[string]string, error) {
	if !w.exists {
		return nil, nil
	}
	config, err := deploy.ReadStack(l.Stacks, "lab")
	if err != nil {
		return nil, err
	}
	all := map[string]string{
		"group":       succeeded,
		"cluster lab": fmt.Sprintf("%s, version %s, license %s", succeeded, w.version, w.license),
	}
	for _, pool := range config.Topology.Pools {
		all["pool "+plan.PoolName(pool, nil)] = fmt.Sprintf("%s, version %s, %s", succeeded, w.version, poolText(pool))
	}
	return all, nil
}

// poolText formats the other properties of a pool that are compared.
func poolText(p topology.Pool) string {
	return fmt.Sprintf("%d nodes of %s on %s", p.Count, p.Platform, p.Size)
}

// inAzure returns all resources in Azure. Status compares the nodes with their labels and taints.
func (l azureLab) inAzure(ctx context.Context) (map[string]string, error) {
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	if err != nil {
		return nil, err
	}
	pools, err := cloud.Pools(ctx)
	if err != nil {
		return nil, err
	}
	resources, err := storedResources[struct {
		ProvisioningState          string
		KubernetesVersion          string
		CurrentOrchestratorVersion string
		WindowsProfile             struct{ LicenseType string }
	}](l.testLab)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, r := range resources {
		is := r.Body.Properties
		name := r.ID[strings.LastIndex(r.ID, "/")+1:]
		switch _, kind, _ := strings.Cut(r.Kind, "/"); kind {
		case "resourceGroups":
			// The name of a group is generated. A second group is another resource.
			id := "group"
			if all[id] != "" {
				id = "group " + name
			}
			all[id] = is.ProvisioningState
		case "managedClusters":
			all["cluster "+name] = fmt.Sprintf("%s, version %s, license %s", is.ProvisioningState, is.KubernetesVersion,
				is.WindowsProfile.LicenseType)
		case "managedClusters/agentPools":
			i := slices.IndexFunc(pools, func(p arm.Pool) bool { return p.Pool.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("the pool %s has no nodes", r.ID)
			}
			// The configuration has no patch version: 1.36 for 1.36.3.
			minor := is.CurrentOrchestratorVersion[:strings.LastIndex(is.CurrentOrchestratorVersion, ".")]
			all["pool "+name] = fmt.Sprintf("%s, version %s, %s", is.ProvisioningState, minor, poolText(pools[i].Pool))
		default:
			all[r.ID] = is.ProvisioningState
		}
	}
	return all, nil
}

// storedResource is a resource in the lab's Azure, with some of its properties.
type storedResource[P any] struct {
	ID, Kind string
	Body     struct{ Properties P }
}

// storedResources returns all resources by their keys.
func storedResources[P any](l testLab) (map[string]storedResource[P], error) {
	var state struct{ Resources map[string]storedResource[P] }
	data, err := os.ReadFile(filepath.Join(l.AzureDir(), "state.json"))
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	return state.Resources, err
}

// never is the [arm.Fault.After] of a fault that only counts requests.
const never = 1 << 30

// setFault sets a fault, and counts the requests with its method.
func (l testLab) setFault(f arm.Fault) error {
	return arm.WriteFaults(l.AzureDir(), []arm.Fault{f, {Method: f.Method, Kind: arm.Slow, After: never}})
}

// takeFault removes the fault of setFault. It returns how often the fault occurred, and the number of requests with its
// method.
func (l testLab) takeFault(f arm.Fault) (struck, requests int, err error) {
	left, err := arm.ReadFaults(l.AzureDir())
	if err != nil {
		return 0, 0, err
	}
	struck = f.Times
	for _, one := range left {
		if one.Kind == f.Kind && one.After < never/2 {
			struck -= one.Times
		} else {
			requests = never - one.After
		}
	}
	return struck, requests, arm.WriteFaults(l.AzureDir(), nil)
}
