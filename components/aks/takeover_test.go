package aks_test

import (
	"slices"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// takingOver returns the arguments that take over the cluster of [unmanaged], changed by a test.
func takingOver(change func(*aks.ClusterArgs)) *aks.ClusterArgs {
	args := &aks.ClusterArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "web", Platform: platform.WindowsServer2022},
		},
		PoolOptions: map[string]aks.PoolOptions{
			"sys": {NameInAzure: "nodepool1"},
			"web": {NameInAzure: "win", ImportID: pulumi.String(existingID + "/agentPools/win")},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String(password)},
	}
	if change != nil {
		change(args)
	}
	return args
}

func TestAClusterIsTakenOver(t *testing.T) {
	t.Parallel()
	var cluster *aks.Cluster
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) (err error) {
		cluster, err = aks.NewCluster(ctx, "shop", takingOver(nil), pulumi.Import(pulumi.ID(existingID)))
		return err
	}, mocktest.Preview(), akstest.Azure(unmanaged(nil)))
	made := graph.MustGet(t, clusterType, "shop-cluster")
	in := made.Plain()
	equal(t, "the import", existingID, made.ImportID)
	equal(t, "tags", any(map[string]any{
		"team": "shop", "mixedkube-first-pool": "nodepool1", "mixedkube-taken-over": "true",
	}), in["tags"])
	equal(t, "the DNS prefix", any("shop-dns"), in["dnsPrefix"])
	equal(t, "the identity", any(nil), in["identity"])
	// The cluster has none, and could never remove one.
	equal(t, "the OIDC issuer", any(map[string]any{"enabled": false}), in["oidcIssuerProfile"])
	equal(t, "the name of the administrator", any("shopadmin"), in["windowsProfile"].(map[string]any)["adminUsername"])
	equal(t, "the policy", any("calico"), in["networkProfile"].(map[string]any)["networkPolicy"])
	first := in["agentPoolProfiles"].([]any)[0].(map[string]any)
	equal(t, "the first pool", []any{"nodepool1", 3, 100, "Standard_D4s_v5", "AzureLinux"},
		[]any{first["name"], first["count"], first["maxPods"], first["vmSize"], first["osSKU"]})
	for _, path := range []string{
		"addonProfiles", "dnsPrefix", "identity", "networkProfile.loadBalancerProfile", "networkProfile.networkPolicy",
		"networkProfile.podCidr", "nodeResourceGroup", "sku", "windowsProfile.adminPassword",
	} {
		if !slices.Contains(made.IgnoreChanges, path) {
			t.Errorf("changes of %s are not ignored", path)
		}
	}
	for _, path := range []string{"agentPoolProfiles", "kubernetesVersion", "tags", "windowsProfile"} {
		if slices.Contains(made.IgnoreChanges, path) {
			t.Errorf("changes of %s are ignored", path)
		}
	}
	pool := graph.MustGet(t, poolType, "shop-win")
	equal(t, "the import of the pool", existingID+"/agentPools/win", pool.ImportID)
	equal(t, "what replaces the pool", []string(nil), pool.ReplaceOnChanges)
	equal(t, "pools", []string{"sys 1.35 3", "web 1.35 2"}, poolNames(cluster.Topology))
	equal(t, "the name of the nodes' pool", "win", cluster.Topology.Pools[1].Labels["agentpool"])
	equal(t, "log", []string(nil), messages(graph))
}

// The component takes over the state of the resources, and the resource of the cluster has the alias.
func TestTheResourceOfAClusterHasItsAlias(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", takingOver(nil), pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String(clusterType), Name: pulumi.String("old")}, {Name: pulumi.String("before")},
		}))
		return err
	}, akstest.Azure(unmanaged(nil)))
	equal(t, "aliases", []mocktest.Alias{{Type: clusterType, Name: "old", NoParent: true}},
		graph.MustGet(t, clusterType, "shop-cluster").Aliases[:1]) // others are the SDK's
	equal(t, "aliases", []mocktest.Alias{{Name: "before"}},
		graph.MustGet(t, "mixedkube:aks:Cluster", "shop").Aliases)
}

// A cluster that this library has created is not taken over, and settings that the program removes are removed.
func TestAClusterOfThisLibraryIsNotTakenOver(t *testing.T) {
	t.Parallel()
	inAzure := unmanaged(nil)
	inAzure.Tags = map[string]string{"mixedkube-first-pool": "nodepool1"}
	graph := mocktest.MustRun(t, newCluster(takingOver(nil)), akstest.Azure(inAzure))
	made := graph.MustGet(t, clusterType, "shop-cluster")
	for _, path := range []string{"addonProfiles", "sku", "networkProfile.loadBalancerProfile"} {
		if slices.Contains(made.IgnoreChanges, path) {
			t.Errorf("changes of %s are ignored", path)
		}
	}
	in := made.Plain()
	equal(t, "the identity", any(map[string]any{"type": "SystemAssigned"}), in["identity"])
	equal(t, "the OIDC issuer", any(map[string]any{"enabled": true}), in["oidcIssuerProfile"])
	equal(t, "tags", any(map[string]any{"mixedkube-first-pool": "nodepool1"}), in["tags"])
}

