package aks_test

import (
	"slices"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// changing has a change of a pool for each of these properties in Azure. The pool is a Linux pool, unless the property
// is fixed only for Windows pools.
var changing = map[string]func(p *topology.Pool, o *aks.PoolOptions){
	"osType":            nil, // a pool with another operating system is always another pool
	"vmSize":            func(p *topology.Pool, _ *aks.PoolOptions) { p.Size = "Standard_D8s_v5" },
	"maxPods":           func(p *topology.Pool, _ *aks.PoolOptions) { p.MaxPods = 40 },
	"osDiskSizeGB":      func(p *topology.Pool, _ *aks.PoolOptions) { p.OSDiskSizeGB = 300 },
	"osDiskType":        func(p *topology.Pool, _ *aks.PoolOptions) { p.OSDiskType = topology.ManagedDisk },
	"availabilityZones": func(p *topology.Pool, _ *aks.PoolOptions) { p.Zones = []string{"1"} },
	"scaleSetPriority":  func(p *topology.Pool, _ *aks.PoolOptions) { p.Spot = true },
	"spotMaxPrice":      func(p *topology.Pool, _ *aks.PoolOptions) { p.Spot, p.SpotMaxPrice = true, 0.5 },
	"enableFIPS":        func(p *topology.Pool, _ *aks.PoolOptions) { p.FIPS = true },
	"windowsProfile":    func(p *topology.Pool, _ *aks.PoolOptions) { p.DisableOutboundNAT = true },
	"vnetSubnetID":      func(_ *topology.Pool, o *aks.PoolOptions) { o.NodeSubnetID = pulumi.String(nodesID) },
	"podSubnetID":       func(_ *topology.Pool, o *aks.PoolOptions) { o.PodSubnetID = pulumi.String(podsID) },

	"osSKU": option(func(o *containerservice.AgentPoolArgs) { o.OsSKU = pulumi.String("WindowsAnnual") }),
	"scaleSetEvictionPolicy": option(func(o *containerservice.AgentPoolArgs) {
		o.ScaleSetEvictionPolicy = pulumi.String("Deallocate")
	}),
	"type": option(func(o *containerservice.AgentPoolArgs) { o.Type = pulumi.String("VirtualMachines") }),
	"capacityReservationGroupID": option(func(o *containerservice.AgentPoolArgs) {
		o.CapacityReservationGroupID = pulumi.String(idOf("Compute/capacityReservationGroups/shop"))
	}),
	"creationData": option(func(o *containerservice.AgentPoolArgs) {
		o.CreationData = containerservice.CreationDataArgs{
			SourceResourceId: pulumi.String(idOf("ContainerService/snapshots/shop")),
		}
	}),
	"enableEncryptionAtHost": option(func(o *containerservice.AgentPoolArgs) {
		o.EnableEncryptionAtHost = pulumi.Bool(true)
	}),
	"enableNodePublicIP": option(func(o *containerservice.AgentPoolArgs) { o.EnableNodePublicIP = pulumi.Bool(true) }),
	"enableUltraSSD":     option(func(o *containerservice.AgentPoolArgs) { o.EnableUltraSSD = pulumi.Bool(true) }),
	"gpuInstanceProfile": option(func(o *containerservice.AgentPoolArgs) {
		o.GpuInstanceProfile = pulumi.String("MIG1g")
	}),
	"gpuProfile.driver": option(func(o *containerservice.AgentPoolArgs) {
		o.GpuProfile = containerservice.GPUProfileArgs{Driver: pulumi.String("None")}
	}),
	"hostGroupID": option(func(o *containerservice.AgentPoolArgs) {
		o.HostGroupID = pulumi.String(idOf("Compute/hostGroups/shop"))
	}),
	"kubeletConfig": option(func(o *containerservice.AgentPoolArgs) {
		o.KubeletConfig = containerservice.KubeletConfigArgs{ContainerLogMaxFiles: pulumi.Int(3)}
	}),
	"kubeletDiskType": option(func(o *containerservice.AgentPoolArgs) {
		o.KubeletDiskType = pulumi.String("Temporary")
	}),
	"linuxOSConfig": option(func(o *containerservice.AgentPoolArgs) {
		o.LinuxOSConfig = containerservice.LinuxOSConfigArgs{SwapFileSizeMB: pulumi.Int(1500)}
	}),
	"messageOfTheDay": option(func(o *containerservice.AgentPoolArgs) {
		o.MessageOfTheDay = pulumi.String("aGVsbG8=")
	}),
	"networkProfile.nodePublicIPTags": option(func(o *containerservice.AgentPoolArgs) {
		o.NetworkProfile = containerservice.AgentPoolNetworkProfileArgs{
			NodePublicIPTags: containerservice.IPTagArray{containerservice.IPTagArgs{Tag: pulumi.String("shop")}},
		}
	}),
	"nodePublicIPPrefixID": option(func(o *containerservice.AgentPoolArgs) {
		o.NodePublicIPPrefixID = pulumi.String(idOf("Network/publicIPPrefixes/shop"))
	}),
	"podIPAllocationMode": option(func(o *containerservice.AgentPoolArgs) {
		o.PodIPAllocationMode = pulumi.String("StaticBlock")
	}),
	"proximityPlacementGroupID": option(func(o *containerservice.AgentPoolArgs) {
		o.ProximityPlacementGroupID = pulumi.String(placementGroup)
	}),
}

// placementGroup is the ID of a proximity placement group.
var placementGroup = idOf("Compute/proximityPlacementGroups/shop")

func option(change func(*containerservice.AgentPoolArgs)) func(*topology.Pool, *aks.PoolOptions) {
	return func(_ *topology.Pool, o *aks.PoolOptions) {
		o.Options = &containerservice.AgentPoolArgs{}
		change(o.Options)
	}
}

// onePool registers a pool by itself.
func onePool(t *testing.T, p platform.Platform, change func(*topology.Pool, *aks.PoolOptions)) mocktest.Resource {
	t.Helper()
	args := &aks.NodePoolArgs{
		ResourceGroupName: pulumi.String("shop"), ClusterName: pulumi.String("shop"), KubernetesVersion: "1.32",
		Pool: topology.Pool{Name: "win", Platform: p, Size: "Standard_D4s_v5"},
		// One change at a time: an eviction policy without spot machines.
		Ignore: []string{"MK789"},
	}
	if change != nil {
		change(&args.Pool, &args.PoolOptions)
	}
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "shop", args)
		return err
	}, akstest.Azure())
	return graph.ByType(poolType)[0]
}

