package azurenative

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

func TestPropertiesThatReplaceResources(t *testing.T) {
	t.Parallel()
	const (
		managedCluster = "azure-native:containerservice:ManagedCluster"
		agentPool      = "azure-native:containerservice:AgentPool"
	)
	for _, x := range []struct {
		name, token   string
		old, now      object
		state         object
		want          map[string]p.DiffKind
		deletedBefore bool
	}{
		{name: "nothing changes", token: agentPool, old: object{"count": 1.0}, now: object{"count": 1.0}},
		{
			name: "a pool is scaled", token: agentPool, old: object{"count": 1.0}, now: object{"count": 2.0},
			want: map[string]p.DiffKind{"count": p.Update},
		},
		{
			name: "a pool gets another size", token: agentPool, old: object{"vmSize": "a"}, now: object{"vmSize": "b"},
			want: map[string]p.DiffKind{"vmSize": p.UpdateReplace}, deletedBefore: true,
		},
		{
			name: "a pool whose name was made up gets another size", token: agentPool,
			old:  object{"vmSize": "a", "__createBeforeDelete": true},
			now:  object{"vmSize": "b", "__createBeforeDelete": true},
			want: map[string]p.DiffKind{"vmSize": p.UpdateReplace},
		},
		{
			name: "properties that azure-native updates in place", token: agentPool,
			old: object{
				"osSKU": "Windows2022", "maxPods": 30.0, "osDiskSizeGB": 60.0,
				"nodeTaints": []any{"a=b:NoSchedule"},
			},
			now: object{
				"osSKU": "Windows2025", "maxPods": 50.0, "osDiskSizeGB": 90.0,
				"nodeTaints": []any{"a=c:NoSchedule", "d=e:NoSchedule"},
			},
			want: map[string]p.DiffKind{
				"osSKU": p.Update, "maxPods": p.Update, "osDiskSizeGB": p.Update,
				"nodeTaints[0]": p.Update, "nodeTaints[1]": p.Add,
			},
		},
		{
			name: "a parameter of the path", token: agentPool,
			old: object{"resourceGroupName": "a", "resourceName": "b", "agentPoolName": "c"},
			now: object{"resourceGroupName": "x", "resourceName": "y", "agentPoolName": "z"},
			want: map[string]p.DiffKind{
				"resourceGroupName": p.UpdateReplace, "resourceName": p.UpdateReplace,
				"agentPoolName": p.UpdateReplace,
			}, deletedBefore: true,
		},
		{
			name: "tags of nodes' addresses", token: agentPool, old: object{"networkProfile": object{}},
			now:  object{"networkProfile": object{"nodePublicIPTags": []any{}}},
			want: map[string]p.DiffKind{"networkProfile.nodePublicIPTags": p.AddReplace}, deletedBefore: true,
		},
		{
			name: "a cluster's password", token: managedCluster,
			old:  object{"windowsProfile": object{"adminPassword": "a"}},
			now:  object{"windowsProfile": object{"adminPassword": "b"}},
			want: map[string]p.DiffKind{"windowsProfile.adminPassword": p.UpdateReplace}, deletedBefore: true,
		},
		{
			name:  "gMSA is new to a cluster: azure-native does not replace for additions below a property",
			token: managedCluster,
			old:   object{"windowsProfile": object{"adminUsername": "a"}},
			now:   object{"windowsProfile": object{"adminUsername": "a", "gmsaProfile": object{"enabled": true}}},
			want:  map[string]p.DiffKind{"windowsProfile.gmsaProfile": p.Add},
		},
		{
			// Source: https://github.com/pulumi/pulumi-azure-native/pull/4771.
			name: "properties of a cluster's network that are in place since 3.21", token: managedCluster,
			old: object{"networkProfile": object{
				"loadBalancerProfile": object{"managedOutboundIPs": object{"count": 1.0}}, "loadBalancerSku": "a",
				"natGatewayProfile":  object{"idleTimeoutInMinutes": 4.0},
				"advancedNetworking": object{"enabled": false},
			}},
			now: object{"networkProfile": object{
				"loadBalancerProfile": object{"managedOutboundIPs": object{"count": 2.0}}, "loadBalancerSku": "b",
				"advancedNetworking": object{"enabled": true, "security": object{"enabled": true}},
			}},
			want: map[string]p.DiffKind{
				"networkProfile.loadBalancerProfile.managedOutboundIPs.count": p.Update,
				"networkProfile.loadBalancerSku":                              p.Update,
				"networkProfile.natGatewayProfile":                            p.Delete,
				"networkProfile.advancedNetworking.enabled":                   p.Update,
				"networkProfile.advancedNetworking.security":                  p.Add,
			},
		},
		{
			// Source: as above. Before, additions to networkProfile and removals from it were in place. Changes of
			// elements are in place, and only the change of a whole list replaces.
			name: "properties of a cluster's network that replace it", token: managedCluster,
			old: object{"networkProfile": object{
				"dnsServiceIP": "a", "ipFamilies": []any{"IPv4"}, "networkDataplane": "a", "networkMode": "a",
				"networkPlugin": "a", "networkPolicy": "a", "outboundType": "a", "podCidr": "a",
				"serviceCidr": "a", "serviceCidrs": []any{"a"},
			}},
			now: object{"networkProfile": object{
				"dnsServiceIP": "b", "ipFamilies": []any{"IPv4", "IPv6"}, "networkDataplane": "b", "networkMode": "b",
				"networkPlugin": "b", "networkPluginMode": "b", "networkPolicy": "b", "outboundType": "b",
				"podCidrs": []any{"b"}, "serviceCidr": "b", "serviceCidrs": []any{"b"},
			}},
			want: map[string]p.DiffKind{
				"networkProfile.dnsServiceIP": p.UpdateReplace, "networkProfile.ipFamilies[1]": p.Add,
				"networkProfile.networkDataplane": p.UpdateReplace, "networkProfile.networkMode": p.UpdateReplace,
				"networkProfile.networkPlugin": p.UpdateReplace, "networkProfile.networkPluginMode": p.AddReplace,
				"networkProfile.networkPolicy": p.UpdateReplace, "networkProfile.outboundType": p.UpdateReplace,
				"networkProfile.podCidr": p.DeleteReplace, "networkProfile.podCidrs": p.AddReplace,
				"networkProfile.serviceCidr": p.UpdateReplace, "networkProfile.serviceCidrs[0]": p.Update,
			},
			deletedBefore: true,
		},
		{
			// Source: https://github.com/pulumi/pulumi-azure-native/issues/4772. Only releases after 3.23 treat the two
			// as the same (pull request #4776).
			name: "another spelling is a change in place", token: managedCluster,
			old: object{
				"networkProfile": object{"loadBalancerProfile": object{"backendPoolType": "nodeIPConfiguration"}},
			},
			now: object{
				"networkProfile": object{"loadBalancerProfile": object{"backendPoolType": "NodeIPConfiguration"}},
			},
			want: map[string]p.DiffKind{"networkProfile.loadBalancerProfile.backendPoolType": p.Update},
		},
		{
			// Source: as the first. The names in azure-native's list apply to all types of a cluster.
			name: "inline pools: profiles of the network in place, and of Windows not", token: managedCluster,
			old: object{"agentPoolProfiles": []any{object{
				"networkProfile": object{"allowedHostPorts": "a"},
				"windowsProfile": object{"disableOutboundNat": false},
			}}},
			now: object{"agentPoolProfiles": []any{object{
				"networkProfile": object{"allowedHostPorts": "b", "nodePublicIPTags": []any{}},
				"windowsProfile": object{"disableOutboundNat": true},
			}}},
			want: map[string]p.DiffKind{
				"agentPoolProfiles[0].networkProfile.allowedHostPorts":   p.Update,
				"agentPoolProfiles[0].networkProfile.nodePublicIPTags":   p.Add,
				"agentPoolProfiles[0].windowsProfile.disableOutboundNat": p.UpdateReplace,
			},
			deletedBefore: true,
		},
		{
			name: "everything that replaces a cluster", token: managedCluster,
			old: object{
				"diskEncryptionSetID": "a", "dnsPrefix": "a", "location": "a", "nodeResourceGroup": "a",
				"networkProfile": object{"networkPolicy": "a"}, "linuxProfile": object{"adminUsername": "a"},
			},
			now: object{
				"diskEncryptionSetID": "b", "fqdnSubdomain": "b", "location": "b", "nodeResourceGroup": "b",
				"networkProfile": object{"networkPolicy": "b"},
			},
			want: map[string]p.DiffKind{
				"diskEncryptionSetID": p.UpdateReplace, "dnsPrefix": p.DeleteReplace, "fqdnSubdomain": p.AddReplace,
				"location":          p.UpdateReplace,
				"nodeResourceGroup": p.UpdateReplace, "networkProfile.networkPolicy": p.UpdateReplace,
				"linuxProfile": p.DeleteReplace,
			},
			deletedBefore: true,
		},
		{
			name: "a cluster in place", token: managedCluster,
			old: object{
				"kubernetesVersion": "1.35", "tags": object{"a-b": "x"},
				"agentPoolProfiles":      []any{object{"count": 1.0, "vmSize": "a"}},
				"apiServerAccessProfile": object{"authorizedIPRanges": []any{}},
			},
			now: object{
				"kubernetesVersion": "1.36", "tags": object{"a-b": "y"},
				"agentPoolProfiles":      []any{object{"count": 2.0, "vmSize": "b"}},
				"apiServerAccessProfile": object{"authorizedIPRanges": []any{"1.2.3.4/32"}},
			},
			want: map[string]p.DiffKind{
				"kubernetesVersion": p.Update, `tags["a-b"]`: p.Update, "agentPoolProfiles[0].count": p.Update,
				"agentPoolProfiles[0].vmSize":                  p.Update,
				"apiServerAccessProfile.authorizedIPRanges[0]": p.Add,
			},
		},
		{
			name: "an explicit default", token: managedCluster, old: object{},
			now:   object{"nodeResourceGroup": "MC_rg_c_westeurope"},
			state: object{"nodeResourceGroup": "MC_rg_c_westeurope"},
			want:  map[string]p.DiffKind{"nodeResourceGroup": p.Add},
		},
		{
			name: "the same in other words", token: managedCluster,
			old: object{
				"location": "West Europe", "resourceGroupName": "RG",
				"sku": object{"name": "Basic", "tier": "Paid"},
			},
			now: object{
				"location": "westeurope", "resourceGroupName": "rg",
				"sku": object{"name": "Base", "tier": "Standard"},
			},
		},
		{
			// Source: sameManagedClusterSku in
			// https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/provider/diff.go
			name: "the same in other words, except for a key", token: managedCluster,
			old:  object{"sku": object{"name": "Basic"}},
			now:  object{"sku": object{"name": "Base"}},
			want: map[string]p.DiffKind{"sku.name": p.Update},
		},
		{
			name: "a resource group's location", token: "azure-native:resources:ResourceGroup",
			old: object{"location": "a"}, now: object{"location": "b"},
			want: map[string]p.DiffKind{"location": p.UpdateReplace}, deletedBefore: true,
		},
		{
			name: "a subnet's addresses", token: "azure-native:network:Subnet", old: object{"addressPrefix": "a"},
			now:  object{"addressPrefix": "b"},
			want: map[string]p.DiffKind{"addressPrefix": p.Update},
		},
		{
			name: "an address' SKU", token: "azure-native:network:PublicIPAddress",
			old: object{"sku": object{"name": "Basic"}}, now: object{"sku": object{"name": "Standard"}},
			want: map[string]p.DiffKind{"sku.name": p.UpdateReplace}, deletedBefore: true,
		},
		{
			name:  "a machine's size, image and password: azure-native updates them in place",
			token: "azure-native:compute:VirtualMachine",
			old: object{
				"hardwareProfile": object{"vmSize": "a"},
				"osProfile":       object{"adminUsername": "a", "customData": "a"},
				"storageProfile":  object{"imageReference": object{"sku": "a"}}, "zones": []any{"1"},
			},
			now: object{
				"hardwareProfile": object{"vmSize": "b"},
				"osProfile":       object{"adminUsername": "b", "customData": "b"},
				"storageProfile":  object{"imageReference": object{"sku": "b"}}, "zones": []any{"2"},
			},
			want: map[string]p.DiffKind{
				"hardwareProfile.vmSize": p.Update, "osProfile.adminUsername": p.Update,
				"osProfile.customData":              p.Update,
				"storageProfile.imageReference.sku": p.Update, "zones[0]": p.Update,
			},
		},
		{
			name: "where a machine is", token: "azure-native:compute:VirtualMachine",
			old: object{"vmName": "a", "location": "a"}, now: object{"vmName": "b", "location": "b"},
			want: map[string]p.DiffKind{"vmName": p.UpdateReplace, "location": p.UpdateReplace}, deletedBefore: true,
		},
		{
			name: "an extension", token: "azure-native:compute:VirtualMachineExtension",
			old: object{"vmName": "a", "vmExtensionName": "a", "type": "a", "publisher": "a"},
			now: object{"vmName": "b", "vmExtensionName": "b", "type": "b", "publisher": "b"},
			want: map[string]p.DiffKind{
				"vmName": p.UpdateReplace, "vmExtensionName": p.UpdateReplace, "type": p.Update,
				"publisher": p.Update,
			}, deletedBefore: true,
		},
		{
			name: "a run command", token: runCommandToken,
			old: object{
				"vmName": "a", "runCommandName": "a", "location": "a", "source": object{"script": "a"},
				"parameters":          []any{object{"name": "a", "value": "a"}},
				"protectedParameters": []any{object{"name": "a", "value": "a"}},
			},
			now: object{
				"vmName": "b", "runCommandName": "b", "location": "b", "source": object{"script": "b"},
				"parameters":          []any{object{"name": "a", "value": "b"}},
				"protectedParameters": []any{object{"name": "a", "value": "b"}},
			},
			want: map[string]p.DiffKind{
				"vmName": p.UpdateReplace, "runCommandName": p.UpdateReplace, "location": p.UpdateReplace,
				"source.script": p.Update, "parameters[0].value": p.Update, "protectedParameters[0].value": p.Update,
			}, deletedBefore: true,
		},
		{
			name:  "a load balancer's location and SKU: the network API does not say that they stay",
			token: "azure-native:network:LoadBalancer",
			old:   object{"loadBalancerName": "a", "location": "a", "sku": object{"name": "Basic"}},
			now:   object{"loadBalancerName": "b", "location": "b", "sku": object{"name": "Standard"}},
			want: map[string]p.DiffKind{
				"loadBalancerName": p.UpdateReplace, "location": p.Update,
				"sku.name": p.Update,
			}, deletedBefore: true,
		},
		{
			name: "a route", token: "azure-native:network:Route",
			old: object{"routeTableName": "a", "routeName": "a", "addressPrefix": "a"},
			now: object{"routeTableName": "b", "routeName": "b", "addressPrefix": "b"},
			want: map[string]p.DiffKind{
				"routeTableName": p.UpdateReplace, "routeName": p.UpdateReplace,
				"addressPrefix": p.Update,
			}, deletedBefore: true,
		},
		{
			name: "who gets a role", token: "azure-native:authorization:RoleAssignment",
			old: object{"principalId": "a", "scope": "/a", "description": "a"},
			now: object{"principalId": "b", "scope": "/b", "description": "b"},
			want: map[string]p.DiffKind{
				"principalId": p.UpdateReplace, "scope": p.UpdateReplace,
				"description": p.Update,
			}, deletedBefore: true,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			answer, err := newServer(t,
				newCloud()).Diff(p.DiffRequest{
				Urn: urnOf(x.token), State: props(x.state), OldInputs: named(x.token, x.old),
				Inputs: named(x.token, x.now),
			})
			if err != nil {
				t.Fatal(err)
			}
			var have map[string]p.DiffKind
			for key, change := range answer.DetailedDiff {
				if have == nil {
					have = map[string]p.DiffKind{}
				}
				have[key] = change.Kind
				if !change.InputDiff {
					t.Errorf("%s is not a difference of inputs", key)
				}
			}
			if diff := cmp.Diff(x.want, have); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if answer.HasChanges != (len(x.want) > 0) {
				t.Errorf("has changes: %v", answer.HasChanges)
			}
			if answer.DeleteBeforeReplace != x.deletedBefore {
				t.Errorf("deleted before it is replaced: %v, want %v", answer.DeleteBeforeReplace, x.deletedBefore)
			}
		})
	}
}

