package aks_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// takenOver runs a program that takes over an existing cluster.
func takenOver(t *testing.T, args *aks.ClusterArgs, inAzure akstest.Cluster) (*mocktest.Graph, *aks.Cluster) {
	t.Helper()
	var cluster *aks.Cluster
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) (err error) {
		cluster, err = aks.NewCluster(ctx, "shop", args)
		return err
	}, akstest.Azure(inAzure))
	return graph, cluster
}

// poolHas changes a pool of an existing cluster, by its index.
func poolHas(index int, has map[string]any) func(properties map[string]any) {
	return func(p map[string]any) {
		maps.Copy(p["agentPoolProfiles"].([]any)[index].(map[string]any), has)
	}
}

// changed makes several changes.
func changed(changes ...func(properties map[string]any)) func(properties map[string]any) {
	return func(p map[string]any) {
		for _, change := range changes {
			change(p)
		}
	}
}

func set(key string, value any) func(properties map[string]any) {
	return func(p map[string]any) { p[key] = value }
}

func TestATakeoverKeepsLicenseAndGMSA(t *testing.T) {
	t.Parallel()
	inAzure := unmanaged(set("windowsProfile", map[string]any{
		"adminUsername": "shopadmin", "licenseType": "Windows_Server",
		"gmsaProfile": map[string]any{
			"enabled": true, "dnsServer": "10.0.0.4", "rootDomainName": "contoso.com",
		},
	}))
	const (
		flags = "--enable-ahub --enable-windows-gmsa --gmsa-dns-server 10.0.0.4 --gmsa-root-domain-name contoso.com"
		// others are the flags of a program that sets NoLicense.
		others = "--disable-ahub --enable-windows-gmsa --gmsa-dns-server 10.0.0.4 --gmsa-root-domain-name contoso.com"
	)
	for _, cli := range []bool{false, true} {
		graph, cluster := takenOver(t, takingOver(func(a *aks.ClusterArgs) { a.AzureCLI = cli }), inAzure)
		profile := graph.MustGet(t, clusterType, "shop-cluster").Plain()["windowsProfile"].(map[string]any)
		equal(t, "the license", any("Windows_Server"), profile["licenseType"])
		equal(t, "what the topology lacks", []topology.Feature(nil), cluster.Topology.MissingFeatures)
		equal(t, "settings", any(flags), stashed(t, graph)["settings"])
		equal(t, "log", []string(nil), messages(graph))
		if cli {
			command := graph.MustGet(t, commandType, "shop-windows-admin-update")
			equal(t, "the first command", any("exit 0"), command.Plain()["create"])
			if text := typed(t, command, "update"); !strings.Contains(text, " "+flags+" ") {
				t.Errorf("a later change runs %s", text)
			}
		}
	}
	graph, _ := takenOver(t, takingOver(func(a *aks.ClusterArgs) {
		a.WindowsAdmin.LicenseType = aks.NoLicense
	}), inAzure)
	equal(t, "the log of a program that sets another license", []string{
		"warning: windowsAdmin: it differs in Azure (licenseType), and Pulumi would replace the cluster to change " +
			"it: run az aks update --resource-group shop-group --name shop " + others + " --yes; when the " +
			"license changes, Azure reimages all Windows nodes (MK795)",
	}, messages(graph))
}

