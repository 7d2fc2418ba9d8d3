package aks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

const existingID = "/subscriptions/s/resourcegroups/g/providers/Microsoft.ContainerService/managedClusters/shop"

// unmanaged returns a cluster that was created without this library, with a system pool and a Windows pool.
func unmanaged(change func(properties map[string]any)) akstest.Cluster {
	properties := map[string]any{
		"currentKubernetesVersion": "1.35.4", "kubernetesVersion": "1.35", "dnsPrefix": "shop-dns",
		"nodeResourceGroup": "MC_shop",
		"networkProfile": map[string]any{
			"networkPlugin": "azure", "networkPluginMode": "overlay", "networkPolicy": "calico",
			"outboundType": "loadBalancer", "podCidr": "10.100.0.0/16",
		},
		"windowsProfile": map[string]any{"adminUsername": "shopadmin"},
		"agentPoolProfiles": []any{
			map[string]any{
				"name": "nodepool1", "mode": "System", "osType": "Linux", "osSKU": "AzureLinux", "count": 3,
				"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4", "maxPods": 100,
			},
			map[string]any{
				"name": "win", "mode": "User", "osType": "Windows", "osSKU": "Windows2022", "count": 2,
				"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4", "maxPods": 250,
			},
		},
	}
	if change != nil {
		change(properties)
	}
	return akstest.Cluster{Name: "shop", Tags: map[string]string{"team": "shop"}, Properties: properties}
}

// inExisting returns a program that does something in an existing cluster.
func inExisting(do func(ctx *pulumi.Context, cluster *aks.ExistingCluster) error) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: "shop-group"})
		if err != nil || do == nil {
			return err
		}
		return do(ctx, cluster)
	}
}

// joining returns a program that has pools in an existing cluster.
func joining(pools ...aks.PoolArgs) pulumi.RunFunc {
	return inExisting(func(ctx *pulumi.Context, cluster *aks.ExistingCluster) error {
		for _, args := range pools {
			if _, err := cluster.NewNodePool(ctx, args.Pool.Name, &args); err != nil {
				return err
			}
		}
		ctx.Export("pools", pulumi.ToStringArray(poolNames(cluster.Topology())))
		return nil
	})
}

func poolNames(t topology.Topology) []string {
	var names []string
	for _, p := range t.Pools {
		names = append(names, fmt.Sprintf("%s %s %d", p.Name, p.KubernetesVersion, p.Count))
	}
	return names
}

func TestAnExistingClusterIsOnlyRead(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]mocktest.Option{"an update": nil, "a preview": {mocktest.Preview()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var cluster *aks.ExistingCluster
			graph := mocktest.MustRun(t, inExisting(func(ctx *pulumi.Context, c *aks.ExistingCluster) error {
				cluster = c
				ctx.Export("group", c.NodeResourceGroup)
				return nil
			}), append(options, akstest.Azure(unmanaged(nil)))...)
			var types []string
			for _, r := range graph.Resources() {
				types = append(types, r.Type)
			}
			slices.Sort(types)
			equal(t, "resources", []string{"mixedkube:aks:ExistingCluster", "pulumi:providers:kubernetes"}, types)
			provider := graph.MustGet(t, "pulumi:providers:kubernetes", "shop-kubernetes")
			equal(t, "the identifier of the cluster", existingID, textOf(t, provider, "clusterIdentifier"))
			equal(t, "the kubeconfig", akstest.Kubeconfig, textOf(t, provider, "kubeconfig"))
			if !provider.Inputs["kubeconfig"].ContainsSecrets() {
				t.Error("the kubeconfig is not a secret")
			}
			equal(t, "exports", map[string]any{"group": "MC_shop"}, mocktest.Plain(graph.Exports()))
			equal(t, "the version", "1.35.4", cluster.KubernetesVersion)
			equal(t, "pools", []string{"nodepool1 1.35.4 3", "win 1.35.4 2"}, poolNames(cluster.Topology()))
			equal(t, "log", []string(nil), messages(graph))
		})
	}
}

func TestFindingsAboutAnExistingClusterAreLogged(t *testing.T) {
	t.Parallel()
	kubenet := unmanaged(func(p map[string]any) {
		p["networkProfile"] = map[string]any{"networkPlugin": "kubenet"}
		p["agentPoolProfiles"] = p["agentPoolProfiles"].([]any)[:1]
	})
	const finding = "inAzure.networkProfile.networkPlugin: … (MK722)"
	for want, ignored := range map[string][]string{"warning: " + finding: nil, "info: ignored: " + finding: {"MK722"}} {
		graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			cluster, err := aks.Existing(ctx, "shop",
				&aks.ExistingArgs{ResourceGroupName: "shop-group", Ignore: ignored})
			if err == nil && (len(cluster.Findings) != 1 || cluster.Findings[0].Rule != "MK722") {
				t.Errorf("the findings are %v", cluster.Findings)
			}
			return err
		}, akstest.Azure(kubenet))
		equal(t, "log", want, brief(messages(graph)...))
	}
}

