package arm

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// watched returns a cloud that records the calls of its option Nodes.
func watched(t *testing.T) (*Cloud, *[][]Pool) {
	t.Helper()
	var calls [][]Pool
	return emptyCloud(t, Options{Nodes: func(_ context.Context, pools []Pool) error {
		calls = append(calls, pools)
		return nil
	}}), &calls
}

func TestNodesHaveTheLabelsAndTaintsOfAKS(t *testing.T) {
	t.Parallel()
	cloud, calls := watched(t)
	mustPut(t, cloud, clusterID, clusterBody(nil))
	mustPut(t, cloud, winID, windowsPool(map[string]any{
		"osSKU": "Windows2025", "enableFIPS": true, "count": 3, "maxPods": 50, "nodeLabels": Body{"team": "web"},
		"nodeTaints": []any{"os=windows:NoSchedule"}, "availabilityZones": []any{"1", "2"},
	}))
	mustPut(t, cloud, clusterID+"/agentPools/spot",
		linuxPool(map[string]any{"scaleSetPriority": "Spot", "count": 0, "orchestratorVersion": "1.35"}))
	labels := func(name, mode, image, osSKU string, more map[string]string) map[string]string {
		all := map[string]string{
			"agentpool": name, "storageprofile": "managed", "storagetier": "Premium_LRS",
			"topology.kubernetes.io/region":  "westeurope",
			"kubernetes.azure.com/agentpool": name, "kubernetes.azure.com/cluster": "MC_rg_shop_westeurope",
			"kubernetes.azure.com/mode": mode, "kubernetes.azure.com/node-image-version": image,
			"kubernetes.azure.com/nodepool-type":    "VirtualMachineScaleSets",
			"kubernetes.azure.com/os-sku":           osSKU,
			"kubernetes.azure.com/os-sku-requested": osSKU,
			"kubernetes.azure.com/role":             "agent", "kubernetes.azure.com/storageprofile": "managed",
			"kubernetes.azure.com/storagetier": "Premium_LRS",
			"kubernetes.azure.com/sku-cpu":     "4", "kubernetes.azure.com/sku-memory": "16384",
		}
		maps.Copy(all, more)
		return all
	}
	const ubuntu = "AKSUbuntu-2404gen2containerd-202611.01.0"
	linux := map[string]string{
		"kubernetes.azure.com/os-sku-effective": "Ubuntu2404", "topology.kubernetes.io/zone": "0",
	}
	spot := map[string]string{spotLabel: "spot", "kubernetes.azure.com/priority": "spot"}
	maps.Copy(spot, linux)
	// A quarter of the memory and the threshold. For 50 pods it is 20 MiB each, 50 MiB, and Windows
	// (https://learn.microsoft.com/azure/aks/node-resource-reservations).
	reserved := func(memory string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": quantity.MustParse("140m"), "memory": quantity.MustParse(memory)}
	}
	want := []Pool{
		{Cluster: clusterID, Upgrade: Upgrade{Surge: 1, DrainMinutes: 30}, Pool: topology.Pool{
			Name: "system", Platform: platform.Linux, Mode: topology.System, Count: 2, Size: "Standard_D4s_v5",
			OSDiskSizeGB: 128, OSDiskType: topology.ManagedDisk,
			MaxPods: 250, KubernetesVersion: "1.36.3", Labels: labels("system", "system", ubuntu, "Ubuntu", linux),
			Untainted: true, Reserved: reserved("4196Mi"),
		}},
		{Cluster: clusterID, Upgrade: Upgrade{Surge: 1, DrainMinutes: 30}, Pool: topology.Pool{
			Name: "win", Platform: platform.WindowsServer2025, Mode: topology.User, Count: 3, Size: "Standard_D4s_v5",
			OSDiskSizeGB: 128, OSDiskType: topology.ManagedDisk,
			Reserved: reserved("3098Mi"), MaxPods: 50, FIPS: true, Zones: []string{"1", "2"},
			KubernetesVersion: "1.36.3",
			Labels: labels("win", "user", "AKSWindows-2025-gen2-26100.33438.260909", "Windows2025",
				map[string]string{
					"team": "web", "kubernetes.azure.com/fips_enabled": "true",
					"kubernetes.azure.com/os-sku-effective": "Windows2025",
				}),
			Taints: []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}},
		}},
		{Cluster: clusterID, Upgrade: Upgrade{DrainMinutes: 30}, Pool: topology.Pool{
			Name: "spot", Platform: platform.Linux, Mode: topology.User, Empty: true,
			Size: "Standard_D4s_v5", OSDiskSizeGB: 128, OSDiskType: topology.ManagedDisk,
			Reserved: reserved("4196Mi"), MaxPods: 250, Spot: true, KubernetesVersion: "1.35.7",
			Labels: labels("spot", "user", ubuntu, "Ubuntu", spot),
			Taints: []corev1.Taint{{Key: spotLabel, Value: "spot", Effect: "NoSchedule"}},
		}},
	}
	if diff := cmp.Diff(want, (*calls)[len(*calls)-1], cmpopts.IgnoreFields(Pool{}, "Machine")); diff != "" {
		t.Errorf("other pools (-want +got):\n%s", diff)
	}
	pools, err := cloud.Pools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, pools, cmpopts.IgnoreFields(Pool{}, "Machine")); diff != "" {
		t.Errorf("later they differ (-want +got):\n%s", diff)
	}
}

