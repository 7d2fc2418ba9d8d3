package kubeadm

import (
	"net/netip"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	kinds "github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/components/topology"
)

const nodePoolToken = "mixedkube:kubeadm:NodePool"

// NodePool is a pool of machines that are nodes.
type NodePool struct {
	pulumi.ResourceState

	// Machines are the virtual machines by the names of their nodes.
	Machines map[string]*compute.VirtualMachine
	// Addresses are the machines' own addresses by the names of their nodes.
	Addresses pulumi.StringMapOutput `pulumi:"addresses"`
	// Pool is the pool as its nodes register.
	Pool topology.Pool

	// ready is what waits until the nodes are Ready.
	ready []pulumi.Resource
}

// poolSpec is what a pool is made of.
type poolSpec struct {
	place
	pool     topology.Pool
	machines []plan.Machine
	subnet   pulumi.StringInput
	// backends are the backend pools that the machines are in.
	backends []pulumi.StringOutput
	network  kinds.Defaulted
	// routeTable is nil if the network has no routes.
	routeTable pulumi.StringInput
	// cluster is the cluster for the addresses that are known.
	cluster func(map[string]netip.Addr) bootstrap.Cluster
	// ca is the certificate of the cluster's authority, empty where it is not known.
	ca pulumi.StringOutput
	// endpoint is where the machines reach the API server.
	endpoint pulumi.StringOutput
	// join is how a machine joins.
	join func(machine, *compute.VirtualMachine) join
	// payloadKeys are the keys of the machines' payloads; what is made for them is below the
	// pool.
	payloadKeys func(parent pulumi.ResourceOption) (func(plan.Machine) pulumi.Output, error)
	// inCluster are the options of resources in the cluster.
	inCluster []pulumi.ResourceOption
	// annotated says that nodes are to have [drain.PoolAnnotation], so that they are drained.
	annotated bool
}

// join is how a machine joins a cluster.
type join struct {
	// as is its [bootstrap.Join].
	as pulumi.Output
	// after is what there has to be before.
	after []pulumi.Resource
	// options let it join.
	options tokenOptions
}

// newNodePool makes the machines of a pool, and waits until they are nodes.
func newNodePool(ctx *pulumi.Context, name string, s poolSpec, opts ...pulumi.ResourceOption) (*NodePool, error) {
	p := &NodePool{Machines: map[string]*compute.VirtualMachine{}, Pool: s.pool}
	p.Pool.Reserved = s.cluster(nil).Kubelet[s.pool.Name].Reserved(s.pool)
	if err := ctx.RegisterComponentResource(nodePoolToken, name, p, opts...); err != nil {
		return nil, err
	}
	parent := pulumi.Parent(p)
	group, err := newScaleSet(ctx, name, s.pool.Name, s.place, s.pool.Zones, parent)
	if err != nil {
		return nil, err
	}
	var machines []machine
	interfaces := map[string]*network.NetworkInterface{}
	addresses := pulumi.StringMap{}
	for _, vm := range s.machines {
		m := machine{vm, s.place, name + "-" + vm.Name, parent}
		nic, err := m.newInterface(ctx, s.subnet, s.backends)
		if err != nil {
			return nil, err
		}
		machines = append(machines, m)
		interfaces[m.Name], addresses[m.Name] = nic, addressOf(ctx, nic)
	}
	p.Addresses = addresses.ToStringMapOutput()
	payloadKeys, err := s.payloadKeys(parent)
	if err != nil {
		return nil, err
	}
	for _, m := range machines {
		f := files{s.cluster, s.known(m.Machine, addresses), payloadKeys, s.ca, s.endpoint}
		if err := p.newMachine(ctx, m, s, f, group, interfaces[m.Name]); err != nil {
			return nil, err
		}
	}
	return p, ctx.RegisterResourceOutputs(p, pulumi.Map{"addresses": p.Addresses})
}

// known are the addresses that a machine has to know: its own, and where each machine has
// routes to the others, theirs.
func (s poolSpec) known(m plan.Machine, all pulumi.StringMap) pulumi.StringMapOutput {
	if s.network.Kind == kinds.HostGateway {
		return all.ToStringMapOutput()
	}
	return pulumi.StringMap{m.Name: all[m.Name]}.ToStringMapOutput()
}

func (p *NodePool) newMachine(
	ctx *pulumi.Context, m machine, s poolSpec, f files, group *compute.VirtualMachineScaleSet,
	nic *network.NetworkInterface,
) error {
	vm, err := m.newVirtualMachine(ctx, group, nic, f.customData(m.Machine))
	if err != nil {
		return err
	}
	p.Machines[m.Name] = vm
	var after []pulumi.Resource
	if s.routeTable != nil {
		route, err := m.newRoute(ctx, s.network, s.routeTable, nic)
		if err != nil {
			return err
		}
		after = append(after, route)
	}
	join := s.join(m, vm)
	settings := f.protectedSettings(m.Machine, join.as)
	extension, err := m.newExtension(ctx, vm, settings, pulumi.DependsOn(slices.Concat(after, join.after)),
		join.options.begins)
	if err != nil {
		return err
	}
	if m.Patching.Mode == plan.AutomaticByPlatform {
		if _, err := m.newHealth(ctx, vm, extension); err != nil {
			return err
		}
	}
	// A machine that is made again is another node, which is waited for.
	inClusterAfter := func(r pulumi.Resource) []pulumi.ResourceOption {
		return append(slices.Clone(s.inCluster), pulumi.DependsOn([]pulumi.Resource{r}),
			pulumi.ReplaceWith([]pulumi.Resource{vm}))
	}
	ready, err := m.newReady(ctx, append(inClusterAfter(extension), join.options.ends)...)
	if err != nil {
		return err
	}
	node, err := m.newNode(ctx, s.annotated, inClusterAfter(ready)...)
	p.ready = append(p.ready, node)
	return err
}

// newRoute leads to the pods of a machine.
func (m machine) newRoute(
	ctx *pulumi.Context, pods kinds.Defaulted, table pulumi.StringInput, nic *network.NetworkInterface,
) (*network.Route, error) {
	address := addressOf(ctx, nic)
	podCIDR := address.ApplyT(func(text string) (string, error) {
		address, err := netip.ParseAddr(text)
		if err != nil {
			return "", err
		}
		plan, err := pods.Plan([]kinds.Node{{Name: m.Name, Address: address, Platform: m.Pool.Platform}})
		if err != nil {
			return "", err
		}
		return plan.Nodes[0].PodCIDR.String(), nil
	}).(pulumi.StringOutput)
	return network.NewRoute(ctx, m.resource+"-route", &network.RouteArgs{
		ResourceGroupName: m.group,
		RouteTableName:    table,
		RouteName:         pulumi.String(m.Name),
		AddressPrefix:     podCIDR,
		NextHopType:       pulumi.String("VirtualAppliance"),
		NextHopIpAddress:  address,
	}, m.parent)
}