func TestExistingClustersThatAreRefused(t *testing.T) {
	t.Parallel()
	unknown := mocktest.All(akstest.Azure(), mocktest.Calls(func(mocktest.Call) (resource.PropertyMap, error) {
		return resource.PropertyMap{}, nil
	}))
	tests := []struct {
		name  string
		args  *aks.ExistingArgs
		azure mocktest.Option
		want  string
	}{
		{
			"none", nil, akstest.Azure(),
			`mixedkube:aks:ExistingCluster "shop": resourceGroupName: Required value: name the group that the ` +
				`cluster is in`,
		},
		{
			"names for a shell", &aks.ExistingArgs{ResourceGroupName: "shop-group", ClusterName: "shop/../other"},
			akstest.Azure(),
			`mixedkube:aks:ExistingCluster "shop": clusterName: … (MK709)`,
		},
		{
			"a group with a name for a shell", &aks.ExistingArgs{ResourceGroupName: "shop; rm -rf"}, akstest.Azure(),
			`mixedkube:aks:ExistingCluster "shop": resourceGroupName: "shop; rm -rf": the name of a resource ` +
				`group has ` +
				`letters, digits, underscores, hyphens, periods and parentheses only`,
		},
		{
			"a cluster that does not exist", &aks.ExistingArgs{ResourceGroupName: "shop-group", ClusterName: "other"},
			akstest.Azure(unmanaged(nil)),
			`mixedkube:aks:ExistingCluster "shop": clusterName: Not found: "other": the resource group ` +
				`"shop-group" has ` +
				`no such cluster: to create one, use NewCluster of this package`,
		},
		{
			"in an Azure that is not known yet", &aks.ExistingArgs{ResourceGroupName: "shop-group"}, unknown,
			`mixedkube:aks:ExistingCluster "shop": clusterName: "shop": the cluster cannot be looked ` +
				`up in this preview, because the provider of azure-native is not known yet: give its arguments ` +
				`plain values, or use NewNodePool of this package`,
		},
		{
			"a login that cannot work", &aks.ExistingArgs{
				ResourceGroupName: "shop-group", Login: aks.Login{Mode: aks.LoginManagedIdentity},
			}, akstest.Azure(unmanaged(nil)),
			`mixedkube:aks:ExistingCluster "shop": login.mode: … (MK766)`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
				_, err := aks.Existing(ctx, "shop", tt.args)
				return err
			}, mocktest.Preview(), tt.azure)
			wantError(t, err, tt.want)
			equal(t, "providers", []string(nil), names(graph, "pulumi:providers:kubernetes"))
		})
	}
}

var win22 = topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}

func TestAPoolOfAnExistingCluster(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, joining(aks.PoolArgs{Pool: win22}), akstest.Azure(unmanaged(nil)))
	pool := graph.MustGet(t, poolType, "win22-win22d")
	want := map[string]any{
		"resourceGroupName": "shop-group", "resourceName": "shop", "agentPoolName": "win22d", "osType": "Windows",
		"osSKU": "Windows2022", "mode": "User", "type": "VirtualMachineScaleSets", "vmSize": "Standard_D4s_v5",
		"count": 1, "enableAutoScaling": false, "enableFIPS": false, "nodeLabels": map[string]any{},
		"nodeTaints": []any{"os=windows:NoSchedule"},
		"tags":       map[string]any{"team": "shop", "mixedkube-pool-of": "organization/project/stack/shop"},
	}
	equal(t, "the pool", want, pool.Plain())
	equal(t, "pools", map[string]any{"pools": []any{"nodepool1 1.35.4 3", "win 1.35.4 2", "win22 1.35.4 1"}},
		mocktest.Plain(graph.Exports()))
	if len(pool.ReplaceOnChanges) == 0 || len(pool.IgnoreChanges) > 0 {
		t.Errorf("it is replaced for %v, and changes of %v are ignored", pool.ReplaceOnChanges, pool.IgnoreChanges)
	}
}

// Azure fails one of two new pools in one network and, without error hooks, one of any two.
func TestPoolsInTheNetworkOfAnExistingClusterAreCreatedOneByOne(t *testing.T) {
	t.Parallel()
	inSubnet := unmanaged(func(p map[string]any) {
		p["agentPoolProfiles"].([]any)[0].(map[string]any)["vnetSubnetID"] = nodesID
	})
	second := win22
	second.Name = "more"
	podSubnet := aks.PoolOptions{PodSubnetID: pulumi.String(podsID)}
	for name, tt := range map[string]struct {
		cluster akstest.Cluster
		options aks.PoolOptions
		version string
		subnet  any
		waits   bool
	}{
		"in a network that Azure created": {cluster: unmanaged(nil)},
		"in a network of one's own":       {cluster: inSubnet, subnet: nodesID, waits: true},
		"in a subnet of the pods":         {cluster: unmanaged(nil), options: podSubnet, waits: true},
		"no hooks":                        {cluster: unmanaged(nil), version: "3.216.0", waits: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ignore := []string{"MK727"}
			graph := mocktest.MustRun(t, joining(
				aks.PoolArgs{Pool: win22, PoolOptions: tt.options, Ignore: ignore},
				aks.PoolArgs{Pool: second, PoolOptions: tt.options, Ignore: ignore},
			), akstest.Azure(tt.cluster), mocktest.PulumiVersion(tt.version))
			first, last := graph.MustGet(t, poolType, "win22-win22d"), graph.MustGet(t, poolType, "more-mored2")
			equal(t, "the subnet", tt.subnet, last.Plain()["vnetSubnetID"])
			equal(t, "the second pool waits for the first one", tt.waits, slices.Contains(last.Dependencies, first.URN))
		})
	}
}

