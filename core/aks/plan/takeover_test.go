package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestRetained(t *testing.T) {
	t.Parallel()
	existing := topology.Pool{
		Name: "win", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 3, Size: "Standard_D8s_v5",
		Autoscaling: topology.Autoscaling{Min: 1, Max: 5}, MaxPods: 60, OSDiskSizeGB: 256,
		OSDiskType: topology.EphemeralDisk, Zones: []string{"1"}, Spot: true, SpotMaxPrice: 0.5, FIPS: true,
		DisableOutboundNAT: true, Labels: map[string]string{"team": "shop"},
		Taints: []corev1.Taint{topology.WindowsTaint()},
		Upgrade: topology.Upgrade{
			MaxSurge: "10%", MaxUnavailable: "0", DrainTimeoutMinutes: 30, NodeSoakMinutes: 5,
			UndrainableNodes: topology.Cordon,
		},
	}
	bare := topology.Pool{Name: "web", Platform: platform.WindowsServer2022}
	want := existing
	want.Name = "web"
	if diff := cmp.Diff(want, plan.Retained(bare, existing)); diff != "" {
		t.Errorf("a pool without fields (-want +got):\n%s", diff)
	}
	complete := topology.Pool{
		Name: "web", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 1, Size: "Standard_D4s_v5",
		MaxPods: 30, OSDiskSizeGB: 128, OSDiskType: topology.ManagedDisk, Zones: []string{"2"}, Spot: true,
		SpotMaxPrice: 0.25, FIPS: true, DisableOutboundNAT: true, Labels: map[string]string{}, Untainted: true,
		Upgrade: topology.Upgrade{
			MaxSurge: "1", MaxUnavailable: "1", DrainTimeoutMinutes: 1, NodeSoakMinutes: 1,
			UndrainableNodes: topology.Schedule,
		},
	}
	if diff := cmp.Diff(complete, plan.Retained(complete, existing)); diff != "" {
		t.Errorf("a pool with all fields (-want +got):\n%s", diff)
	}
}

// The option sets the property alone, so the pool in Azure does not complete the field beside it.
func TestTheOptionForUndrainableNodesStaysAlone(t *testing.T) {
	t.Parallel()
	profile := obj{
		"name": "web", "osType": "Windows", "osSKU": "Windows2022", "mode": "User", "vmSize": "Standard_D4s_v5",
		"count": int64(1), "upgradeSettings": obj{"undrainableNodeBehavior": "Cordon"},
	}
	inAzure := plan.InAzure{Properties: obj{"agentPoolProfiles": []any{profile}}}
	for name, tt := range map[string]struct {
		options obj
		want    topology.UndrainableNodes
	}{
		"without the option": {nil, topology.Cordon},
		"with the option":    {obj{"upgradeSettings": obj{"undrainableNodeBehavior": "Schedule"}}, ""},
	} {
		pools := plan.WithRetained([]topology.Pool{{Name: "web", Platform: platform.WindowsServer2022}},
			map[string]plan.PoolOptions{"web": {NameInAzure: "web", Options: tt.options}}, inAzure)
		if got := pools[0].Upgrade.UndrainableNodes; got != tt.want || pools[0].Size != "Standard_D4s_v5" {
			t.Errorf("%s: undrainableNodes is %q, want %q, in %+v", name, got, tt.want, pools[0])
		}
	}
}

// keeping returns the good cluster with pools that keep their names.
func keeping(change func(c *plan.Cluster)) plan.Cluster {
	return good(both(func(c *plan.Cluster) {
		c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "nodepool1"}
		c.PoolOptions["win22"] = plan.PoolOptions{NameInAzure: "win", Resource: true}
	}, func(c *plan.Cluster) {
		if change != nil {
			change(c)
		}
	}))
}

// keepingWindows returns a change of the options of the Windows pool, which keeps its name.
func keepingWindows(o plan.PoolOptions) func(c *plan.Cluster) {
	o.NameInAzure, o.Resource = "win", true
	return func(c *plan.Cluster) { c.PoolOptions["win22"] = o }
}

type takeoverCheck struct {
	name    string
	change  func(c *plan.Cluster)
	cluster func(c obj)
	pool    func(p obj)
	want    []string
}

func (c takeoverCheck) found() []preflight.Finding {
	a := clusterInAzure(c.cluster, windowsInAzure(c.pool))
	return plan.CheckTakeover(keeping(c.change), plan.FirstPool{Inline: "nodepool1"}, a, place)
}

