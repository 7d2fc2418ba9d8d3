package e2e

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestLabInAzure takes the lab of `make up`, whose stack creates its cluster in the simulated Azure, through its life.
// Each step depends on the previous ones.
func TestLabInAzure(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab")
	ctx := t.Context()
	check(t, l.Up(ctx, lab.Options{Stack: "lab"}))
	client := l.client(t)
	contains(t, l.Out.Take(), "nodes are created with the pools, 0 exist", "21 created",
		"6 pods on 6 nodes, 0 problems")

	t.Run("the nodes belong to the pools in Azure", func(t *testing.T) {
		list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		check(t, err)
		have := map[string]string{}
		for _, node := range list.Items {
			have[node.Name] = strings.Join([]string{
				node.Labels["kubernetes.azure.com/os-sku"], node.Labels["kubernetes.azure.com/mode"],
				node.Labels[corev1.LabelWindowsBuild], taints(node),
			}, " ")
		}
		want := map[string]string{}
		for _, number := range []string{"0", "1"} {
			want["aks-sysvhv-62242410-vmss00000"+number] = "Ubuntu system  "
			want["akswin22d00000"+number] = "Windows2022 user 10.0.20348 os=windows:NoSchedule"
			want["akswin25h00000"+number] = "Windows2025 user 10.0.26100 os=windows:NoSchedule"
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("nodes (-want +have):\n%s", diff)
		}
	})
	t.Run("a second up changes nothing", func(t *testing.T) {
		before := versions(t, client)
		check(t, l.Up(ctx, lab.Options{Stack: "lab"}))
		contains(t, l.Out.Take(), "nodes are created with the pools, 6 exist", "21 unchanged", "0 problems")
		if diff := cmp.Diff(before, versions(t, client)); diff != "" {
			t.Errorf("objects have changed (-before +after):\n%s", diff)
		}
	})
	t.Run("a pod that requests more than a node has is pending, and the preview has a finding", func(t *testing.T) {
		checkRoom(t, client)
	})
	t.Run("status finds nodes that differ from their pools, and up corrects them", func(t *testing.T) {
		patch(t, client, "akswin22d000000",
			`{"metadata":{"labels":{"kubernetes.azure.com/mode":"system","topology.kubernetes.io/region":null}},`+
				`"spec":{"taints":null}}`)
		check(t, client.CoreV1().Nodes().Delete(ctx, "akswin25h000001", metav1.DeleteOptions{}))
		unmanaged := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name:        "left-0",
			Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
		}}
		_, err := client.CoreV1().Nodes().Create(ctx, unmanaged, metav1.CreateOptions{})
		check(t, err)
		if err := l.Status(ctx); !errors.Is(err, lab.ErrProblems) {
			t.Errorf("status: got %v, want %v", err, lab.ErrProblems)
		}
		contains(t, l.Out.Take(),
			"wrong: node akswin22d000000: label kubernetes.azure.com/mode is \"system\" instead of \"user\"\n",
			"wrong: node akswin22d000000: label topology.kubernetes.io/region=westeurope is missing\n",
			"wrong: node akswin22d000000: taint os=windows:NoSchedule is missing\n",
			"wrong: node akswin25h000001 does not exist\n",
			"wrong: node left-0 does not belong to any pool\n")
		check(t, l.Up(ctx, lab.Options{Stack: "lab"}))
		contains(t, l.Out.Take(), "21 unchanged", "6 pods on 6 nodes, 0 problems")
	})
	t.Run("destroy leaves nothing, neither in the cluster nor in Azure", func(t *testing.T) {
		check(t, l.deployment(t).Destroy(ctx))
		contains(t, l.Out.Take(), "21 deleted")
		checkNoNodes(t, l, client)
	})
	t.Run("the examples", func(t *testing.T) { deployExamplesInAzure(t, l, client) })
}

// taints formats the taints of a node.
func taints(node corev1.Node) string {
	var all []string
	for _, taint := range node.Spec.Taints {
		all = append(all, topology.FormatTaint(taint))
	}
	return strings.Join(all, ", ")
}

func checkNoNodes(t *testing.T, l testLab, client kubernetes.Interface) {
	t.Helper()
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	check(t, err)
	state, err := os.ReadFile(filepath.Join(l.AzureDir(), "state.json"))
	check(t, err)
	if len(nodes.Items) > 0 || !strings.Contains(string(state), `"resources": {}`) {
		t.Errorf("%d nodes are left, and in Azure %s", len(nodes.Items), state)
	}
}