func TestAPoolOfAnExistingClusterIsTakenOver(t *testing.T) {
	t.Parallel()
	id := existingID + "/agentPools/win"
	graph := mocktest.MustRun(t, joining(aks.PoolArgs{
		Pool: topology.Pool{Name: "web", Platform: platform.WindowsServer2022, Count: 3},
		PoolOptions: aks.PoolOptions{
			NameInAzure: "win", ImportID: pulumi.String(id),
			Options: &containerservice.AgentPoolArgs{WorkloadRuntime: pulumi.String("OCIContainer")},
		},
		Tags: pulumi.StringMap{"team": pulumi.String("web")},
	}), akstest.Azure(unmanaged(nil)))
	pool := graph.MustGet(t, poolType, "web-win")
	equal(t, "the import", id, pool.ImportID)
	equal(t, "what replaces it", []string(nil), pool.ReplaceOnChanges)
	want := map[string]any{
		"resourceGroupName": "shop-group", "resourceName": "shop", "agentPoolName": "win", "osType": "Windows",
		"osSKU": "Windows2022", "mode": "User", "vmSize": "Standard_D4s_v5", "count": 3,
		"enableAutoScaling": false, "enableFIPS": false, "nodeLabels": map[string]any{}, "nodeTaints": []any{},
		"workloadRuntime": "OCIContainer",
		"tags":            map[string]any{"team": "web", "mixedkube-pool-of": "organization/project/stack/shop"},
	}
	equal(t, "the pool", want, pool.Plain())
	ignored := map[string]bool{}
	for _, name := range pool.IgnoreChanges {
		ignored[name] = true
		// The state can have other values of those that change in place.
		if _, isSet := want[name]; isSet && !slices.Contains([]string{"vmSize", "osSKU", "enableFIPS"}, name) {
			t.Errorf("changes of %s are ignored", name)
		}
	}
	// A version in the state would be older than one that another user has upgraded to.
	for name, want := range map[string]bool{
		"kubeletConfig": true, "maxPods": true, "upgradeSettings": true, "type": true, "orchestratorVersion": false,
		"minCount": false,
	} {
		equal(t, "changes of "+name+" are ignored", want, ignored[name])
	}
	equal(t, "pools", map[string]any{"pools": []any{"nodepool1 1.35.4 3", "web 1.35.4 3"}},
		mocktest.Plain(graph.Exports()))
}

func TestTheErrorOfAPoolOfAnExistingClusterIsComplete(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(joining(aks.PoolArgs{
		Pool: topology.Pool{
			Name: "nodepool1", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", KubernetesVersion: "1.36",
		},
		Ignore: []string{"MK999"},
	}), akstest.Azure(unmanaged(func(p map[string]any) { delete(p, "windowsProfile") })))
	const want = `mixedkube:aks:NodePool "nodepool1":
  ignore[0]: Invalid value: "MK999": is not a rule: remove it
  inAzure.windowsProfile: … (MK769)
  pool.kubernetesVersion: Invalid value: "1.36": …
  pool.name: … (MK702)
  pool.name: … (MK798)`
	wantError(t, err, want)
	equal(t, "pools", []string(nil), names(graph, "mixedkube:aks:NodePool"))
}

func TestTheVersionOfAPoolOfAnExistingClusterIsWrittenAsInAzure(t *testing.T) {
	t.Parallel()
	pool := win22
	pool.Name, pool.KubernetesVersion = "web", "v1.35"
	graph := mocktest.MustRun(t, joining(aks.PoolArgs{Pool: pool}), akstest.Azure(unmanaged(nil)))
	equal(t, "the version", any("1.35"), graph.MustGet(t, poolType, "web-webd2x").Plain()["orchestratorVersion"])
}

// A channel has moved the pool on: the program does not request an older version.
func TestAPoolOfAnExistingClusterIsNotDowngraded(t *testing.T) {
	t.Parallel()
	older := win22
	older.Name, older.KubernetesVersion = "web", "1.34"
	graph := mocktest.MustRun(t, joining(aks.PoolArgs{Pool: older, PoolOptions: aks.PoolOptions{NameInAzure: "win"}}),
		akstest.Azure(unmanaged(func(p map[string]any) {
			p["agentPoolProfiles"].([]any)[1].(map[string]any)["tags"] = map[string]any{plan.OwnerTag: shopOwner}
			p["autoUpgradeProfile"] = map[string]any{"upgradeChannel": "stable"}
		})))
	equal(t, "the version", any("1.35"), graph.MustGet(t, poolType, "web-win").Plain()["orchestratorVersion"])
	equal(t, "log", "info: pool.kubernetesVersion: … (MK778)", brief(messages(graph)...))
}