// Settings of the network that the program leaves out are checked with their values in Azure.
func TestATakeoverIsCheckedWithTheSettingsInAzure(t *testing.T) {
	t.Parallel()
	subnets := map[string]any{"vnetSubnetID": nodesID, "podSubnetID": podsID}
	podSubnets := changed(poolHas(0, subnets), poolHas(1, subnets), set("networkProfile", map[string]any{
		"networkPlugin": "azure", "networkPolicy": "calico", "outboundType": "loadBalancer",
	}))
	gateway := set("networkProfile", map[string]any{
		"networkPlugin": "azure", "networkPluginMode": "overlay", "outboundType": "managedNATGateway",
	})
	entra := set("aadProfile", map[string]any{"managed": true})
	closed := set("disableLocalAccounts", true)
	private := set("apiServerAccessProfile", map[string]any{"enablePrivateCluster": true})
	withoutNAT := func(a *aks.ClusterArgs) { a.Pools[1].DisableOutboundNAT = true }
	login := func(a *aks.ClusterArgs) { a.Login.Mode = aks.LoginServicePrincipal }
	const subject = `mixedkube:aks:Cluster "shop":`
	tests := []struct {
		name   string
		change func(*aks.ClusterArgs)
		// inAzure changes the cluster in Azure; nil if there is no cluster.
		inAzure func(properties map[string]any)
		want    string
	}{
		{
			"a pool without outbound NAT behind a NAT gateway", withoutNAT,
			changed(gateway, poolHas(1, map[string]any{"windowsProfile": map[string]any{"disableOutboundNat": true}})),
			"",
		},
		{
			"a new pool without outbound NAT behind a load balancer", func(a *aks.ClusterArgs) {
				a.Pools = append(a.Pools, topology.Pool{
					Name: "apps", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
					DisableOutboundNAT: true,
				})
			},
			func(map[string]any) {},
			subject + " pools[2].disableOutboundNAT: … (MK729)",
		},
		{"the subnets of pods", func(a *aks.ClusterArgs) {
			a.Network.NodeSubnetID, a.Network.PodSubnetID = pulumi.String(nodesID), pulumi.String(podsID)
		}, podSubnets, ""},
		{"the mode of subnets of pods", func(a *aks.ClusterArgs) { a.Network.Mode = aks.PodSubnet }, podSubnets, ""},
		{
			"the mode of subnets of pods, of a cluster that does not exist",
			func(a *aks.ClusterArgs) {
				a.Network.Mode, a.Pools[0].Size, a.Pools[1].Size = aks.PodSubnet, "Standard_D4s_v5", "Standard_D4s_v5"
			},
			nil,
			subject + "\n  network.nodeSubnetID: … (MK726)\n  network.podSubnetID: … (MK726)",
		},
		{"a login with Microsoft Entra ID", login, entra, ""},
		{
			"a login with Microsoft Entra ID, which the cluster does not have", login, func(map[string]any) {},
			subject + " login.mode: … (MK766)",
		},
		{
			"no local accounts", func(a *aks.ClusterArgs) { a.APIServer.DisableLocalAccounts = true },
			changed(entra, closed), "",
		},
		{
			"no local accounts, and no Microsoft Entra ID",
			func(a *aks.ClusterArgs) { a.APIServer.DisableLocalAccounts = true }, func(map[string]any) {},
			subject + " apiServer.disableLocalAccounts: … (MK763)",
		},
		{"a private API server", nil, private, ""},
		{
			"ranges of a private API server", func(a *aks.ClusterArgs) {
				a.APIServer.AuthorizedIPRanges = pulumi.StringArray{pulumi.String("203.0.113.7")}
			},
			private,
			subject + " apiServer.authorizedIPRanges: … (MK761)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			azure := akstest.Azure()
			if tt.inAzure != nil {
				azure = akstest.Azure(unmanaged(tt.inAzure))
			}
			graph, err := mocktest.Run(newCluster(takingOver(tt.change)), mocktest.Preview(), azure)
			if tt.want == "" {
				tt.want = "<nil>"
			}
			wantError(t, err, tt.want)
			equal(t, "log", []string(nil), messages(graph))
			everyone := err == nil && tt.name != "a private API server"
			equal(t, "whether everyone can connect to it", everyone, len(everyMessage(graph)) > 0)
		})
	}
}

// A new pool is in the subnets of the cluster, and an existing one stays in its own.
func TestPoolsOfATakeoverAreInTheSubnetsOfAzure(t *testing.T) {
	t.Parallel()
	inAzure := unmanaged(changed(
		poolHas(0, map[string]any{"vnetSubnetID": nodesID, "podSubnetID": podsID}),
		poolHas(1, map[string]any{"vnetSubnetID": "/others", "podSubnetID": "/otherpods"}),
		set("networkProfile", map[string]any{"networkPlugin": "azure", "networkPolicy": "calico"}),
	))
	subnets := func(change func(*aks.ClusterArgs)) [][]any {
		graph, _ := takenOver(t, takingOver(func(a *aks.ClusterArgs) {
			a.Pools = append(a.Pools, topology.Pool{
				Name: "apps", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
			})
			if change != nil {
				change(a)
			}
		}), inAzure)
		all := [][]any{}
		inline := graph.MustGet(t, clusterType, "shop-cluster").Plain()["agentPoolProfiles"].([]any)
		for _, name := range names(graph, poolType) {
			pool := graph.MustGet(t, poolType, name)
			inline = append(inline, pool.Plain())
			ignored := slices.Contains(pool.IgnoreChanges, "vnetSubnetID")
			equal(t, "whether the subnet of "+name+" is ignored", name == "shop-win", ignored)
		}
		for _, pool := range inline {
			all = append(all, []any{pool.(map[string]any)["vnetSubnetID"], pool.(map[string]any)["podSubnetID"]})
		}
		slices.SortFunc(all[1:], func(a, _ []any) int {
			if a[0] == nil {
				return -1
			}
			return 1
		})
		return all
	}
	equal(t, "the inline, the existing and the new pool", [][]any{{nodesID, podsID}, {nil, nil}, {nodesID, podsID}},
		subnets(nil))
	equal(t, "with a subnet of its own", [][]any{{nodesID, podsID}, {nil, nil}, {ownID, podsID}},
		subnets(func(a *aks.ClusterArgs) {
			a.PoolOptions["apps"] = aks.PoolOptions{NodeSubnetID: pulumi.String(ownID)}
		}))
}

