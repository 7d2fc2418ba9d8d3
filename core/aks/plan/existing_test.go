package plan_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// owner is the value of [plan.OwnerTag] for the program of these tests.
const owner = "organization/shop/dev/shop"

// clusterInAzure returns a cluster in Azure with a system pool and further pools.
func clusterInAzure(change func(c obj), pools ...obj) plan.InAzure {
	c := obj{
		"currentKubernetesVersion": "1.35.4", "kubernetesVersion": "1.35",
		"tags":           obj{"team": "shop"},
		"networkProfile": obj{"networkPlugin": "azure", "networkPluginMode": "overlay", "networkPolicy": "none"},
		"windowsProfile": obj{"adminUsername": "shopadmin"},
	}
	list := []any{obj{
		"name": "nodepool1", "mode": "System", "osType": "Linux", "osSKU": "AzureLinux", "count": int64(3),
		"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4",
	}}
	for _, pool := range pools {
		list = append(list, pool)
	}
	c["agentPoolProfiles"] = list
	if change != nil {
		change(c)
	}
	return plan.ReadInAzure(c)
}

// windowsInAzure returns a Windows pool in Azure.
func windowsInAzure(change func(p obj)) obj {
	p := obj{
		"name": "win", "mode": "User", "osType": "Windows", "osSKU": "Windows2022", "count": int64(2),
		"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.1", "maxPods": int64(250),
		"nodeTaints": []any{"os=windows:NoSchedule"},
	}
	if change != nil {
		change(p)
	}
	return p
}

// The pools of a topology are the same as in Azure, apart from the labels and the reserved resources that AKS adds.
func TestTheTopologyOfAClusterInAzure(t *testing.T) {
	t.Parallel()
	system := topology.Pool{
		Name: "nodepool1", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5",
		KubernetesVersion: "1.35.4",
	}
	win := topology.Pool{
		Name: "win", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 2, Size: "Standard_D4s_v5",
		MaxPods: 250, KubernetesVersion: "1.35.1", Taints: []corev1.Taint{topology.WindowsTaint()},
	}
	with := func(change func(p *topology.Pool)) topology.Pool {
		p := win
		change(&p)
		return p
	}
	tests := []struct {
		name string
		pool func(p obj)
		want []topology.Pool
	}{
		{"unchanged", nil, []topology.Pool{win}},
		{
			"without taints", func(p obj) { delete(p, "nodeTaints") },
			[]topology.Pool{with(func(p *topology.Pool) { p.Taints, p.Untainted = nil, true })},
		},
		{
			"Windows Server 2025 with FIPS, without outbound NAT",
			func(p obj) {
				p["osSKU"], p["enableFIPS"] = "Windows2025", true
				p["windowsProfile"] = obj{"disableOutboundNat": true}
			},
			[]topology.Pool{with(func(p *topology.Pool) {
				p.Platform, p.FIPS, p.DisableOutboundNAT = platform.WindowsServer2025, true, true
			})},
		},
		{
			"an autoscaler that has removed all nodes",
			func(p obj) {
				p["count"], p["enableAutoScaling"], p["maxCount"] = int64(0), true, int64(5)
			},
			[]topology.Pool{with(func(p *topology.Pool) {
				p.Count, p.Empty, p.Autoscaling = 0, true, topology.Autoscaling{Max: 5}
			})},
		},
		{
			"scaled by hand in addition to the autoscaler",
			func(p obj) {
				p["count"], p["enableAutoScaling"], p["minCount"], p["maxCount"] = int64(9), true, int64(1), int64(5)
			},
			[]topology.Pool{with(func(p *topology.Pool) {
				p.Count, p.Autoscaling = 5, topology.Autoscaling{Min: 1, Max: 5}
			})},
		},
		{
			"stopped", func(p obj) { p["powerState"] = obj{"code": "Stopped"} },
			[]topology.Pool{with(func(p *topology.Pool) { p.Count, p.Empty = 0, true })},
		},
		{
			"disks, zones and upgrades",
			func(p obj) {
				p["osDiskSizeGB"], p["osDiskType"] = int64(256), "Ephemeral"
				p["availabilityZones"] = []any{"1", "2"}
				p["upgradeSettings"] = obj{
					"maxSurge": "10%", "maxUnavailable": "0", "drainTimeoutInMinutes": int64(30),
					"nodeSoakDurationInMinutes": int64(5), "undrainableNodeBehavior": "Cordon",
				}
			},
			[]topology.Pool{with(func(p *topology.Pool) {
				p.OSDiskSizeGB, p.OSDiskType, p.Zones = 256, topology.EphemeralDisk, []string{"1", "2"}
				p.Upgrade = topology.Upgrade{
					MaxSurge: "10%", MaxUnavailable: "0", DrainTimeoutMinutes: 30, NodeSoakMinutes: 5,
					UndrainableNodes: topology.Cordon,
				}
			})},
		},
		{"a release that is not known", func(p obj) { p["osSKU"] = "WindowsAnnual" }, nil},
		{
			"a pool of another program", func(p obj) { p["tags"] = obj{plan.OwnerTag: owner + "2"} },
			[]topology.Pool{win},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := clusterInAzure(nil, windowsInAzure(tt.pool)).Topology(owner, nil)
			want := topology.Topology{
				KubernetesVersion: "1.35.4", Cloud: topology.AKS, Pools: append([]topology.Pool{system}, tt.want...),
				MissingFeatures: []topology.Feature{topology.GMSAWebhook, topology.WindowsNetworkPolicies},
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(topology.Pool{}, "Labels", "Reserved")); diff != "" {
				t.Errorf("topology (-want +got):\n%s", diff)
			}
			if errs := got.Validate(nil); len(errs) > 0 {
				t.Errorf("the topology is not valid: %v", errs)
			}
		})
	}
}

