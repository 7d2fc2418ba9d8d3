package lab

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// The components define the labels and taints. A label that only Azure sets is not reported as a difference. A
// label of the components that the node in Azure lacks is.
func TestNodesOfAKSMatchTheComponents(t *testing.T) {
	t.Parallel()
	win := topology.Pool{
		Name: "win", Platform: platform.WindowsServer2022, Count: 2,
		Labels: map[string]string{"team": "web"},
	}
	desired := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System},
		win,
	}}.WithDefaults()
	name := plan.PoolName(win, nil)
	inAzure := azurenodes.Nodes(topology.Topology{Pools: []topology.Pool{{
		Name: name, Platform: platform.WindowsServer2022, Count: 1,
		Labels:    map[string]string{"agentpool": "other", "kubernetes.azure.com/cluster": "MC_rg_shop"},
		Untainted: true,
	}}}.WithDefaults(), nil, "v1.36.3")

	nodes := map[string]*corev1.Node{}
	for _, node := range aksNodes(desired, inAzure, "v1.36.3") {
		nodes[node.Name] = node
	}
	if len(nodes) != 3 || nodes["aks"+name+"000001"] == nil {
		t.Fatalf("there are %d nodes, want one of Linux, and aks%s000000 and 1", len(nodes), name)
	}
	want := []string{
		`label agentpool is "other" instead of "` + name + `"`,
		"label kubernetes.azure.com/agentpool=" + name + " is missing",
		"label kubernetes.azure.com/mode=user is missing",
		"label kubernetes.azure.com/nodepool-type=VirtualMachineScaleSets is missing",
		"label kubernetes.azure.com/os-sku=Windows2022 is missing",
		"label kubernetes.azure.com/os-sku-effective=Windows2022 is missing",
		"label kubernetes.azure.com/os-sku-requested=Windows2022 is missing",
		"label kubernetes.azure.com/role=agent is missing",
		"label team=web is missing",
		"taint os=windows:NoSchedule is missing",
	}
	if diff := cmp.Diff(want, cluster.Drift(inAzure[0], nodes["aks"+name+"000000"])); diff != "" {
		t.Errorf("drift (-want +got):\n%s", diff)
	}
	if _, ok := inAzure[0].Labels["team"]; ok {
		t.Error("aksNodes changed the nodes in Azure")
	}
}