var takeoverChecks = []takeoverCheck{
	{name: "all is as it should be"},
	{
		name: "another size", change: windows(func(p *topology.Pool) { p.Size = "Standard_D8s_v5" }),
		want: []string{"error: poolOptions[win22].nameInAzure (MK777)"},
	},
	{
		name: "another release, and another number of pods", pool: func(p obj) { p["osSKU"] = "Windows2019" },
		change: windows(func(p *topology.Pool) { p.MaxPods = 30 }), want: []string{
			"error: poolOptions[win22].nameInAzure (MK777)",
			"error: poolOptions[win22].nameInAzure (MK777)",
		},
	},
	{
		name: "an option and a subnet", change: keepingWindows(plan.PoolOptions{
			NodeSubnetID: "/b", PodSubnetID: plan.Later, Options: obj{"enableEncryptionAtHost": true},
		}), pool: func(p obj) { p["vnetSubnetID"] = "/A" }, want: []string{
			"error: poolOptions[win22].nameInAzure (MK777)",
			"error: poolOptions[win22].nameInAzure (MK777)",
		},
	},
	{
		name:   "the same option, and the subnet in another case",
		change: keepingWindows(plan.PoolOptions{NodeSubnetID: "/a", Options: obj{"enableEncryptionAtHost": true}}),
		pool:   func(p obj) { p["vnetSubnetID"], p["enableEncryptionAtHost"] = "/A", true },
	},
	{
		name:   "neither an import nor an alias",
		change: func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{NameInAzure: "win"} },
		want:   []string{"error: poolOptions[win22].nameInAzure (MK779)"},
	},
	{
		name:    "no import after the takeover",
		change:  func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{NameInAzure: "win"} },
		cluster: func(c obj) { c["tags"] = obj{plan.FirstPoolTag: "nodepool1", plan.TakenOverTag: "true"} },
	},
	{
		name:   "a pool without a size and with a name that does not exist",
		change: func(c *plan.Cluster) { c.Topology.Pools[1].Size = "" }, pool: func(p obj) { p["name"] = "other" },
		want: []string{"error: pools[1].size (MK791)"},
	},
	{
		name: "no Windows profile, and Windows pools", cluster: func(c obj) { delete(c, "windowsProfile") },
		want: []string{"error: inAzure.windowsProfile (MK769)"},
	},
	{
		name: "no Windows profile", cluster: func(c obj) { delete(c, "windowsProfile") },
		change: func(c *plan.Cluster) { linuxOnly(c); delete(c.PoolOptions, "win22") },
		want:   []string{"warning: inAzure.windowsProfile (MK769)"},
	},
	{
		name: "limits of the access to the API server", cluster: func(c obj) {
			c["apiServerAccessProfile"] = obj{"authorizedIPRanges": []any{"203.0.113.0/24"}}
			c["disableLocalAccounts"] = true
		},
		want: []string{"error: apiServer.authorizedIPRanges (MK851)", "error: apiServer.disableLocalAccounts (MK851)"},
	},
	{
		name: "limits of the access that the program sets", cluster: func(c obj) {
			c["apiServerAccessProfile"] = obj{"authorizedIPRanges": []any{"203.0.113.0/24"}}
			c["disableLocalAccounts"] = true
		}, change: func(c *plan.Cluster) {
			c.APIServer = plan.APIServer{AuthorizedIPRanges: []string{"198.51.100.1"}, DisableLocalAccounts: true}
		},
	},
	{
		name: "a Basic load balancer", cluster: func(c obj) { c["networkProfile"].(obj)["loadBalancerSku"] = "Basic" },
		want: []string{"warning: inAzure.networkProfile.loadBalancerSku (MK894)"},
	},
	{
		name: "a Basic load balancer that the program keeps", cluster: func(c obj) {
			c["networkProfile"].(obj)["loadBalancerSku"] = "basic"
		}, change: options(obj{"networkProfile": obj{"loadBalancerSku": "basic"}}),
	},
	{
		name: "a Standard load balancer", cluster: func(c obj) {
			c["networkProfile"].(obj)["loadBalancerSku"] = "standard"
		},
	},
	{
		name: "a newer snapshot, which Azure upgrades to, and another allocation mode",
		change: keepingWindows(plan.PoolOptions{Options: obj{
			"creationData": obj{"sourceResourceId": "/new"}, "podIPAllocationMode": "StaticBlock",
		}}), pool: func(p obj) { p["creationData"] = obj{"sourceResourceId": "/old"} },
		want: []string{"error: poolOptions[win22].nameInAzure (MK777)"},
	},
	{
		name:   "the default allocation mode",
		change: keepingWindows(plan.PoolOptions{Options: obj{"podIPAllocationMode": "DynamicIndividual"}}),
	},
	{
		name: "limits of the access to a cluster of this library in tags of another case", cluster: func(c obj) {
			c["tags"] = obj{"Mixedkube-First-Pool": "nodepool1"}
			c["disableLocalAccounts"] = true
		},
	},
	{
		name: "limits of the access to a cluster of this library", cluster: func(c obj) {
			c["tags"] = obj{plan.FirstPoolTag: "nodepool1"}
			c["disableLocalAccounts"] = true
		},
	},
}

