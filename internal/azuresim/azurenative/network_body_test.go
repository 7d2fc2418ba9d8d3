package azurenative

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

const networkProvider = group + "/providers/Microsoft.Network/"

// wire are the inputs of the resources that connect machines, in the order in which they can be created, and the body
// of their PUT.
var wire = []struct {
	token  string
	inputs object
	id     string
	body   arm.Body
}{
	{
		token: "azure-native:network:NetworkSecurityGroup",
		inputs: object{
			"networkSecurityGroupName": "nsg",
			"securityRules": []any{object{
				"name": "api", "priority": 100.0, "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
				"sourceAddressPrefixes": []any{"10.0.0.0/8"},
				"sourcePortRange":       "*", "destinationAddressPrefix": "*",
				"destinationPortRanges": []any{"6443", "10250-10259"},
			}},
		},
		id: networkProvider + "networkSecurityGroups/nsg",
		body: arm.Body{"properties": object{"securityRules": []any{object{"name": "api", "properties": object{
			"priority": 100.0, "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
			"sourceAddressPrefixes": []any{"10.0.0.0/8"},
			"sourcePortRange":       "*", "destinationAddressPrefix": "*",
			"destinationPortRanges": []any{"6443", "10250-10259"},
		}}}}},
	},
	{
		token: "azure-native:network:RouteTable",
		inputs: object{
			"routeTableName": "rt", "disableBgpRoutePropagation": true,
			"routes": []any{object{"name": "all", "addressPrefix": "0.0.0.0/0", "nextHopType": "Internet"}},
		},
		id: networkProvider + "routeTables/rt",
		body: arm.Body{"properties": object{
			"disableBgpRoutePropagation": true,
			"routes": []any{object{
				"name":       "all",
				"properties": object{"addressPrefix": "0.0.0.0/0", "nextHopType": "Internet"},
			}},
		}},
	},
	{
		token: "azure-native:network:Route",
		inputs: object{
			"routeTableName": "rt", "routeName": "pods", "addressPrefix": "10.244.1.0/24",
			"nextHopType": "VirtualAppliance", "nextHopIpAddress": "10.1.0.4",
		},
		id: networkProvider + "routeTables/rt/routes/pods",
		body: arm.Body{"properties": object{
			"addressPrefix": "10.244.1.0/24", "nextHopType": "VirtualAppliance",
			"nextHopIpAddress": "10.1.0.4",
		}},
	},
	{
		token: "azure-native:network:PublicIPAddress",
		inputs: object{
			"publicIpAddressName": "ip", "publicIPAllocationMethod": "Static",
			"sku": object{"name": "Standard"},
		},
		id: networkProvider + "publicIPAddresses/ip",
		body: arm.Body{
			"sku":        object{"name": "Standard"},
			"properties": object{"publicIPAllocationMethod": "Static"},
		},
	},
	{
		token: "azure-native:network:NatGateway",
		inputs: object{
			"natGatewayName": "nat", "sku": object{"name": "Standard"}, "zones": []any{"1"},
			"publicIpAddresses": []any{object{"id": networkProvider + "publicIPAddresses/ip"}},
		},
		id: networkProvider + "natGateways/nat",
		body: arm.Body{
			"sku": object{"name": "Standard"}, "zones": []any{"1"},
			"properties": object{"publicIpAddresses": []any{object{"id": networkProvider + "publicIPAddresses/ip"}}},
		},
	},
	{
		token: "azure-native:network:VirtualNetwork",
		inputs: object{
			"virtualNetworkName": "net", "addressSpace": object{"addressPrefixes": []any{"10.1.0.0/16"}},
			"subnets": []any{object{
				"name": "nodes", "addressPrefix": "10.1.0.0/24",
				"routeTable":           object{"id": networkProvider + "routeTables/rt"},
				"networkSecurityGroup": object{"id": networkProvider + "networkSecurityGroups/nsg"},
				"natGateway":           object{"id": networkProvider + "natGateways/nat"},
			}},
		},
		id: networkProvider + "virtualNetworks/net",
		body: arm.Body{"properties": object{
			"addressSpace":           object{"addressPrefixes": []any{"10.1.0.0/16"}},
			"virtualNetworkPeerings": []any{}, "subnets": []any{object{"name": "nodes", "properties": object{
				"addressPrefix": "10.1.0.0/24", "routeTable": object{"id": networkProvider + "routeTables/rt"},
				"networkSecurityGroup": object{"id": networkProvider + "networkSecurityGroups/nsg"},
				"natGateway":           object{"id": networkProvider + "natGateways/nat"},
			}}},
		}},
	},
	{
		token: "azure-native:network:LoadBalancer",
		inputs: object{
			"loadBalancerName": "lb", "sku": object{"name": "Standard"},
			"frontendIPConfigurations": []any{object{
				"name": "front", "subnet": object{"id": networkProvider + "virtualNetworks/net/subnets/nodes"},
				"privateIPAddress":          "10.1.0.132",
				"privateIPAllocationMethod": "Static", "zones": []any{"1", "2"},
			}},
			"backendAddressPools": []any{object{
				"name": "pool", "location": "westeurope",
				"drainPeriodInSeconds": 10.0,
			}},
			"probes": []any{object{
				"name": "readyz", "protocol": "Https", "port": 6443.0,
				"requestPath": "/readyz",
			}},
			"loadBalancingRules": []any{object{
				"name": "api", "protocol": "Tcp", "frontendPort": 6443.0, "backendPort": 6443.0, "enableTcpReset": true,
				"frontendIPConfiguration": object{"id": networkProvider +
					"loadBalancers/lb/frontendIPConfigurations/front"},
				"backendAddressPool": object{"id": networkProvider + "loadBalancers/lb/backendAddressPools/pool"},
				"probe":              object{"id": networkProvider + "loadBalancers/lb/probes/readyz"},
			}},
		},
		id: networkProvider + "loadBalancers/lb",
		body: arm.Body{"sku": object{"name": "Standard"}, "properties": object{
			"frontendIPConfigurations": []any{object{"name": "front", "zones": []any{"1", "2"}, "properties": object{
				"subnet":           object{"id": networkProvider + "virtualNetworks/net/subnets/nodes"},
				"privateIPAddress": "10.1.0.132", "privateIPAllocationMethod": "Static",
			}}},
			"backendAddressPools": []any{object{
				"name":       "pool",
				"properties": object{"location": "westeurope", "drainPeriodInSeconds": 10.0},
			}},
			"probes": []any{object{
				"name":       "readyz",
				"properties": object{"protocol": "Https", "port": 6443.0, "requestPath": "/readyz"},
			}},
			"loadBalancingRules": []any{object{"name": "api", "properties": object{
				"protocol": "Tcp", "frontendPort": 6443.0, "backendPort": 6443.0, "enableTcpReset": true,
				"frontendIPConfiguration": object{"id": networkProvider +
					"loadBalancers/lb/frontendIPConfigurations/front"},
				"backendAddressPool": object{"id": networkProvider + "loadBalancers/lb/backendAddressPools/pool"},
				"probe":              object{"id": networkProvider + "loadBalancers/lb/probes/readyz"},
			}}},
			"inboundNatRules": []any{},
		}},
	},
	{
		token: "azure-native:network:NetworkInterface",
		inputs: object{
			"networkInterfaceName": "nic", "enableIPForwarding": true,
			"networkSecurityGroup": object{"id": networkProvider + "networkSecurityGroups/nsg"},
			"ipConfigurations": []any{object{
				"name": "main", "primary": true,
				"subnet":                    object{"id": networkProvider + "virtualNetworks/net/subnets/nodes"},
				"privateIPAllocationMethod": "Dynamic",
				"loadBalancerBackendAddressPools": []any{object{"id": networkProvider +
					"loadBalancers/lb/backendAddressPools/pool"}},
			}},
		},
		id: networkProvider + "networkInterfaces/nic",
		body: arm.Body{"properties": object{
			"enableIPForwarding":   true,
			"networkSecurityGroup": object{"id": networkProvider + "networkSecurityGroups/nsg"},
			"ipConfigurations": []any{object{"name": "main", "properties": object{
				"primary": true, "subnet": object{"id": networkProvider + "virtualNetworks/net/subnets/nodes"},
				"privateIPAllocationMethod": "Dynamic",
				"loadBalancerBackendAddressPools": []any{object{"id": networkProvider +
					"loadBalancers/lb/backendAddressPools/pool"}},
			}}},
		}},
	},
}

