// Command refusals sends requests that Azure refuses, with azure-native's own types, so that nothing checks a request
// before Azure does. It also sends requests that Azure accepts: each wrong resource is a good one except for the
// difference in its table.
//
// With the configuration changed=true it changes the existing resources instead: only existing pools and clusters can
// show which changes Azure refuses.
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

// azure contains all resources.
type azure struct {
	ctx     *pulumi.Context
	group   pulumi.StringOutput
	changed bool
	// subnet returns the ID of a subnet of the virtual network.
	subnet func(name string) pulumi.StringOutput
	// shop is the name of the cluster that gets the pools, plain the name of a cluster without a Windows profile, and
	// last the name of a cluster whose first pool becomes a user pool.
	shop, plain, last pulumi.StringOutput
}

// network makes a virtual network with two subnets. It does not use a Go type: the compiler takes minutes for that
// package of the SDK.
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

// clusters makes the good clusters and the wrong ones.
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

// cluster makes a cluster. Its number makes the names of its pools unique: the lab has one set of nodes for all
// clusters.
func (a *azure) cluster(name string, number int, change func(*cluster)) (*containerservice.ManagedCluster, error) {
	c := goodCluster(name, number)
	change(c)
	c.ResourceGroupName = a.group
	return containerservice.NewManagedCluster(a.ctx, name, c.args())
}

// pools makes the good pools, named as in Azure, and the wrong ones.
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

// pool makes a pool of the cluster shop.
func (a *azure) pool(name, inAzure string, change change) error {
	p := pool{
		ResourceGroupName: a.group, ResourceName: a.shop, AgentPoolName: pulumi.String(inAzure),
		// A pool without nodes is enough, and takes no time.
		Count: pulumi.Int(0), VmSize: pulumi.String("Standard_D4s_v5"), Mode: pulumi.String("User"),
	}
	change(a, &p)
	_, err := containerservice.NewAgentPool(a.ctx, name, &p)
	return err
}
