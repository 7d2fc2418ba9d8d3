package kubeadm

import (
	"net/netip"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	kinds "github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

const nodePoolToken = "mixedkube:kubeadm:NodePool"

// NodePool is a pool of machines that are nodes.
type NodePool struct {
	pulumi.ResourceState

	// Machines are the virtual machines by the name of their node.
	Machines map[string]*compute.VirtualMachine
	// Addresses are the machines' own addresses by the name of their node.
	Addresses pulumi.StringMapOutput `pulumi:"addresses"`
	// Pool is the pool as its nodes register.
	Pool topology.Pool

	// ready are the resources that exist once the nodes are Ready.
	ready []pulumi.Resource
}

// poolSpec describes a pool that is being created.
type poolSpec struct {
	place
	pool     topology.Pool
	machines []plan.Machine
	subnet   pulumi.StringInput
	// backends are the IDs of the backend pools that the machines are in.
	backends []pulumi.StringOutput
	network  kinds.Defaulted
	// routeTable is nil if the network has no routes.
	routeTable pulumi.StringInput
	// cluster returns the cluster for the known addresses.
	cluster func(map[string]netip.Addr) bootstrap.Cluster
	// ca is the certificate of the cluster's authority, empty if it is not known.
	ca pulumi.StringOutput
	// endpoint is the address at which the machines reach the API server.
	endpoint pulumi.StringOutput
	// join returns how a machine joins.
	join func(machine, *compute.VirtualMachine) join
	// payloadKeys returns the keys of the machines' payloads. The resources that it creates are
	// children of the pool.
	payloadKeys func(parent pulumi.ResourceOption) (func(plan.Machine) pulumi.Output, error)
	// inCluster are the options of resources in the cluster.
	inCluster []pulumi.ResourceOption
	// annotated adds [drain.PoolAnnotation] to the nodes.
	annotated bool
}

// join is how a machine joins a cluster.
type join struct {
	// as is its [bootstrap.Join].
	as pulumi.Output
	// after are the resources that must exist before the machine joins.
	after []pulumi.Resource
	// options are the hooks that create and remove its token.
	options tokenOptions
	// joined records the node of the machine. It is nil for a pool that joins with its user's token.
	joined func(*corev1.Node)
}

// newNodePool creates the machines of a pool, and waits until they are nodes.
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
		m := machine{vm, s.place, machineResource(name, vm.Name), parent}
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

// machineResource returns the prefix of the names of the resources of a machine in a pool.
func machineResource(pool, machine string) string { return pool + "-" + machine }

// known returns the addresses that a machine must know: its own, and if machines have routes to
// each other, those of the others.
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
	// A machine that is created again is another node, for which the pool waits.
	inClusterAfter := func(r pulumi.Resource) []pulumi.ResourceOption {
		return append(slices.Clone(s.inCluster), pulumi.DependsOn([]pulumi.Resource{r}),
			pulumi.ReplaceWith([]pulumi.Resource{vm}))
	}
	ready, err := m.newReady(ctx, append(inClusterAfter(extension), join.options.ends)...)
	if err != nil {
		return err
	}
	node, err := m.newNode(ctx, s.annotated, inClusterAfter(ready)...)
	if err != nil {
		return err
	}
	p.ready = append(p.ready, node)
	if join.joined != nil {
		join.joined(node)
	}
	return nil
}

// newRoute creates the route to the pods of a machine.
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