func TestTheInlinePoolOfATakeoverKeepsPropertiesThatTheProgramLeavesOut(t *testing.T) {
	t.Parallel()
	inAzure := unmanaged(poolHas(0, map[string]any{
		"vnetSubnetID": nodesID, "enableEncryptionAtHost": true, "kubeletDiskType": "OS",
		"scaleDownMode": "Deallocate", "tags": map[string]any{"cost": "7"},
		"orchestratorVersion": "1.35", "nodeImageVersion": "AKS-1",
		"upgradeSettings": map[string]any{"maxSurge": "10%", "undrainableNodeBehavior": "Cordon"},
		"linuxOSConfig":   map[string]any{"swapFileSizeMB": 1500, "sysctls": map[string]any{"vmMaxMapCount": 65530}},
	}))
	inline := func(change func(*aks.ClusterArgs)) map[string]any {
		graph, _ := takenOver(t, takingOver(change), inAzure)
		pools := graph.MustGet(t, clusterType, "shop-cluster").Plain()["agentPoolProfiles"].([]any)
		return pools[0].(map[string]any)
	}
	want := map[string]any{
		"name": "nodepool1", "mode": "System", "osType": "Linux", "osSKU": "AzureLinux", "count": 3,
		"vmSize": "Standard_D4s_v5", "maxPods": 100, "enableAutoScaling": false, "enableFIPS": false,
		"nodeLabels": map[string]any{}, "nodeTaints": []any{},
		"vnetSubnetID": nodesID, "enableEncryptionAtHost": true, "kubeletDiskType": "OS",
		"scaleDownMode": "Deallocate", "tags": map[string]any{"cost": "7"},
		"upgradeSettings": map[string]any{"maxSurge": "10%", "undrainableNodeBehavior": "Cordon"},
		"linuxOSConfig":   map[string]any{"swapFileSizeMB": 1500, "sysctls": map[string]any{"vmMaxMapCount": 65530}},
	}
	equal(t, "a pool without settings", want, inline(nil))
	want["upgradeSettings"] = map[string]any{"maxSurge": "50%", "undrainableNodeBehavior": "Cordon"}
	want["scaleDownMode"] = "Delete"
	equal(t, "a pool with settings", want, inline(func(a *aks.ClusterArgs) {
		a.Pools[0].Upgrade.MaxSurge = "50%"
		a.PoolOptions["sys"] = aks.PoolOptions{NameInAzure: "nodepool1", Options: &containerservice.AgentPoolArgs{
			ScaleDownMode: pulumi.String("Delete"),
		}}
	}))
}

// The path of an ignored change has the index of the pool. After an import, the state has another pool at that index.
func TestATakeoverLeavesTheNumberOfNodesToTheAutoscaler(t *testing.T) {
	t.Parallel()
	args := takingOver(func(a *aks.ClusterArgs) { a.Pools[0].Autoscaling = topology.Autoscaling{Min: 1, Max: 9} })
	inAzure := unmanaged(nil)
	for _, tags := range []map[string]string{
		{}, {"mixedkube-first-pool": "nodepool1", "mixedkube-taken-over": "true"},
	} {
		inAzure.Tags = tags
		graph, _ := takenOver(t, args, inAzure)
		made := graph.MustGet(t, clusterType, "shop-cluster")
		later := len(tags) > 0
		ignored := slices.Contains(made.IgnoreChanges, "agentPoolProfiles[0].count")
		equal(t, "whether the number is ignored", later, ignored)
		if count := made.Plain()["agentPoolProfiles"].([]any)[0].(map[string]any)["count"]; !later && count != 3 {
			t.Errorf("the cluster requests %v nodes, want the 3 that it has in Azure", count)
		}
	}
}

func TestATakeoverKeepsTheAPIServerPrivate(t *testing.T) {
	t.Parallel()
	inAzure := unmanaged(set("apiServerAccessProfile", map[string]any{
		"enablePrivateCluster": true, "privateDNSZone": "system",
	}))
	graph, _ := takenOver(t, takingOver(nil), inAzure)
	made := graph.MustGet(t, clusterType, "shop-cluster")
	equal(t, "the access", any(map[string]any{"enablePrivateCluster": true}), made.Plain()["apiServerAccessProfile"])
	for _, path := range []string{
		"apiServerAccessProfile.authorizedIPRanges", "apiServerAccessProfile.privateDNSZone",
	} {
		if !slices.Contains(made.IgnoreChanges, path) {
			t.Errorf("changes of %s are not ignored", path)
		}
	}
	equal(t, "log", []string(nil), everyMessage(graph))
}