// changeChecks are changes of a cluster of version 1.35.
var changeChecks = []takeoverCheck{
	{
		name: "a downgrade", change: version("1.34"), want: []string{"error: kubernetesVersion (MK780)"},
	},
	{
		name: "a downgrade of a pool", change: windows(func(p *topology.Pool) { p.KubernetesVersion = "1.34" }),
		want: []string{"error: pools[1].kubernetesVersion (MK780)"},
	},
	{
		name: "two minor versions", change: version("1.37"), want: []string{"error: kubernetesVersion (MK780)"},
	},
	{
		name: "two minor versions with long-term support", change: version("1.37"),
		cluster: func(c obj) { c["supportPlan"] = "AKSLongTermSupport" },
	},
	{
		name:   "two minor versions of a pool, behind its control plane",
		pool:   func(p obj) { p["currentOrchestratorVersion"] = "1.33.4" },
		change: windows(func(p *topology.Pool) { p.KubernetesVersion = "1.36" }),
	},
	{
		name:    "an upgrade that a channel would do",
		cluster: func(c obj) { c["autoUpgradeProfile"] = obj{"upgradeChannel": "stable"} },
		want:    []string{"warning: kubernetesVersion (MK780)"},
	},
	{
		name:   "a channel that is turned off",
		change: options(obj{"autoUpgradeProfile": obj{"upgradeChannel": "none"}}),
	},
	{
		name: "a private API server", change: func(c *plan.Cluster) { c.APIServer.Private = true },
		want: []string{"error: apiServer.private (MK780)"},
	},
	{
		name: "a private API server with the integration", change: func(c *plan.Cluster) {
			c.APIServer.Private = true
			c.Options = obj{"apiServerAccessProfile": obj{"enableVnetIntegration": true}}
		},
	},
	{
		name: "what is never turned off", change: options(obj{
			"apiServerAccessProfile": obj{"enableVnetIntegration": false}, "oidcIssuerProfile": obj{"enabled": false},
		}), cluster: func(c obj) {
			c["apiServerAccessProfile"] = obj{"enableVnetIntegration": true}
			c["oidcIssuerProfile"] = obj{"enabled": true}
		}, want: []string{
			"error: options.apiServerAccessProfile.enableVnetIntegration (MK780)",
			"error: options.oidcIssuerProfile.enabled (MK780)",
		},
	},
	{
		name: "what is off in Azure", change: options(obj{
			"apiServerAccessProfile": obj{"enableVnetIntegration": false}, "oidcIssuerProfile": obj{"enabled": false},
		}), cluster: func(c obj) { c["oidcIssuerProfile"] = obj{"enabled": false} },
	},
	{
		name: "a stopped cluster", cluster: func(c obj) { c["powerState"] = obj{"code": "Stopped"} },
		want: []string{"warning: inAzure.powerState.code (MK780)"},
	},
}

func TestChangesThatAzureRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range changeChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
}

func TestCheckTakeover(t *testing.T) {
	t.Parallel()
	for _, tt := range takeoverChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
	if got := plan.CheckTakeover(keeping(nil), plan.FirstPool{Inline: "nodepool1"}, plan.InAzure{}, place); got != nil {
		t.Errorf("findings about a cluster that does not exist: %v", got)
	}
}

// Fields that are not set are not wrong if the cluster was not looked up yet.
func TestFieldsThatAreNotSetInAClusterThatMayExist(t *testing.T) {
	t.Parallel()
	change := func(c *plan.Cluster) {
		c.Network = plan.Network{}
		c.Topology.Pools[1].DisableOutboundNAT = true
		c.Login.Mode, c.APIServer.DisableLocalAccounts = plan.LoginServicePrincipal, true
	}
	wantFindings(t, plan.CheckCluster(keeping(change)),
		"error: apiServer.disableLocalAccounts (MK763)",
		"error: login.mode (MK766)",
		"error: pools[1].disableOutboundNAT (MK729)")
	mayExist := both(change, func(c *plan.Cluster) { c.MayExist = true })
	wantFindings(t, plan.CheckCluster(keeping(mayExist)))
	for _, n := range []plan.Network{{Mode: plan.PodSubnet}, {OutboundType: plan.UserDefinedRouting}} {
		wantFindings(t, plan.CheckCluster(keeping(both(mayExist, network(n)))))
	}
	wantFindings(t, plan.CheckCluster(keeping(both(mayExist, network(plan.Network{OutboundType: plan.LoadBalancer})))),
		"error: pools[1].disableOutboundNAT (MK729)")
}