func TestAnImpossibleTakeoverStopsTheProgram(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*aks.ClusterArgs)
		want   string
	}{
		{
			"another size", func(a *aks.ClusterArgs) { a.Pools[1].Size = "Standard_D8s_v5" },
			`mixedkube:aks:Cluster "shop": poolOptions[web].nameInAzure: … (MK777)`,
		},
		{
			"a pool that only Azure has", func(a *aks.ClusterArgs) {
				a.PoolOptions["web"] = aks.PoolOptions{NameInAzure: "win"}
			},
			`mixedkube:aks:Cluster "shop": poolOptions[web].nameInAzure: … (MK779)`,
		},
		{
			"no system pool by its name", func(a *aks.ClusterArgs) {
				a.PoolOptions["sys"], a.Pools[0].Size = aks.PoolOptions{}, "Standard_D4s_v5"
			},
			`mixedkube:aks:Cluster "shop": clusterName: "shop": a cluster with this name already exists, without the ` +
				`tag mixedkube-first-pool: use another name; or take it over, with nameInAzure in poolOptions of a ` +
				`system pool (its pools are nodepool1 and win); or set the tag to the name of the pool in its ` +
				`agentPoolProfiles, or to none if all its pools are resources of their own`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newCluster(takingOver(tt.change)), mocktest.Preview(),
				akstest.Azure(unmanaged(nil)))
			wantError(t, err, tt.want)
			equal(t, "clusters", []string(nil), names(graph, clusterType))
		})
	}
}

// Azure never returns the password, and a new one restarts all Windows nodes.
func TestATakeoverChangesNoPassword(t *testing.T) {
	t.Parallel()
	args := takingOver(func(a *aks.ClusterArgs) { a.AzureCLI = true })
	graph := mocktest.MustRun(t, newCluster(args), akstest.Azure(unmanaged(nil)))
	equal(t, "the command", any("exit 0"), graph.MustGet(t, commandType, "shop-windows-admin-update").Plain()["create"])
}

func TestVersionsThatAChannelHasMovedAreNotReverted(t *testing.T) {
	t.Parallel()
	moved := made(func(c *akstest.Cluster) {
		c.Versions = map[string]string{"sysvhv": "1.36.2", "win22d": "1.36.2"}
		c.Properties = map[string]any{"currentKubernetesVersion": "1.36.2"}
	})
	upgradedBy := func(channel string) *aks.ClusterArgs {
		return inGroup(func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{
				AutoUpgradeProfile: containerservice.ManagedClusterAutoUpgradeProfileArgs{
					UpgradeChannel: pulumi.String(channel),
				},
			}
		})
	}
	var cluster *aks.Cluster
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) (err error) {
		cluster, err = aks.NewCluster(ctx, "shop", upgradedBy("stable"))
		return err
	}, mocktest.Preview(), akstest.Azure(moved))
	equal(t, "versions", []any{"1.36", "1.36", "info: kubernetesVersion: … (MK778)"}, []any{
		graph.MustGet(t, clusterType, "shop-cluster").Plain()["kubernetesVersion"],
		graph.MustGet(t, poolType, "shop-win22d").Plain()["orchestratorVersion"],
		brief(messages(graph)...),
	})
	equal(t, "the topology", "1.36", cluster.Topology.KubernetesVersion)
	// Someone has upgraded the cluster, and Azure does not go back.
	_, err := mocktest.Run(newCluster(upgradedBy("node-image")), mocktest.Preview(), akstest.Azure(moved))
	wantError(t, err, `mixedkube:aks:Cluster "shop": kubernetesVersion: … (MK780)`)
}

// The rules check the version in Azure, not the program's.
func TestTheVersionThatAChannelHasMovedToIsChecked(t *testing.T) {
	t.Parallel()
	moved := made(func(c *akstest.Cluster) {
		c.Versions = map[string]string{"sysvhv": "1.37.0"}
		c.Properties = map[string]any{
			"currentKubernetesVersion": "1.37.0", "autoUpgradeProfile": map[string]any{"upgradeChannel": "rapid"},
		}
	})
	_, err := mocktest.Run(newCluster(inGroup(nil)), mocktest.Preview(), akstest.Azure(moved))
	wantError(t, err, `mixedkube:aks:Cluster "shop": pools[1].platform: … (MK712)`)
}