// named are inputs with a name, as all have after a check.
func named(token string, inputs object) property.Map {
	checked := props(inputs)
	if name := table[token].Named; checked.Get(name).IsNull() {
		checked = checked.Set(name, property.New("x"))
	}
	return checked
}

func TestUnchangedSecretIsNotAChange(t *testing.T) {
	t.Parallel()
	secret := property.New(props(object{"adminPassword": "a"})).WithSecret(true)
	answer, err := newServer(t, newCloud()).Diff(p.DiffRequest{
		Urn:       urnOf("azure-native:containerservice:ManagedCluster"),
		OldInputs: props(object{"windowsProfile": object{"adminPassword": "a"}}),
		Inputs:    property.NewMap(map[string]property.Value{"windowsProfile": secret}),
	})
	if err != nil || answer.HasChanges {
		t.Errorf("changes %v, error %v", answer.DetailedDiff, err)
	}
}

func TestUnknownValueIsAChange(t *testing.T) {
	t.Parallel()
	answer, err := newServer(t, newCloud()).Diff(p.DiffRequest{
		Urn:       urnOf("azure-native:containerservice:AgentPool"),
		OldInputs: props(object{"resourceName": "c", "podSubnetID": "/s"}),
		Inputs:    property.NewMap(map[string]property.Value{"resourceName": unknown, "podSubnetID": unknown}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer.DetailedDiff["resourceName"].Kind != p.UpdateReplace ||
		answer.DetailedDiff["podSubnetID"].Kind != p.Update {
		t.Errorf("changes %v", answer.DetailedDiff)
	}
}
