package aks_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
)

// known returns an output with a value that is known at once.
func known(text string) pulumi.StringOutput { return pulumi.String(text).ToStringOutput() }

// A network in place of its subnet, and what every finding about it says.
const (
	aNetwork = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/shop"
	isWrong  = `: "` + aNetwork + `": the ID of a resource of type Microsoft.Network/virtualNetworks, not of `
)

// An output that is known in the preview, and is not the ID of the resource that it has to name, fails the cluster or
// the pool with the same error as a plain value.
func TestReferencesThatAreOutputsAreChecked(t *testing.T) {
	t.Parallel()
	wrong := known(aNetwork)
	for want, change := range map[string]func(*aks.ClusterArgs){
		"network.nodeSubnetID" + isWrong + "a subnet": func(a *aks.ClusterArgs) { a.Network.NodeSubnetID = wrong },
		"identity.userAssignedID" + isWrong + "a managed identity": func(a *aks.ClusterArgs) {
			a.Identity.UserAssignedID = wrong
		},
		"apiServer.privateDNSZone" + isWrong + "a private DNS zone": func(a *aks.ClusterArgs) {
			a.APIServer = aks.APIServer{Private: true, PrivateDNSZone: wrong}
		},
		"options.diskEncryptionSetID" + isWrong + "a disk encryption set": func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{DiskEncryptionSetID: wrong}
		},
		"options.identityProfile.kubeletidentity.resourceId" + isWrong +
			"a managed identity": func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{
				IdentityProfile: containerservice.UserAssignedIdentityMap{
					"kubeletidentity": containerservice.UserAssignedIdentityArgs{ResourceId: wrong},
				},
			}
		},
		"options.addonProfiles.omsagent.config.logAnalyticsWorkspaceResourceID" + isWrong +
			"a Log Analytics workspace": func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{
				AddonProfiles: containerservice.ManagedClusterAddonProfileMap{
					"omsagent": containerservice.ManagedClusterAddonProfileArgs{
						Enabled: pulumi.Bool(true),
						Config:  pulumi.StringMap{"logAnalyticsWorkspaceResourceID": wrong},
					},
				},
			}
		},
		"options.ingressProfile.webAppRouting.dnsZoneResourceIds[1]" + isWrong +
			"a DNS zone": func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{
				IngressProfile: containerservice.ManagedClusterIngressProfileArgs{
					WebAppRouting: containerservice.ManagedClusterIngressProfileWebAppRoutingArgs{
						DnsZoneResourceIds: pulumi.StringArray{known(idOf("Network/dnszones/shop")), wrong},
					},
				},
			}
		},
		"options.networkProfile.loadBalancerProfile.outboundIPs.publicIPs[0].id" + isWrong +
			"a public IP address": func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{
				NetworkProfile: containerservice.ContainerServiceNetworkProfileArgs{
					LoadBalancerProfile: containerservice.ManagedClusterLoadBalancerProfileArgs{
						OutboundIPs: containerservice.ManagedClusterLoadBalancerProfileOutboundIPsArgs{
							PublicIPs: containerservice.ResourceReferenceArray{
								containerservice.ResourceReferenceArgs{Id: wrong},
							},
						},
					},
				},
			}
		},
		"poolOptions[win22].podSubnetID" + isWrong + "a subnet": func(a *aks.ClusterArgs) {
			a.Network = aks.Network{Mode: aks.PodSubnet, NodeSubnetID: pulumi.String(nodesID)}
			a.PoolOptions = map[string]aks.PoolOptions{
				"sys": {PodSubnetID: pulumi.String(podsID)}, "win22": {PodSubnetID: wrong},
			}
		},
		"poolOptions[win22].options.hostGroupID" + isWrong + "a host group": func(a *aks.ClusterArgs) {
			a.PoolOptions = map[string]aks.PoolOptions{
				"win22": {Options: &containerservice.AgentPoolArgs{HostGroupID: wrong}},
			}
		},
	} {
		identified := func(a *aks.ClusterArgs) { // some of the resources need an identity of the user
			a.Identity.UserAssignedID = pulumi.String(idOf("ManagedIdentity/userAssignedIdentities/shop"))
			change(a)
		}
		_, err := mocktest.Run(newCluster(small(identified)), mocktest.Preview(), akstest.Azure())
		if subject := `mixedkube:aks:Cluster "shop": `; err == nil || !strings.Contains(err.Error(), subject+want) {
			t.Errorf("%v\nwant %s%s", err, subject, want)
		}
	}
}