func TestTheFirstPoolOfAClusterThatIsTakenOver(t *testing.T) {
	t.Parallel()
	system := func(name string) topology.Pool {
		return topology.Pool{Name: name, Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"}
	}
	const taken = "a cluster with this name already exists, without the tag mixedkube-first-pool"
	const set = "set the tag to the name of the pool in its agentPoolProfiles, or to none if all its pools are " +
		"resources of their own"
	tests := []struct {
		name    string
		options map[string]plan.PoolOptions
		want    plan.FirstPool
		err     string
	}{
		{
			"one system pool",
			map[string]plan.PoolOptions{"sys": {NameInAzure: "a"}},
			plan.FirstPool{Inline: "a"},
			"",
		},
		{
			"one system pool and a user pool",
			map[string]plan.PoolOptions{"sys": {NameInAzure: "a"}, "apps": {NameInAzure: "b"}},
			plan.FirstPool{Inline: "a"},
			"",
		},
		{
			"one system pool that is a resource",
			map[string]plan.PoolOptions{"sys": {NameInAzure: "a", Resource: true}},
			plan.FirstPool{},
			"",
		},
		{
			"two system pools, one of which is a resource",
			map[string]plan.PoolOptions{"sys": {NameInAzure: "a", Resource: true}, "base": {NameInAzure: "b"}},
			plan.FirstPool{Inline: "b"},
			"",
		},
		{
			"two system pools that could be inline",
			map[string]plan.PoolOptions{"sys": {NameInAzure: "a"}, "base": {NameInAzure: "b"}},
			plan.FirstPool{},
			taken + ", and a and b are system pools that it may have inline: import all of them but one, which stays " +
				"inline, or " + set,
		},
		{
			"a system pool that does not exist",
			map[string]plan.PoolOptions{"sys": {NameInAzure: "c"}},
			plan.FirstPool{},
			taken + ": use another name; or take it over, with nameInAzure in poolOptions of a system pool (its " +
				"pools are a and b); or " + set,
		},
		// If the names are of this library, the value of the tag is unknown.
		{
			"names of this library", nil,
			plan.FirstPool{},
			taken + ": use another name; or take it over, with nameInAzure in poolOptions of a system pool (its " +
				"pools are a and b); or " + set,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			user := topology.Pool{Name: "apps", Platform: platform.Linux, Mode: topology.User}
			got, err := plan.FirstPoolOf([]topology.Pool{user, system("sys"), system("base")}, tt.options,
				map[string]string{"team": "shop"}, []string{"a", "b"})
			text := ""
			if err != nil {
				text = err.Error()
			}
			if got != tt.want || text != tt.err {
				t.Errorf("FirstPoolOf() = %+v, %q, want %+v, %q", got, text, tt.want, tt.err)
			}
		})
	}
}

func TestKeeps(t *testing.T) {
	t.Parallel()
	a := clusterInAzure(func(c obj) {
		c["dnsPrefix"], c["nodeResourceGroup"] = "shop", "MC_shop"
		c["networkProfile"] = obj{
			"networkPlugin": "azure", "podCidr": "10.0.0.0/8", "ipFamilies": []any{"IPv4"},
			"outboundType": "loadBalancer",
		}
		c["location"], c["windowsProfile"] = "westeurope", obj{"adminUsername": "azureuser"}
	})
	got := a.Keeps(obj{
		"dnsPrefix": "shop", "location": "westeurope", "networkProfile": obj{
			"networkPlugin": "azure", "podCidr": "10.1.0.0/16", "ipFamilies": []any{"IPv4"}, "networkPolicy": "calico",
		},
	})
	// Another range replaces the cluster, and a policy that it does not have does so too.
	want := []string{
		"dnsPrefix", "networkProfile.ipFamilies", "networkProfile.networkPlugin", "networkProfile.outboundType",
		"nodeResourceGroup",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Keeps() (-want +got):\n%s", diff)
	}
}