// The simulated Azure accepts these bodies, and neither a refresh nor an update with the same inputs changes anything.
func TestNetworkBodiesAreAcceptedByAzure(t *testing.T) {
	t.Parallel()
	cloud, err := arm.Open(t.TempDir(), arm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cloud.Put(t.Context(), group, arm.Body{"location": "westeurope"}); err != nil {
		t.Fatal(err)
	}
	server := newServer(t, cloud)
	for _, w := range wire {
		typ, inputs, want := table[w.token], maps.Clone(w.inputs), maps.Clone(w.body)
		inputs["resourceGroupName"] = "rg"
		if typ.location {
			inputs["location"], want["location"] = "westeurope", "westeurope"
		}
		created, err := server.Create(p.CreateRequest{Urn: urnOf(w.token), Properties: props(inputs)})
		if err != nil {
			t.Fatalf("%s: %v", w.token, err)
		}
		if created.ID != w.id {
			t.Errorf("%s has the ID %s, want %s", w.token, created.ID, w.id)
		}
		body := typ.body(inputs)
		for _, name := range typ.maintained {
			if _, ok := inputs[name]; !ok {
				body["properties"].(object)[name] = []any{}
			}
		}
		if diff := cmp.Diff(want, body); diff != "" {
			t.Errorf("%s: body (-want +got):\n%s", w.token, diff)
		}
		// An input is an output in the same place.
		for key := range w.inputs {
			if _, ok := created.Properties.GetOk(key); !ok && !slices.Contains(typ.InPath(), key) {
				t.Errorf("%s has no output %s", w.token, key)
			}
		}
		read, err := server.Read(p.ReadRequest{
			Urn: urnOf(w.token), ID: created.ID, Inputs: props(inputs),
			Properties: created.Properties,
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(inputs, plainMap(read.Inputs)); diff != "" {
			t.Errorf("%s: a refresh changes the inputs (-before +after):\n%s", w.token, diff)
		}
		updated, err := server.Update(p.UpdateRequest{
			Urn: urnOf(w.token), ID: created.ID, Inputs: props(inputs),
			State: created.Properties,
		})
		if err != nil {
			t.Fatalf("%s: %v", w.token, err)
		}
		if diff := cmp.Diff(some(created.Properties), some(updated.Properties)); diff != "" {
			t.Errorf("%s: an update changes the outputs (-before +after):\n%s", w.token, diff)
		}
	}
}

// Rules, routes and pools that are resources of their own stay if an update does not set them.
func TestRulesAndPoolsThatAreNotInputsAreRetained(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		token, id string
		inputs    object
		created   object
	}{
		{
			"azure-native:network:NetworkSecurityGroup", networkProvider + "networkSecurityGroups/n",
			object{"networkSecurityGroupName": "n"},
			object{"securityRules": []any{}},
		},
		{
			"azure-native:network:RouteTable", networkProvider + "routeTables/n",
			object{"routeTableName": "n"},
			object{"routes": []any{}},
		},
		{
			"azure-native:network:LoadBalancer", networkProvider + "loadBalancers/n",
			object{"loadBalancerName": "n"},
			object{"backendAddressPools": []any{}, "inboundNatRules": []any{}},
		},
	} {
		t.Run(x.token, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud()
			server := newServer(t, cloud)
			x.inputs["resourceGroupName"] = "rg"
			if _, err := server.Create(p.CreateRequest{Urn: urnOf(x.token), Properties: props(x.inputs)}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(arm.Body{"properties": x.created}, cloud.puts[0]); diff != "" {
				t.Errorf("creation (-want +got):\n%s", diff)
			}
			want := object{}
			for name := range x.created {
				want[name] = []any{object{"name": name, "properties": object{}}}
				cloud.resources[x.id]["properties"].(object)[name] = want[name]
			}
			if _, err := server.Update(p.UpdateRequest{
				Urn: urnOf(x.token), ID: x.id,
				Inputs: props(x.inputs),
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(arm.Body{"properties": want}, cloud.puts[1]); diff != "" {
				t.Errorf("update (-want +got):\n%s", diff)
			}
		})
	}
}

// machines are the inputs of virtual machines, with their bodies and outputs.
var machines = []struct {
	token   string
	inputs  object
	id      string
	body    arm.Body
	answer  arm.Body
	outputs object
}{
	{
		token: "azure-native:compute:VirtualMachine",
		inputs: object{
			"resourceGroupName": "rg", "vmName": "vm", "location": "westeurope", "zones": []any{"1"},
			"plan":     object{"name": "p"},
			"identity": object{"type": "UserAssigned", "userAssignedIdentities": []any{"/i"}}, "userData": "eA==",
			"hardwareProfile": object{"vmSize": "Standard_D4s_v5"},
			"networkProfile": object{
				"networkInterfaces": []any{object{"id": "/nic", "primary": true, "deleteOption": "Detach"}},
				"networkInterfaceConfigurations": []any{object{
					"name": "made", "primary": false,
					"ipConfigurations": []any{object{
						"name": "main", "subnet": object{"id": "/s"},
						"publicIPAddressConfiguration": object{
							"name": "ip", "sku": object{"name": "Standard"},
							"deleteOption": "Delete",
						},
					}},
				}},
			},
			"storageProfile": object{
				"imageReference": object{
					"publisher": "Canonical", "offer": "ubuntu-24_04-lts", "sku": "server",
					"version": "latest",
				},
				"osDisk": object{
					"createOption": "FromImage",
					"managedDisk":  object{"storageAccountType": "Premium_LRS"}, "deleteOption": "Delete",
				},
			},
			"osProfile": object{
				"computerName": "vm", "adminUsername": "operator", "adminPassword": "p", "customData": "Yw==",
				"windowsConfiguration": object{
					"enableAutomaticUpdates":    false,
					"additionalUnattendContent": []any{object{"settingName": "AutoLogon", "content": "<p/>"}},
				},
				"linuxConfiguration": object{
					"disablePasswordAuthentication": true,
					"ssh":                           object{"publicKeys": []any{object{"path": "/k", "keyData": "k"}}},
				},
			},
		},
		id: group + "/providers/Microsoft.Compute/virtualMachines/vm",
		body: arm.Body{
			"location": "westeurope", "zones": []any{"1"}, "plan": object{"name": "p"},
			"identity": object{"type": "UserAssigned", "userAssignedIdentities": object{"/i": object{}}},
			"properties": object{
				"userData": "eA==", "hardwareProfile": object{"vmSize": "Standard_D4s_v5"},
				"networkProfile": object{
					"networkInterfaces": []any{object{
						"id":         "/nic",
						"properties": object{"primary": true, "deleteOption": "Detach"},
					}},
					"networkInterfaceConfigurations": []any{object{
						"name": "made",
						"properties": object{"primary": false, "ipConfigurations": []any{object{
							"name": "main", "properties": object{
								"subnet": object{"id": "/s"},
								"publicIPAddressConfiguration": object{
									"name": "ip", "sku": object{"name": "Standard"},
									"properties": object{"deleteOption": "Delete"},
								},
							},
						}}},
					}},
				},
				"storageProfile": object{
					"imageReference": object{
						"publisher": "Canonical", "offer": "ubuntu-24_04-lts", "sku": "server",
						"version": "latest",
					},
					"osDisk": object{
						"createOption": "FromImage",
						"managedDisk":  object{"storageAccountType": "Premium_LRS"}, "deleteOption": "Delete",
					},
				},
				"osProfile": object{
					"computerName": "vm", "adminUsername": "operator", "adminPassword": "p", "customData": "Yw==",
					"windowsConfiguration": object{
						"enableAutomaticUpdates":    false,
						"additionalUnattendContent": []any{object{"settingName": "AutoLogon", "content": "<p/>"}},
					},
					"linuxConfiguration": object{
						"disablePasswordAuthentication": true,
						"ssh": object{
							"publicKeys": []any{object{"path": "/k", "keyData": "k"}},
						},
					},
				},
			},
		},
		answer: arm.Body{
			"name": "vm", "location": "westeurope", "type": "Microsoft.Compute/virtualMachines", "etag": "1",
			"resources": []any{object{"name": "ext", "type": "t", "properties": object{"publisher": "x"}}},
			"properties": object{
				"vmId": "v", "timeCreated": "2026", "userData": "told by mistake",
				"networkProfile": object{"networkInterfaces": []any{object{
					"id":         "/nic",
					"properties": object{"primary": true},
				}}},
				"osProfile": object{
					"adminUsername": "operator", "adminPassword": "told by mistake",
					"customData": "told by mistake", "windowsConfiguration": object{
						"additionalUnattendContent": []any{object{
							"settingName": "AutoLogon",
							"content":     "told by mistake",
						}},
					},
				},
			},
		},
		outputs: object{
			"azureApiVersion": "2024-11-01", "name": "vm", "location": "westeurope",
			"type": "Microsoft.Compute/virtualMachines", "etag": "1", "vmId": "v", "timeCreated": "2026",
			"resources":      []any{object{"name": "ext", "type": "t", "publisher": "x"}},
			"networkProfile": object{"networkInterfaces": []any{object{"id": "/nic", "primary": true}}},
			"osProfile": object{
				"adminUsername":        "operator",
				"windowsConfiguration": object{"additionalUnattendContent": []any{object{"settingName": "AutoLogon"}}},
			},
		},
	},
	{
		token: "azure-native:compute:VirtualMachineExtension",
		inputs: object{
			"resourceGroupName": "rg", "vmName": "vm", "vmExtensionName": "run", "location": "westeurope",
			"tags": object{"a": "b"}, "publisher": "Microsoft.Compute",
			"type": "CustomScriptExtension", "typeHandlerVersion": "1.10", "autoUpgradeMinorVersion": true,
			"settings":          object{"timestamp": 1.0, "networkInterfaces": []any{object{"x": "y"}}},
			"protectedSettings": object{"commandToExecute": "join --token t"},
		},
		id: group + "/providers/Microsoft.Compute/virtualMachines/vm/extensions/run",
		body: arm.Body{"location": "westeurope", "tags": object{"a": "b"}, "properties": object{
			"publisher": "Microsoft.Compute", "type": "CustomScriptExtension", "typeHandlerVersion": "1.10",
			"autoUpgradeMinorVersion": true,
			"settings":                object{"timestamp": 1.0, "networkInterfaces": []any{object{"x": "y"}}},
			"protectedSettings":       object{"commandToExecute": "join --token t"},
		}},
		answer: arm.Body{
			"name": "run", "type": "Microsoft.Compute/virtualMachines/extensions",
			"location": "westeurope", "properties": object{
				"publisher": "Microsoft.Compute", "type": "CustomScriptExtension", "settings": object{"timestamp": 1.0},
				"protectedSettings": object{"told": "by mistake"}, "provisioningState": "Succeeded",
			},
		},
		outputs: object{
			"azureApiVersion": "2024-11-01", "name": "run", "type": "Microsoft.Compute/virtualMachines/extensions",
			"location":  "westeurope",
			"publisher": "Microsoft.Compute", "settings": object{"timestamp": 1.0}, "provisioningState": "Succeeded",
		},
	},
	{
		token: "azure-native:compute:VirtualMachineScaleSet",
		inputs: object{
			"resourceGroupName": "rg", "vmScaleSetName": "set", "location": "westeurope",
			"sku": object{"name": "Standard_D4s_v5", "capacity": 2.0}, "orchestrationMode": "Uniform",
			"virtualMachineProfile": object{
				"osProfile": object{"computerNamePrefix": "n", "adminPassword": "p"}, "priority": "Spot",
				"networkProfile": object{"networkInterfaceConfigurations": []any{object{
					"name": "nic", "primary": true,
					"ipConfigurations": []any{object{"name": "main", "subnet": object{"id": "/s"}}},
				}}},
				"extensionProfile": object{"extensions": []any{object{
					"name": "run", "publisher": "x", "type": "CustomScript",
					"settings":          object{"extensions": []any{object{"type": "a"}}},
					"protectedSettings": object{"script": "s"},
				}}},
			},
		},
		id: group + "/providers/Microsoft.Compute/virtualMachineScaleSets/set",
		body: arm.Body{
			"location": "westeurope", "sku": object{"name": "Standard_D4s_v5", "capacity": 2.0},
			"properties": object{
				"orchestrationMode": "Uniform",
				"virtualMachineProfile": object{
					"osProfile": object{"computerNamePrefix": "n", "adminPassword": "p"}, "priority": "Spot",
					"networkProfile": object{"networkInterfaceConfigurations": []any{object{
						"name": "nic",
						"properties": object{
							"primary": true,
							"ipConfigurations": []any{object{
								"name":       "main",
								"properties": object{"subnet": object{"id": "/s"}},
							}},
						},
					}}},
					"extensionProfile": object{"extensions": []any{object{"name": "run", "properties": object{
						"publisher": "x", "type": "CustomScript",
						"settings":          object{"extensions": []any{object{"type": "a"}}},
						"protectedSettings": object{"script": "s"},
					}}}},
				},
			},
		},
		answer: arm.Body{"name": "set", "properties": object{"uniqueId": "u", "virtualMachineProfile": object{
			"osProfile": object{"computerNamePrefix": "n", "adminPassword": "told by mistake"},
			"extensionProfile": object{"extensions": []any{object{
				"name":       "run",
				"properties": object{"type": "CustomScript", "protectedSettings": object{"told": "by mistake"}},
			}}},
		}}},
		outputs: object{
			"azureApiVersion": "2024-11-01", "name": "set", "uniqueId": "u",
			"virtualMachineProfile": object{
				"osProfile":        object{"computerNamePrefix": "n"},
				"extensionProfile": object{"extensions": []any{object{"name": "run", "type": "CustomScript"}}},
			},
		},
	},
}

func TestBodyRoundTripOfMachines(t *testing.T) {
	t.Parallel()
	for _, x := range machines {
		t.Run(table[x.token].name(), func(t *testing.T) {
			t.Parallel()
			typ := table[x.token]
			if id, err := typ.id(x.inputs); err != nil || id != x.id {
				t.Errorf("the ID is %s (%v), want %s", id, err, x.id)
			}
			if diff := cmp.Diff(x.body, typ.body(x.inputs)); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.outputs, typ.outputs(x.answer)); diff != "" {
				t.Errorf("outputs (-want +got):\n%s", diff)
			}
		})
	}
}

// Protected settings are only in the inputs of the state, as a secret.
func TestProtectedSettingsAreNotOutputs(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	server := newServer(t, cloud)
	const token = "azure-native:compute:VirtualMachineExtension"
	inputs := props(object{
		"resourceGroupName": "rg", "vmName": "vm", "vmExtensionName": "run",
		"location": "westeurope",
	}).
		Set("protectedSettings", property.New(props(object{"script": "s"})).WithSecret(true)).
		Set("settings", property.New(props(object{"a": "b"})).WithSecret(true))
	preview, err := server.Create(p.CreateRequest{Urn: urnOf(token), Properties: inputs, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	created, err := server.Create(p.CreateRequest{Urn: urnOf(token), Properties: inputs})
	if err != nil {
		t.Fatal(err)
	}
	want := object{"settings": object{"secret": object{"a": "b"}}}
	for name, outputs := range map[string]property.Map{"preview": preview.Properties, "creation": created.Properties} {
		if diff := cmp.Diff(want, some(outputs, "settings", "protectedSettings")); diff != "" {
			t.Errorf("outputs of the %s (-want +got):\n%s", name, diff)
		}
	}
	read, err := server.Read(p.ReadRequest{
		Urn: urnOf(token), ID: created.ID, Inputs: inputs,
		Properties: created.Properties,
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{"protectedSettings": object{"secret": object{"script": "s"}}},
		some(read.Inputs, "protectedSettings")); diff != "" {
		t.Errorf("inputs after a refresh (-want +got):\n%s", diff)
	}
}

func TestSecretsInListsAreInNoPreview(t *testing.T) {
	t.Parallel()
	answer, err := newServer(t, newCloud()).Create(p.CreateRequest{
		Urn: urnOf("azure-native:compute:VirtualMachine"), DryRun: true,
		Properties: props(object{"osProfile": object{
			"adminPassword": "p",
			"windowsConfiguration": object{"additionalUnattendContent": []any{object{
				"settingName": "AutoLogon",
				"content":     "c",
			}}},
		}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	profile := answer.Properties.Get("osProfile").AsMap()
	if _, ok := profile.GetOk("adminPassword"); ok {
		t.Error("the password is an output")
	}
	content := profile.Get("windowsConfiguration").AsMap().Get("additionalUnattendContent").AsArray().Get(0).AsMap()
	if diff := cmp.Diff(object{"settingName": "AutoLogon"}, some(content, "settingName", "content")); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}