func TestReferencesOfAPoolThatAreOutputsAreChecked(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*aks.NodePoolArgs){
		"nodeSubnetID" + isWrong:         func(a *aks.NodePoolArgs) { a.NodeSubnetID = known(aNetwork) },
		"network.nodeSubnetID" + isWrong: func(a *aks.NodePoolArgs) { a.Network.NodeSubnetID = known(aNetwork) },
		"options.proximityPlacementGroupID" + isWrong: func(a *aks.NodePoolArgs) {
			a.Options = &containerservice.AgentPoolArgs{ProximityPlacementGroupID: known(aNetwork)}
		},
	} {
		for _, ignored := range [][]string{nil, {"MK760"}} {
			_, err := mocktest.Run(func(ctx *pulumi.Context) error {
				args := &aks.NodePoolArgs{
					ResourceGroupName: pulumi.String("rg"), ClusterName: pulumi.String("shop"),
					Pool:   topology.Pool{Name: "win22", Platform: "windows-2022", Size: "Standard_D4s_v5"},
					Ignore: ignored,
				}
				change(args)
				_, err := aks.NewNodePool(ctx, "win22", args)
				return err
			}, mocktest.Preview(), akstest.Azure())
			if ignored != nil {
				if err != nil {
					t.Errorf("ignored: %v", err)
				}
			} else if subject := `mixedkube:aks:NodePool "win22": `; err == nil ||
				!strings.Contains(err.Error(), subject+want) {
				t.Errorf("%v\nwant %s%s", err, subject, want)
			}
		}
	}
}

// Good IDs, unknown ones and IDs that mocks have made up are sent unchanged.
func TestReferencesThatAreOutputsAreSentUnchanged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		id   pulumi.StringOutput
		want any
	}{
		"good":                 {known(nodesID), nodesID},
		"not known":            {mocktest.Unknown[pulumi.StringOutput](), mocktest.UnknownValue},
		"made up by mocktest":  {known("nodes-id"), "nodes-id"},
		"made up by the mocks": {known("net_id/subnets/nodes"), "net_id/subnets/nodes"},
	} {
		graph := mocktest.MustRun(t, newCluster(small(func(a *aks.ClusterArgs) { a.Network.NodeSubnetID = tt.id })),
			mocktest.Preview(), akstest.Azure())
		pools := graph.MustGet(t, clusterType, "shop-cluster").Plain()["agentPoolProfiles"].([]any)
		equal(t, name, tt.want, pools[0].(map[string]any)["vnetSubnetID"])
	}
	// A secret that is wrong is not shown.
	hidden := pulumi.ToSecret(known(aNetwork)).(pulumi.StringOutput)
	_, err := mocktest.Run(newCluster(small(func(a *aks.ClusterArgs) { a.Network.NodeSubnetID = hidden })),
		mocktest.Preview(), akstest.Azure())
	if err == nil || !strings.Contains(err.Error(), "network.nodeSubnetID: [secret]: ") ||
		strings.Contains(err.Error(), aNetwork) {
		t.Error(err)
	}
}

// A version without support is an error for a cluster that does not exist, and a warning for one that does.
func TestAVersionWithoutSupport(t *testing.T) {
	t.Parallel()
	program := newCluster(small(func(a *aks.ClusterArgs) {
		a.ResourceGroupName, a.KubernetesVersion = pulumi.String("rg"), "1.25"
	}))
	_, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
	if want := `kubernetesVersion: "1.25": AKS no longer creates clusters with it`; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	existing := akstest.Azure(made(func(c *akstest.Cluster) {
		for pool := range c.Versions {
			c.Versions[pool] = "1.25"
		}
	}))
	graph := mocktest.MustRun(t, program, mocktest.Preview(), existing)
	if logged := strings.Join(messages(graph), "\n"); !strings.Contains(logged, `"1.25": older than the versions `+
		`of AKS`) {
		t.Errorf("the log:\n%s", logged)
	}
}

// A private DNS zone needs an identity of the user's own, unless a cluster has the zone already.
func TestAPrivateZoneWithoutAnIdentity(t *testing.T) {
	t.Parallel()
	program := newCluster(small(func(a *aks.ClusterArgs) {
		a.ResourceGroupName = pulumi.String("rg")
		a.APIServer = aks.APIServer{
			Private: true, PrivateDNSZone: pulumi.String(idOf("Network/privateDnsZones/shop.westeurope.azmk8s.io")),
		}
	}))
	_, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
	if err == nil || !strings.Contains(err.Error(), "(MK776)") {
		t.Error(err)
	}
	mocktest.MustRun(t, program, mocktest.Preview(), akstest.Azure(made(func(c *akstest.Cluster) {
		c.Properties = map[string]any{"apiServerAccessProfile": map[string]any{"enablePrivateCluster": true}}
	})))
}