// The list of properties that Azure never changes determines the name of a pool and the changes that replace it. Each
// property has a change here, and the test checks both.
func TestChangedFixedPropertyCreatesNewPool(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, f := range plan.FixedProperties() {
		listed = append(listed, f.Properties...)
		p := platform.Linux
		if f.OnlyWindows || slices.Contains(f.Properties, "windowsProfile") {
			p = platform.WindowsServer2022
		}
		for _, property := range f.Properties {
			t.Run(property, func(t *testing.T) {
				t.Parallel()
				before := onePool(t, p, nil)
				if !slices.Contains(before.ReplaceOnChanges, property) {
					t.Errorf("it does not replace the pool, only %v do", before.ReplaceOnChanges)
				}
				change, ok := changing[property]
				if !ok {
					t.Fatal("no test changes it")
				}
				if change == nil {
					return
				}
				after := onePool(t, p, change)
				name, was := after.Plain()["agentPoolName"], before.Plain()["agentPoolName"]
				if isNew := name != was; isNew != f.InName {
					t.Errorf("the pool %v is %v after a change, want another name: %t", was, name, f.InName)
				}
				if after.Name != "shop-"+name.(string) {
					t.Errorf("the resource of the pool %v is %s", name, after.Name)
				}
			})
		}
	}
	for property := range changing {
		if !slices.Contains(listed, property) {
			t.Errorf("%s is not in the list", property)
		}
	}
	if replacing := onePool(t, platform.Linux, nil).ReplaceOnChanges; slices.Contains(replacing, "enableFIPS") {
		t.Error("Linux pools are replaced for FIPS, which they get in place")
	}
}

// Values that are known only from Azure or another resource are not part of a name.
func TestAnOutputIsNotPartOfAName(t *testing.T) {
	t.Parallel()
	group := pulumi.ToOutput(pulumi.String(placementGroup))
	later := group.ApplyT(func(id string) string { return id }).(pulumi.StringOutput)
	before := onePool(t, platform.Linux, nil).Plain()["agentPoolName"]
	for name, change := range map[string]func(o *containerservice.AgentPoolArgs){
		"an output": func(o *containerservice.AgentPoolArgs) { o.ProximityPlacementGroupID = later },
		"an output inside": func(o *containerservice.AgentPoolArgs) {
			o.KubeletConfig = containerservice.KubeletConfigArgs{
				CpuManagerPolicy: later, ContainerLogMaxFiles: pulumi.Int(3),
			}
		},
		"a value that the component always sets": func(o *containerservice.AgentPoolArgs) {
			o.Type = pulumi.String("VirtualMachineScaleSets")
		},
	} {
		equal(t, name, before, onePool(t, platform.Linux, option(change)).Plain()["agentPoolName"])
	}
	win := onePool(t, platform.WindowsServer2022, nil).Plain()["agentPoolName"]
	equal(t, "the osSKU of the platform", win, onePool(t, platform.WindowsServer2022,
		option(func(o *containerservice.AgentPoolArgs) { o.OsSKU = pulumi.String("Windows2022") }),
	).Plain()["agentPoolName"])
}