// inAzure are the examples that create their cluster in Azure, with their configuration and the nodes of their
// clusters.
var inAzure = map[string]struct {
	config string
	nodes  []string
}{
	"aks-quickstart": {
		"azure-native:location: westeurope",
		[]string{
			"aks-sysvhv-62242410-vmss000000", "aks-sysvhv-62242410-vmss000001",
			"aks-sysvhv-62242410-vmss000002", "akswin22d000000",
			"akswin22d000001",
		},
	},
	"aks-production": {
		`azure-native:location: westeurope
  aks-production:authorizedIPRanges: [203.0.113.0/24]`,
		[]string{
			"aks-sysb8k-19737797-vmss000000", "aks-sysb8k-19737797-vmss000001",
			"aks-sysb8k-19737797-vmss000002", "akswin22n000000",
			"akswin22n000001", "akswin22n000002",
		},
	},
	"aks-registry": {
		`azure-native:location: westeurope
  aks-registry:registryID: ` + registry + `
  aks-registry:image: contoso.azurecr.io/web:1.0-ltsc2022`,
		[]string{
			"aks-sysvhv-62242410-vmss000000", "aks-sysvhv-62242410-vmss000001",
			"aks-sysvhv-62242410-vmss000002", "akswin22d000000",
			"akswin22d000001",
		},
	},
	"aks-existing-network": {
		`azure-native:location: westeurope
  aks-existing-network:nodeSubnetID: ` + network + `/subnets/nodes
  aks-existing-network:podSubnetID: ` + network + `/subnets/pods
  aks-existing-network:identityID: ` + identity,
		[]string{
			"aks-sysvhv-62242410-vmss000000", "aks-sysvhv-62242410-vmss000001",
			"aks-sysvhv-62242410-vmss000002", "akswin225000000",
		},
	},
}

// The IDs of the existing resources that an example needs.
const (
	group    = "/subscriptions/" + armclient.SubscriptionID + "/resourceGroups/there"
	network  = group + "/providers/Microsoft.Network/virtualNetworks/there"
	address  = group + "/providers/Microsoft.Network/publicIPAddresses/there"
	gateway  = group + "/providers/Microsoft.Network/natGateways/there"
	identity = group + "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/there"
	registry = group + "/providers/Microsoft.ContainerRegistry/registries/contoso"
)

func deployExamplesInAzure(t *testing.T, l testLab, client kubernetes.Interface) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(inAzure)) {
		example := inAzure[name]
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			makeNetwork(t, l.AzureDir())
			config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
			check(t, os.WriteFile(config, []byte("config:\n  "+example.config+"\n"), 0o600))
			stack := l.project(t, "examples/"+name, "dev", config)
			check(t, stack.SetSecret(ctx, name+":windowsPassword", "Correct-Horse-Battery-9"))
			if name == "aks-production" { // which has Microsoft Entra ID and no local accounts
				fakeKubelogin(t, stack).answer(t, tokenOfAdministrator(t, client))
			}
			check(t, stack.Up(ctx))
			nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
			check(t, err)
			var names []string
			for _, node := range nodes.Items {
				names = append(names, node.Name)
			}
			if diff := cmp.Diff(example.nodes, names); diff != "" {
				t.Errorf("nodes (-want +have):\n%s", diff)
			}
			golden.Equal(t, "testdata/examples/"+name+".golden", landed(t, client))
			check(t, stack.Preview(ctx, "--expect-no-changes"))
			l.Out.Take()
			if err := stack.Destroy(ctx); err == nil {
				t.Error("destroy deletes the cluster although it is protected")
			}
			contains(t, l.Out.Take(), "cannot be deleted", "protect")
			// Destroy the unprotected resources. The examples have pools with the same names, so the next example
			// starts with an empty Azure.
			check(t, stack.Destroy(ctx, "--exclude-protected", "--skip-preview"))
			check(t, os.RemoveAll(l.AzureDir()))
			check(t, l.Start(ctx, lab.Options{Stack: "lab"}))
		})
	}
}

// makeNetwork creates a virtual network with a NAT gateway for its nodes, and an identity, in Azure.
func makeNetwork(t *testing.T, dir string) {
	t.Helper()
	cloud, err := arm.Open(dir, arm.Options{})
	check(t, err)
	standard := map[string]any{"name": "Standard"}
	for _, resource := range []struct {
		id   string
		body arm.Body
	}{
		{group, arm.Body{"location": "westeurope"}},
		{address, arm.Body{
			"location": "westeurope", "sku": standard,
			"properties": map[string]any{"publicIPAllocationMethod": "Static"},
		}},
		{gateway, arm.Body{
			"location": "westeurope", "sku": standard,
			"properties": map[string]any{"publicIpAddresses": []any{map[string]any{"id": address}}},
		}},
		{network, arm.Body{"location": "westeurope", "properties": map[string]any{
			"addressSpace": map[string]any{"addressPrefixes": []any{"10.0.0.0/8"}},
			"subnets": []any{
				map[string]any{"name": "nodes", "properties": map[string]any{
					"addressPrefix": "10.240.0.0/16", "natGateway": map[string]any{"id": gateway},
				}},
				map[string]any{"name": "pods", "properties": map[string]any{"addressPrefix": "10.241.0.0/16"}},
			},
		}}},
		{identity, arm.Body{"location": "westeurope"}},
	} {
		_, err := cloud.Put(t.Context(), resource.id, resource.body)
		check(t, err)
	}
}
