// Command refusals asks Azure for what Azure refuses, in azure-native's own types, so
// that nothing looks at a request before Azure does. Next to it is what Azure takes: each
// wrong resource is a good one but for what its entry in a table says.
//
// With the configuration changed=true it changes what there is instead: only pools and
// clusters that Azure has can show what Azure does not change.
package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/v3/utilities"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	group, err := resources.NewResourceGroup(ctx, "group", &resources.ResourceGroupArgs{
		ResourceGroupName: pulumi.String("refusals"), Location: pulumi.String("westeurope"),
	})
	if err != nil {
		return err
	}
	changed, _ := ctx.GetConfig("refusals:changed")
	a := azure{ctx: ctx, group: group.Name, changed: changed == "true"}
	if err := a.network(); err != nil {
		return err
	}
	if err := a.clusters(); err != nil {
		return err
	}
	return a.pools()
}

// azure is where all resources are.
type azure struct {
	ctx     *pulumi.Context
	group   pulumi.StringOutput
	changed bool
	// subnet is the ID of the virtual network's subnet of a name.
	subnet func(name string) pulumi.StringOutput
	// shop is the name of the cluster that pools are put in, plain that of one without a
	// Windows profile, and last that of one whose first pool is going to be for users.
	shop, plain, last pulumi.StringOutput
}

// network makes a virtual network with two subnets. It has no Go type: the compiler takes
// minutes for the package of the SDK that has it.
func (a *azure) network() error {
	subnet := func(name, prefix string) pulumi.Map {
		return pulumi.Map{"name": pulumi.String(name), "addressPrefix": pulumi.String(prefix)}
	}
	var network pulumi.CustomResourceState
	a.subnet = func(name string) pulumi.StringOutput { return pulumi.Sprintf("%s/subnets/%s", network.ID(), name) }
	return a.ctx.RegisterResource("azure-native:network:VirtualNetwork", "network", pulumi.Map{
		"resourceGroupName":  a.group,
		"virtualNetworkName": pulumi.String("network"),
		"addressSpace":       pulumi.Map{"addressPrefixes": pulumi.ToStringArray([]string{"10.1.0.0/16"})},
		"subnets":            pulumi.Array{subnet("nodes", "10.1.0.0/20"), subnet("other", "10.1.16.0/20")},
	}, &network, utilities.PkgResourceDefaultOpts(nil)...)
}

// clusters makes the good clusters, and asks for the wrong ones.
func (a *azure) clusters() error {
	shop, err := a.cluster("shop", 0, shop)
	if err != nil {
		return err
	}
	plain, err := a.cluster("plain", 1, plain)
	if err != nil {
		return err
	}
	a.shop, a.plain = shop.Name, plain.Name
	for i, name := range slices.Sorted(maps.Keys(clusterChanges)) {
		c := clusterChanges[name]
		args := c.good
		if a.changed {
			args = c.wrong
		}
		made, err := a.cluster(name, 2+i, args)
		if err != nil {
			return err
		}
		if name == lastSystem {
			a.last = made.Name
		}
	}
	if a.changed {
		return nil
	}
	for i, name := range slices.Sorted(maps.Keys(wrongClusters)) {
		if _, err := a.cluster(name, 100+i, wrongClusters[name]); err != nil {
			return err
		}
	}
	return nil
}

// cluster asks for a cluster. Its number is for the names of its pools: the lab has one
// set of nodes for all clusters, so that no two pools may have the same name.
func (a *azure) cluster(name string, number int, change func(*cluster)) (*containerservice.ManagedCluster, error) {
	c := goodCluster(name, number)
	change(c)
	c.ResourceGroupName = a.group
	return containerservice.NewManagedCluster(a.ctx, name, c.args())
}

// pools makes the good pools, whose names are those in Azure, and asks for the wrong ones.
func (a *azure) pools() error {
	good := maps.Clone(goodPools)
	for name, c := range poolChanges {
		good[name] = c.good
		if a.changed {
			good[name] = both(c.good, c.wrong)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(good)) {
		if err := a.pool(name, name, good[name]); err != nil {
			return err
		}
	}
	if a.changed {
		return nil
	}
	for i, name := range slices.Sorted(maps.Keys(wrongPools)) {
		if err := a.pool(name, fmt.Sprintf("p%d", i), wrongPools[name]); err != nil {
			return err
		}
	}
	return nil
}

// pool asks for a pool of the shop.
func (a *azure) pool(name, inAzure string, change change) error {
	p := pool{
		ResourceGroupName: a.group, ResourceName: a.shop, AgentPoolName: pulumi.String(inAzure),
		// A pool of no nodes is as good as any, and takes no time.
		Count: pulumi.Int(0), VmSize: pulumi.String("Standard_D4s_v5"), Mode: pulumi.String("User"),
	}
	change(a, &p)
	_, err := containerservice.NewAgentPool(a.ctx, name, &p)
	return err
}
