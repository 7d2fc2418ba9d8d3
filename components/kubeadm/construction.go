package kubeadm

import (
	"net/netip"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	kinds "github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// construction is a cluster that is being created.
type construction struct {
	clusterSpec

	ctx     *pulumi.Context
	cluster *Cluster
	at      place
	vnet    virtualNetwork
	keys    keys
	tokens  *tokens
	joined  *joined
	hooks   hookNames
	// controlPlane is the resource that exists once all machines of the control plane exist and
	// have the keys in use.
	controlPlane pulumi.Resource
}

func (c construction) parent() pulumi.ResourceOption { return pulumi.Parent(c.cluster) }

// build creates everything, from the virtual network to the provider of the finished cluster.
func (c construction) build() error {
	var err error
	if c.vnet, err = c.newVirtualNetwork(c.ctx, c.name, c.at, c.parent()); err != nil {
		return err
	}
	c.cluster.VirtualNetwork, c.cluster.NodeSubnet = c.vnet.network, c.vnet.nodes
	api, err := c.newAPIServer()
	if err != nil {
		return err
	}
	if c.controlPlane, err = c.newControlPlane(api); err != nil {
		return err
	}
	services, err := c.newServiceBalancer()
	if err != nil {
		return err
	}
	c.cluster.ServiceAddress = services.address
	ready, err := c.newPools(services.backends)
	if err != nil {
		return err
	}
	all := append([]pulumi.Resource{c.controlPlane}, ready...)
	if c.cluster.Provider, err = c.newProvider("kubernetes", all); err != nil {
		return err
	}
	return c.rememberSteps(all)
}

// newProvider creates a provider for the cluster. It uses server-side apply, because only that can
// adopt existing nodes unchanged.
func (c construction) newProvider(role string, after []pulumi.Resource) (*kubernetes.Provider, error) {
	return kubernetes.NewProvider(c.ctx, c.name+"-"+role, &kubernetes.ProviderArgs{
		Kubeconfig:            c.cluster.Kubeconfig,
		EnableServerSideApply: pulumi.Bool(true),
		// By default the identifier follows from the kubeconfig, so that another certificate
		// authority would replace everything in the cluster. The ID of the machine is known even
		// while the machine is updated, unlike its outputs in Azure.
		ClusterIdentifier: c.cluster.ControlPlane[0].ID(),
	}, c.parent(), pulumi.DependsOn(after))
}

// newControlPlane creates the machines of the control plane one after the other, and the provider
// that reaches them. It returns the resource that exists once all of them have joined.
func (c construction) newControlPlane(api apiServer) (pulumi.Resource, error) {
	name := c.name + "-" + plan.ControlPlanePool
	group, err := newScaleSet(c.ctx, name, plan.ControlPlanePool, c.at, c.azure.ControlPlane.Zones, c.parent())
	if err != nil {
		return nil, err
	}
	var last pulumi.CustomResource
	for _, vm := range c.azure.Machines() {
		if !vm.ControlPlane {
			break
		}
		first := last == nil
		m := machine{vm, c.at, c.name + "-" + vm.Name, c.parent()}
		if last, err = c.newServer(m, api, group, last); err != nil {
			return nil, err
		}
		if first {
			if err := c.connect(api, last); err != nil {
				return nil, err
			}
		}
	}
	return last, nil
}

// newServer creates a machine of the control plane. It joins after the machine before, which is nil
// for the first one: etcd accepts one new member at a time. It returns the resource that exists
// once the machine has joined.
func (c construction) newServer(
	m machine, api apiServer, group *compute.VirtualMachineScaleSet, before pulumi.CustomResource,
) (pulumi.CustomResource, error) {
	f := files{
		cluster:    func(map[string]netip.Addr) bootstrap.Cluster { return c.azure.Bootstrap(nil) },
		addresses:  pulumi.StringMap{}.ToStringMapOutput(),
		payloadKey: c.keys.payloadKey,
		ca:         c.keys.caCertificate(),
		endpoint:   c.cluster.Endpoint,
	}
	subnet := c.vnet.controlPlane.ID().ToStringOutput()
	nic, err := m.newInterface(c.ctx, subnet, api.backends, pulumi.DependsOn(api.balancers))
	if err != nil {
		return nil, err
	}
	// Its disk contains the etcd with the cluster's state.
	vm, err := m.newVirtualMachine(c.ctx, group, nic, f.customData(m.Machine), pulumi.Protect(!c.Unprotected))
	if err != nil {
		return nil, err
	}
	c.cluster.ControlPlane = append(c.cluster.ControlPlane, vm)
	after := []pulumi.Resource{vm}
	if routes := c.vnet.routes; routes != nil {
		route, err := m.newRoute(c.ctx, c.azure.Network, routes.Name, nic)
		if err != nil {
			return nil, err
		}
		after = append(after, route)
	}
	settings, joins := c.keys.createControlPlane(), pulumi.Composite()
	if before != nil {
		token := c.keys.token(m.Name, vm.VmId)
		settings, after = c.keys.joinControlPlane(token), append(after, before)
		// The extension of a Linux machine waits until the machine is a node.
		joins = c.tokens.lets(m, vm, token).ends
	}
	joined, err := m.newExtension(c.ctx, vm, f.protectedSettings(m.Machine, settings), pulumi.DependsOn(after), joins)
	if err != nil || !c.azure.Keys.Rotated() {
		return joined, err
	}
	return m.newKeyReplacement(c.ctx, vm, c.keys.replacement(m, c.azure.APIServer.Options),
		pulumi.Parent(c.cluster), pulumi.DependsOn([]pulumi.Resource{joined}))
}

// connect creates the kubeconfig and the network provider after the first machine, when the API
// server answers.
func (c construction) connect(api apiServer, first pulumi.CustomResource) error {
	server := pulumi.All(api.server,
		first.ID()).ApplyT(func(values []any) string { return values[0].(string) }).(pulumi.StringOutput)
	c.cluster.Kubeconfig = c.keys.kubeconfig(c.ClusterName, server, c.now)
	var err error
	c.cluster.NetworkProvider, err = c.newProvider("network", []pulumi.Resource{first})
	return err
}

// inCluster returns the options of resources in the cluster. When the first machine is deleted the
// cluster is deleted too, and no API server could remove its objects.
func (c construction) inCluster() []pulumi.ResourceOption {
	return []pulumi.ResourceOption{
		pulumi.Provider(c.cluster.NetworkProvider),
		pulumi.DeletedWith(c.cluster.ControlPlane[0]),
	}
}

// newPools creates the pools, and what their nodes need to become Ready. It returns the resources
// that exist once the nodes are Ready.
func (c construction) newPools(backends []pulumi.StringOutput) ([]pulumi.Resource, error) {
	ready, err := c.newAgents()
	if err != nil {
		return nil, err
	}
	var routeTable pulumi.StringInput
	if c.vnet.routes != nil {
		routeTable = c.vnet.routes.Name
	}
	for _, pool := range c.azure.Pools {
		p, err := newNodePool(c.ctx, c.poolName(pool.Name), poolSpec{
			place: c.at,
			pool:  pool,
			machines: plan.PoolMachines(
				pool, c.azure.PoolOptions[pool.Name], c.azure.Network.Kind, c.azure.Releases, c.azure.Keys.Cluster),
			subnet:     c.vnet.nodes.ID().ToStringOutput(),
			backends:   backends,
			network:    c.azure.Network,
			routeTable: routeTable,
			cluster:    c.azure.Bootstrap,
			ca:         c.keys.caCertificate(),
			endpoint:   c.cluster.Endpoint,
			join:       c.join,
			payloadKeys: func(pulumi.ResourceOption) (func(plan.Machine) pulumi.Output, error) {
				return c.keys.payloadKey, nil
			},
			inCluster: c.inCluster(),
			annotated: true,
		}, c.parent())
		if err != nil {
			return nil, err
		}
		c.cluster.Pools[pool.Name] = p
		ready = append(ready, p.ready...)
	}
	return ready, c.newNodes(slices.Concat(ready, []pulumi.Resource{c.cluster.NetworkProvider}))
}

// poolName returns the name of the component of a pool.
func (c construction) poolName(pool string) string { return c.name + "-" + pool }

// join returns how a machine joins with a token of its own, which a hook creates just before.
func (c construction) join(m machine, vm *compute.VirtualMachine) join {
	token := c.keys.token(m.Name, vm.VmId)
	j := join{
		as: c.keys.join(token), after: []pulumi.Resource{c.cluster.NetworkProvider},
		options: c.tokens.lets(m, vm, token),
		joined:  func(node *corev1.Node) { c.joined.add(m, vm, node) },
	}
	if c.azure.Keys.Rotated() {
		// All API servers must trust the authority that the machine gets, and have a certificate
		// from it.
		j.after = append(j.after, c.controlPlane)
	}
	return j
}

// newAgents installs the agents that nodes need for those networks that the component can install
// itself.
func (c construction) newAgents() ([]pulumi.Resource, error) {
	options := append(c.inCluster(), c.parent())
	pods, endpoint := c.azure.Network, c.cluster.Endpoint
	var agents []pulumi.Resource
	if pods.Kind == kinds.FlannelVXLAN {
		args := &hostprocess.FlannelArgs{Network: pods.Network, Endpoint: endpoint}
		flannel, err := hostprocess.NewFlannel(c.ctx, c.name+"-flannel", args, options...)
		if err != nil {
			return nil, err
		}
		agents = append(agents, flannel)
	}
	if c.NetworkManifests != "" {
		group, err := c.newNetwork(options...)
		if err != nil {
			return nil, err
		}
		agents = append(agents, group)
	}
	windows := slices.ContainsFunc(c.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	if windows && pods.KubeProxyWindows().Needed {
		args := &hostprocess.KubeProxyArgs{Network: pods.Network, Endpoint: endpoint}
		proxy, err := hostprocess.NewKubeProxy(c.ctx, c.name+"-kube-proxy", args, options...)
		if err != nil {
			return nil, err
		}
		agents = append(agents, proxy)
	}
	return agents, nil
}
