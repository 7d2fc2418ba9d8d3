package kubeadm

import (
	"net/netip"
	"slices"
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	kinds "github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azurevm"
)

const nodePoolToken = "mixedkube:kubeadm:NodePool"

// NodePool is a pool of machines that are nodes.
type NodePool struct {
	pulumi.ResourceState

	// Machines are the virtual machines by the names of their nodes, and Addresses their
	// own addresses.
	Machines  map[string]*compute.VirtualMachine
	Addresses pulumi.StringMapOutput
	// Pool is the pool as its nodes register.
	Pool topology.Pool

	// ready is what waits until the nodes are Ready.
	ready []pulumi.Resource
}

// poolSpec is what a pool is made of.
type poolSpec struct {
	place
	pool     topology.Pool
	machines []azurevm.Machine
	subnet   pulumi.StringInput
	// backends are the backend pools that the machines are in.
	backends []pulumi.StringOutput
	network  kinds.Network
	// routeTable is nil where the network has no routes.
	routeTable pulumi.StringInput
	// cluster is the cluster for the addresses that are known.
	cluster func(map[string]netip.Addr) bootstrap.Cluster
	// join is the [bootstrap.Join] of a machine, with what there has to be before it.
	join func(name string, m azurevm.Machine, parent pulumi.ResourceOption) (join pulumi.Output, before []pulumi.Resource, err error)
	// inCluster are the options of resources in the cluster.
	inCluster []pulumi.ResourceOption
}

// newNodePool makes the machines of a pool, and waits until they are nodes.
func newNodePool(ctx *pulumi.Context, name string, s poolSpec, opts ...pulumi.ResourceOption) (*NodePool, error) {
	p := &NodePool{Machines: map[string]*compute.VirtualMachine{}, Pool: s.pool}
	if err := ctx.RegisterComponentResource(nodePoolToken, name, p, opts...); err != nil {
		return nil, err
	}
	parent := pulumi.Parent(p)
	group, err := newScaleSet(ctx, name, s.pool.Name, s.place, s.pool.Zones, parent)
	if err != nil {
		return nil, err
	}
	interfaces := map[string]*network.NetworkInterface{}
	addresses := pulumi.StringMap{}
	for _, m := range s.machines {
		nic, err := newInterface(ctx, name+"-"+m.Name, m, s.place, s.subnet, s.backends, parent)
		if err != nil {
			return nil, err
		}
		interfaces[m.Name], addresses[m.Name] = nic, addressOf(nic)
	}
	p.Addresses = addresses.ToStringMapOutput()
	for _, m := range s.machines {
		f := files{s.cluster, s.known(m, addresses)}
		if err := p.newMachine(ctx, name+"-"+m.Name, m, s, f, group, interfaces[m.Name]); err != nil {
			return nil, err
		}
	}
	return p, ctx.RegisterResourceOutputs(p, pulumi.Map{"addresses": p.Addresses})
}

// known are the addresses that a machine has to know: its own, and where each machine has
// routes to the others, theirs.
func (s poolSpec) known(m azurevm.Machine, all pulumi.StringMap) pulumi.StringMapOutput {
	if s.network.Kind == kinds.HostGateway {
		return all.ToStringMapOutput()
	}
	return pulumi.StringMap{m.Name: all[m.Name]}.ToStringMapOutput()
}

func (p *NodePool) newMachine(
	ctx *pulumi.Context, name string, m azurevm.Machine, s poolSpec, f files, group *compute.VirtualMachineScaleSet, nic *network.NetworkInterface,
) error {
	parent := pulumi.Parent(p)
	vm, err := newVirtualMachine(ctx, name, m, s.place, group, nic, f.customData(m), parent)
	if err != nil {
		return err
	}
	p.Machines[m.Name] = vm
	var after []pulumi.Resource
	if s.routeTable != nil {
		route, err := newRoute(ctx, name, m, s, nic, parent)
		if err != nil {
			return err
		}
		after = append(after, route)
	}
	join, before, err := s.join(name, m, parent)
	if err != nil {
		return err
	}
	settings := f.protectedSettings(m, join)
	extension, err := newExtension(ctx, name, m, s.place, vm, settings, parent, pulumi.DependsOn(slices.Concat(after, before)))
	if err != nil {
		return err
	}
	inClusterAfter := func(r pulumi.Resource) []pulumi.ResourceOption {
		return slices.Concat(s.inCluster, []pulumi.ResourceOption{parent, pulumi.DependsOn([]pulumi.Resource{r})})
	}
	ready, err := newReady(ctx, name, m, inClusterAfter(extension)...)
	if err != nil {
		return err
	}
	node, err := newNode(ctx, name, m, inClusterAfter(ready)...)
	p.ready = append(p.ready, node)
	return err
}

// newRoute leads to the pods of a machine.
func newRoute(ctx *pulumi.Context, name string, m azurevm.Machine, s poolSpec, nic *network.NetworkInterface, opts ...pulumi.ResourceOption) (*network.Route, error) {
	address := addressOf(nic)
	pods := address.ApplyT(func(text string) (string, error) {
		address, err := netip.ParseAddr(text)
		if err != nil {
			return "", err
		}
		plan, err := s.network.Plan([]kinds.Node{{Name: m.Name, Address: address, Platform: m.Pool.Platform}})
		if err != nil {
			return "", err
		}
		return plan.Nodes[0].PodCIDR.String(), nil
	}).(pulumi.StringOutput)
	return network.NewRoute(ctx, name+"-route", &network.RouteArgs{
		ResourceGroupName: s.group,
		RouteTableName:    s.routeTable,
		RouteName:         pulumi.String(m.Name),
		AddressPrefix:     pods,
		NextHopType:       pulumi.String("VirtualAppliance"),
		NextHopIpAddress:  address,
	}, opts...)
}

// tokenFor is the join of a machine with a token of its own, which is in the cluster
// before it is used.
func tokenFor(ctx *pulumi.Context, k keys, now time.Time, inCluster []pulumi.ResourceOption) func(string, azurevm.Machine, pulumi.ResourceOption) (pulumi.Output, []pulumi.Resource, error) {
	return func(name string, m azurevm.Machine, parent pulumi.ResourceOption) (pulumi.Output, []pulumi.Resource, error) {
		secret, err := newToken(ctx, name, m.Name, k.token(m.Name), now, append(slices.Clone(inCluster), parent)...)
		return k.join(m.Name), []pulumi.Resource{secret}, err
	}
}