// Nodes leave with a pool that the program no longer declares, and in a change in place.
func TestThePoolsOfAClusterInAzureThatLeave(t *testing.T) {
	t.Parallel()
	own := func(p obj) { p["tags"] = obj{plan.OwnerTag: owner} }
	same := topology.Pool{Name: "web", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 2}
	larger, newer := same, same
	larger.Size, newer.Platform = "Standard_D8s_v5", platform.WindowsServer2025
	for name, tt := range map[string]struct {
		pool     func(p obj)
		declared map[string]topology.Pool
		want     []string
	}{
		"no longer declared": {own, nil, []string{"win windows-2022 Standard_D4s_v5"}},
		"no longer declared, stopped": {
			func(p obj) { own(p); p["powerState"] = obj{"code": "Stopped"} }, nil, nil,
		},
		"of others": {nil, nil, nil},
		"declared":  {own, map[string]topology.Pool{"win": same}, nil},
		"another size": {
			own,
			map[string]topology.Pool{"win": larger},
			[]string{"web windows-2022 Standard_D4s_v5", "web windows-2022 Standard_D8s_v5"},
		},
		"another release": {
			own,
			map[string]topology.Pool{"win": newer},
			[]string{"web windows-2022 Standard_D4s_v5", "web windows-2025 Standard_D4s_v5"},
		},
		"without nodes": {
			func(p obj) { own(p); p["count"] = int64(0) }, map[string]topology.Pool{"win": larger}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range clusterInAzure(nil, windowsInAzure(tt.pool)).Topology(owner, tt.declared).Leaving {
				got = append(got, strings.Join([]string{p.Name, p.Platform.String(), p.Size}, " "))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("pools (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheNodesOfAPoolInAzureHaveItsNameAndItsSystem(t *testing.T) {
	t.Parallel()
	win := windowsInAzure(func(p obj) { p["nodeLabels"] = obj{"team": "web"} })
	pools := clusterInAzure(nil, win).Topology(owner, nil).Pools
	for i, want := range []map[string]string{
		{"agentpool": "nodepool1", "kubernetes.azure.com/os-sku": "AzureLinux"},
		{"agentpool": "win", "kubernetes.azure.com/os-sku": "Windows2022", "team": "web"},
	} {
		for key, value := range want {
			if got := pools[i].Labels[key]; got != value {
				t.Errorf("%s of %s is %q, want %q", key, pools[i].Name, got, value)
			}
		}
		if pools[i].Reserved == nil {
			t.Errorf("nothing is reserved on %s", pools[i].Name)
		}
	}
}

func TestAPoolOfASpotMachine(t *testing.T) {
	t.Parallel()
	for price, want := range map[any]float64{int64(-1): 0, 0.25: 0.25, nil: 0} {
		p, ok := clusterInAzure(nil, windowsInAzure(func(p obj) {
			p["scaleSetPriority"], p["spotMaxPrice"] = "Spot", price
		})).Pool("win")
		if !ok || !p.Spot || p.SpotMaxPrice != want {
			t.Errorf("with the price %v the pool is %+v, want the price %v", price, p, want)
		}
	}
}

// A pool that the program declares replaces the one in Azure.
func TestEachPoolCountsOnce(t *testing.T) {
	t.Parallel()
	declared := map[string]topology.Pool{
		"win":    {Name: "web", Platform: platform.WindowsServer2022},
		"win25h": {Name: "win25", Platform: platform.WindowsServer2025},
	}
	var names []string
	for _, p := range clusterInAzure(nil, windowsInAzure(nil)).Topology(owner, declared).Pools {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"nodepool1", "web", "win25"}, names); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
}

func TestTheNetworkOfAClusterInAzure(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		profile obj
		pool    obj
		want    plan.Network
	}{
		{
			"overlay",
			obj{"networkPlugin": "azure", "networkPluginMode": "overlay"},
			obj{},
			plan.Network{Mode: plan.Overlay},
		},
		{"nodes and pods in one subnet", obj{"networkPlugin": "azure"}, obj{}, plan.Network{Mode: plan.NodeSubnet}},
		{
			"pods in a subnet of their own",
			obj{"networkPlugin": "azure", "networkPolicy": "calico", "outboundType": "userDefinedRouting"},
			obj{"vnetSubnetID": "/nodes", "podSubnetID": "/pods"},
			plan.Network{
				Mode: plan.PodSubnet, Policy: plan.CalicoPolicy, OutboundType: plan.UserDefinedRouting,
				NodeSubnetID: "/nodes", PodSubnetID: "/pods",
			},
		},
		{"kubenet", obj{"networkPlugin": "kubenet"}, obj{}, plan.Network{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := plan.ReadInAzure(obj{"networkProfile": tt.profile, "agentPoolProfiles": []any{tt.pool}})
			if diff := cmp.Diff(tt.want, a.Network()); diff != "" {
				t.Errorf("network (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheTagsOfPools(t *testing.T) {
	t.Parallel()
	a := plan.ReadInAzure(obj{"tags": obj{"team": "shop", plan.FirstPoolTag: "sys", plan.TakenOverTag: "true"}})
	if diff := cmp.Diff(map[string]string{"team": "shop", plan.OwnerTag: owner}, a.PoolTags(owner)); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}

// Any properties of a cluster can be read.
func FuzzReadInAzure(f *testing.F) {
	f.Add(`{"agentPoolProfiles":[{"name":"win","osType":"Windows","count":"2","availabilityZones":[1]}]}`)
	f.Add(`{"tags":[],"networkProfile":"azure","windowsProfile":{"gmsaProfile":{"enabled":true}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var properties map[string]any
		if json.Unmarshal([]byte(text), &properties) != nil {
			return
		}
		a := plan.ReadInAzure(properties)
		for _, p := range a.Topology(owner, nil).Pools {
			if p.Count < 0 || p.Empty != (p.Count == 0) {
				t.Errorf("pool %q has %d nodes, empty: %t", p.Name, p.Count, p.Empty)
			}
		}
		plan.CheckExisting(a, plan.Login{}, time.Time{})
	})
}
