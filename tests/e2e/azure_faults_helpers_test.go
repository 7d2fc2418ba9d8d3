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

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// wanted is what a stack is to be.
type wanted struct {
	// exists is false for a stack that is destroyed.
	exists            bool
	version, password string
	// controlPlanes are its machines, where they are not Azure's own.
	controlPlanes int
	licence       string
	// bare says that there are no workloads.
	bare bool
	// pools are as they stand in the configuration.
	pools []map[string]any
}

// pool is the pool of a name, nil if there is none.
func (w *wanted) pool(name string) map[string]any {
	i := slices.IndexFunc(w.pools, func(p map[string]any) bool { return p["name"] == name })
	if i < 0 {
		return nil
	}
	return w.pools[i]
}

// copied shares nothing with w.
func (w *wanted) copied() *wanted {
	c := *w
	c.pools = nil
	for _, pool := range w.pools {
		c.pools = append(c.pools, maps.Clone(pool))
	}
	return &c
}

// shortPause is the wait before the first retry where Azure is busy, which is not for long.
const shortPause = 0.2

// want writes the stack's configuration.
func (l azureLab) want(w *wanted) error {
	workloads := []string{"linux-web"}
	if w.bare {
		workloads = []string{}
	}
	content, err := yaml.Marshal(map[string]any{"config": map[string]any{
		"azure-native:location": "westeurope",
		"mixedkube:aks": map[string]any{
			"azureCLI": true, "unprotected": true, "windowsAdmin": map[string]any{"licenseType": w.licence},
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

func (l azureLab) problems(t *testing.T, w *wanted) error {
	t.Helper()
	ctx := t.Context()
	if !w.exists {
		return errors.Join(l.checkAzure(ctx, w), l.checkEmpty(ctx))
	}
	return errors.Join(l.checkAzure(ctx, w), l.settled(ctx))
}

func (l azureLab) secrets(t *testing.T, w *wanted) []leaks.Secret {
	t.Helper()
	return append(leaks.OfKubeconfig(t, l.Kubeconfig()), leaks.Secret{Name: "password " + w.password, Text: w.password})
}

// settled is Status once the pods have come to rest: a deployment ends before that.
func (l azureLab) settled(ctx context.Context) error {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		l.Wake(ctx)
		if err := l.Status(ctx); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// checkEmpty looks for what a destroyed stack has left in the cluster.
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
		return fmt.Errorf("the stack is destroyed, and has left %s", strings.Join(left, ", "))
	}
	return nil
}

// checkAzure compares all that there is in Azure with what is wanted.
func (l azureLab) checkAzure(ctx context.Context, w *wanted) error {
	want, err := l.wantedInAzure(w)
	if err != nil {
		return err
	}
	have, err := l.inAzure(ctx)
	if err != nil {
		return err
	}
	return compareAzure(want, have)
}

// compareAzure says in what two sets of resources differ, which are texts by their names.
func compareAzure(want, have map[string]string) error {
	var wrong []error
	for _, id := range slices.Sorted(maps.Keys(have)) {
		if text, ok := want[id]; !ok {
			wrong = append(wrong, fmt.Errorf("azure has %s, which nobody wants: %s", id, have[id]))
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

// wantedInAzure are the resources that a stack is to have in Azure, by what is left of
// their IDs if made-up names are taken away.
func (l azureLab) wantedInAzure(w *wanted) (map[string]string, error) {
	if !w.exists {
		return nil, nil
	}
	config, err := deploy.ReadStack(l.Stacks, "lab")
	if err != nil {
		return nil, err
	}
	all := map[string]string{
		"group":       succeeded,
		"cluster lab": fmt.Sprintf("%s, version %s, licence %s", succeeded, w.version, w.licence),
	}
	for _, pool := range config.Topology.Pools {
		all["pool "+plan.PoolName(pool, nil)] = fmt.Sprintf("%s, version %s, %s", succeeded, w.version, poolText(pool))
	}
	return all, nil
}

// poolText is what else matters of a pool.
func poolText(p topology.Pool) string {
	return fmt.Sprintf("%d nodes of %s on %s", p.Count, p.Platform, p.Size)
}

// inAzure are all resources that there are in Azure. The nodes, with their labels and
// taints, are Status's to compare.
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
			// Its name is made up. A second one is another resource.
			id := "group"
			if all[id] != "" {
				id = "group " + name
			}
			all[id] = is.ProvisioningState
		case "managedClusters":
			all["cluster "+name] = fmt.Sprintf("%s, version %s, licence %s", is.ProvisioningState, is.KubernetesVersion,
				is.WindowsProfile.LicenseType)
		case "managedClusters/agentPools":
			i := slices.IndexFunc(pools, func(p arm.Pool) bool { return p.Pool.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("the pool %s has no nodes", r.ID)
			}
			// Of 1.36.3 the configuration says 1.36.
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

// storedResources are all that there are, by their keys.
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

// setFault makes something go wrong, and counts the requests with its method.
func (l testLab) setFault(f arm.Fault) error {
	return arm.WriteFaults(l.AzureDir(), []arm.Fault{f, {Method: f.Method, Kind: arm.Slow, After: never}})
}

// takeFault ends what setFault began. It says how often the fault struck, and how many
// requests with its method there were.
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