func TestNodesOfAllClustersAreReconciled(t *testing.T) {
	t.Parallel()
	cloud, calls := watched(t)
	other := clusterID + "2"
	mustPut(t, cloud, clusterID, clusterBody(nil))
	mustPut(t, cloud, other, clusterBody(nil))
	mustPut(t, cloud, winID, windowsPool(nil))
	mustDelete(t, cloud, winID)
	mustDelete(t, cloud, winID)
	mustDelete(t, cloud, other)
	mustDelete(t, cloud, groupID)
	var got [][]string
	for _, pools := range *calls {
		names := []string{}
		for _, p := range pools {
			names = append(names,
				p.Cluster[len(groupID)+len("/providers/Microsoft.ContainerService/managedClusters/"):]+"/"+p.Pool.Name)
		}
		got = append(got, names)
	}
	want := [][]string{
		{"shop/system"},
		{"shop/system", "shop2/system"},
		{"shop/system", "shop/win", "shop2/system"},
		{"shop/system", "shop2/system"},
		{"shop/system"},
		{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other calls (-want +got):\n%s", diff)
	}
}

func TestFailedNodeCreationFailsTheRequest(t *testing.T) {
	t.Parallel()
	var problem error
	cloud := emptyCloud(t, Options{Nodes: func(context.Context, []Pool) error { return problem }})
	mustPut(t, cloud, clusterID, clusterBody(nil))
	problem = errors.New("no room")
	want := &Error{Status: 200, Code: "InternalOperationError", Message: "The nodes could not be provisioned: no room"}
	_, err := cloud.Put(t.Context(), winID, windowsPool(nil))
	wantError(t, err, want)
	wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.provisioningState": "Failed"})
	wantError(t, cloud.Delete(t.Context(), winID), want)
	wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.provisioningState": "Failed"})
	_, err = cloud.Put(t.Context(), clusterID, clusterBody(nil))
	wantError(t, err, want)
	wantAt(t, mustGet(t, cloud, clusterID), map[string]any{"properties.provisioningState": "Failed"})
	problem = nil
	mustPut(t, cloud, clusterID, clusterBody(nil))
	wantAt(t, mustGet(t, cloud, clusterID), map[string]any{"properties.provisioningState": "Succeeded"})
	mustDelete(t, cloud, winID)
}

func TestAStoppedPoolHasNoNodes(t *testing.T) {
	t.Parallel()
	cloud, calls := watched(t)
	mustPut(t, cloud, clusterID, clusterBody(nil))
	mustPut(t, cloud, winID, windowsPool(map[string]any{"powerState": Body{"code": "Stopped"}}))
	last := (*calls)[len(*calls)-1]
	if pool := last[1].Pool; !pool.Empty || pool.Count != 0 {
		t.Errorf("%d nodes", pool.Count)
	}
}
