package arm

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// The label of the cluster, as AgentBaker writes it: pkg/agent/baker.go.
func TestTheLabelOfTheNodeResourceGroup(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 62)
	for group, want := range map[string]string{
		"MC_rg_shop_westeurope": "MC_rg_shop_westeurope",
		"MC_(rg)_shop":          "MC_-rg-_shop",
		"nodes(shop)":           "nodes-shop-z",
		"nodes_":                "nodes_z",
		long + "yy":             long + "y",
		long + "._":             long + "z",
	} {
		if got := groupLabel(group); got != want {
			t.Errorf("%s is %s, want %s", group, got, want)
		}
	}
}

// The names of Windows nodes are from https://learn.microsoft.com/azure/aks/learn/quick-windows-container-deploy-cli,
// and the names of Linux nodes from https://learn.microsoft.com/azure/aks/use-labels, where eight digits depend on the
// pool. vmss0000el was seen as the number of a machine.
func TestNamesOfNodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pool   string
		of     platform.Platform
		number int
		want   string
	}{
		{"npwin", platform.WindowsServer2022, 0, "aksnpwin000000"},
		{"npwin", platform.WindowsServer2022, 36, "aksnpwin000010"},
		{"system", platform.Linux, 0, "aks-system-26705564-vmss000000"},
		{"system", platform.Linux, 35, "aks-system-26705564-vmss00000z"},
		{"workflows", platform.Linux, 525, "aks-workflows-28566977-vmss0000el"},
	} {
		got := NodeName(topology.Pool{Name: c.pool, Platform: c.of}, c.number)
		if got != c.want {
			t.Errorf("number %d of %s is %s, want %s", c.number, c.pool, got, c.want)
		}
	}
}

// The labels of nodes, by the type of their pool. The named sources show nodes with these labels. Nodes do not have the
// labels in none.
func TestLabelsOfNodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pool Body
		// labels have names below kubernetes.azure.com, unless the name begins with a slash.
		labels map[string]string
		none   []string
	}{
		"Linux": {
			linuxPool(nil),
			map[string]string{
				"os-sku": "Ubuntu", "os-sku-effective": "Ubuntu2404", "os-sku-requested": "Ubuntu", "sku-cpu": "4",
				// in MiB: https://github.com/Azure/karpenter-provider-azure/blob/main/designs
				"sku-memory":    "16384",
				"nodepool-type": "VirtualMachineScaleSets", "storageprofile": "managed", "storagetier": "Premium_LRS",
				"/storageprofile": "managed", "/storagetier": "Premium_LRS", "/topology.kubernetes.io/zone": "0",
			},
			// The documentation lists them, but no node was seen with them.
			[]string{"managedby", "priority", "scalesetpriority", "network-name"},
		},
		"Ubuntu 22.04 before 1.35": {
			linuxPool(map[string]any{"orchestratorVersion": "1.34"}),
			map[string]string{"os-sku-effective": "Ubuntu2204", "os-sku-requested": "Ubuntu"},
			nil,
		},
		"spot": {
			linuxPool(map[string]any{"scaleSetPriority": "Spot"}),
			map[string]string{"priority": "spot", "scalesetpriority": "spot"},
			nil,
		},
		"no premium disks": {
			linuxPool(map[string]any{"vmSize": "Standard_D2_v2"}),
			map[string]string{"storagetier": "Standard_LRS", "sku-cpu": "2", "sku-memory": "7168"},
			nil,
		},
		"an ephemeral disk": {
			linuxPool(map[string]any{"vmSize": "Standard_D8d_v5"}), nil,
			[]string{"storageprofile", "storagetier", "/storageprofile", "/storagetier"},
		},
		"zones": {
			linuxPool(map[string]any{"availabilityZones": []any{"1"}}), nil,
			[]string{"/topology.kubernetes.io/zone"},
		},
		"the memory is unknown": {
			linuxPool(map[string]any{"vmSize": "Standard_L8s_v3"}),
			map[string]string{"sku-cpu": "8"},
			[]string{"sku-memory"},
		},
		"a custom network": {
			linuxPool(map[string]any{"vnetSubnetID": subnetID}),
			map[string]string{"network-name": "net", "network-subnet": "nodes"},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := shop(t)
			mustPut(t, cloud, networkID, networkBody())
			mustPut(t, cloud, clusterID+"/agentPools/apps", c.pool)
			pools, err := cloud.Pools(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			labels := pools[1].Pool.Labels
			if pools[1].Pool.Name != "apps" {
				labels = pools[0].Pool.Labels
			}
			key := func(name string) string {
				if whole, ok := strings.CutPrefix(name, "/"); ok {
					return whole
				}
				return azureLabel + name
			}
			for name, want := range c.labels {
				if got := labels[key(name)]; got != want {
					t.Errorf("%s is %q, want %q", key(name), got, want)
				}
			}
			for _, name := range c.none {
				if got, ok := labels[key(name)]; ok {
					t.Errorf("%s is %q, want none", key(name), got)
				}
			}
		})
	}
}
