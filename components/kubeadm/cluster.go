package kubeadm

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	kinds "github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azurevm"
	"github.com/mixedkube/mixedkube/internal/input"
)

const clusterToken = "mixedkube:kubeadm:Cluster"

// Cluster is a self-managed cluster on Azure virtual machines.
type Cluster struct {
	pulumi.ResourceState

	// ControlPlane are the machines of the control plane, the one that creates the
	// cluster first.
	ControlPlane []*compute.VirtualMachine
	// Pools are the pools by their names.
	Pools map[string]*NodePool
	// VirtualNetwork is what all machines are in, and NodeSubnet the subnet of the pools.
	VirtualNetwork *network.VirtualNetwork
	NodeSubnet     *network.Subnet

	// Topology is the cluster's as its nodes register. The control plane is a pool of it,
	// called control-plane.
	Topology topology.Topology
	// Provider is the cluster as a provider of Kubernetes resources. It is there when all
	// nodes are Ready.
	Provider *kubernetes.Provider
	// NetworkProvider is the same before that, once the API server answers: for the
	// agents of a network that the component does not install, Calico's and Antrea's.
	// Without them no node becomes Ready.
	NetworkProvider *kubernetes.Provider

	// Kubeconfig is the configuration for kubectl of an administrator. It is a secret.
	// Its certificate is another one each year.
	Kubeconfig pulumi.StringOutput
	// Endpoint is where nodes reach the API server, host:port, and CACertHash pins its
	// certificate authority: what a machine from elsewhere needs to join, beside a token.
	Endpoint   string
	CACertHash pulumi.StringOutput
	// ServiceAddress is the public address of [ClusterArgs.ServicePorts], empty without
	// them.
	ServiceAddress pulumi.StringOutput
	// ResourceGroupName is the group of all resources.
	ResourceGroupName pulumi.StringOutput
}

// NewCluster makes a self-managed cluster on Azure virtual machines. See the package's
// documentation for where its keys come from, and for what later changes do.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then. Texts that are outputs, secrets of the configuration for example, are
// checked when they are known, and fail what needs them, in the preview as well. Plain
// strings are checked with the other arguments, and become secrets where they have to be.
func NewCluster(ctx *pulumi.Context, name string, args *ClusterArgs, opts ...pulumi.ResourceOption) (*Cluster, error) {
	if args == nil {
		args = &ClusterArgs{}
	}
	spec := args.withDefaults(name)
	if err := spec.check(); err != nil {
		return nil, err
	}

	c := &Cluster{Pools: map[string]*NodePool{}, Topology: spec.azure.Topology(), Endpoint: spec.azure.Endpoint()}
	if err := ctx.RegisterComponentResource(clusterToken, name, c, opts...); err != nil {
		return nil, err
	}
	parent := pulumi.Parent(c)
	err := spec.sayWhatIsYours(ctx, c)
	if err != nil {
		return nil, err
	}
	if c.ResourceGroupName, err = spec.resourceGroup(ctx, name, parent); err != nil {
		return nil, err
	}
	at := place{
		subject: spec.subject(), group: c.ResourceGroupName, cluster: spec.ClusterName,
		location: input.Optional(spec.Location), tags: spec.Tags,
		linux: spec.LinuxAdmin, windows: spec.WindowsAdmin, forwards: spec.azure.Network.Kind.Planned(),
	}.withDefaults()
	around, err := spec.newVirtualNetwork(ctx, name, at, parent)
	if err != nil {
		return nil, err
	}
	c.VirtualNetwork, c.NodeSubnet = around.network, around.nodes
	api, err := spec.newAPIServer(ctx, name, at, around, parent)
	if err != nil {
		return nil, err
	}
	k := spec.newKeys()
	first, err := c.newControlPlane(ctx, name, spec, at, around, api, k)
	if err != nil {
		return nil, err
	}

	services, err := spec.newServiceBalancer(ctx, name, at, around.network, parent)
	if err != nil {
		return nil, err
	}
	c.ServiceAddress = services.address
	ready, err := c.newPools(ctx, name, spec, at, around, services.backends, k)
	if err != nil {
		return nil, err
	}
	c.Provider, err = c.newProvider(ctx, name+"-kubernetes", parent, pulumi.DependsOn(append([]pulumi.Resource{first}, ready...)))
	if err != nil {
		return nil, err
	}
	c.CACertHash = k.caCertHash()
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"caCertHash":        c.CACertHash,
		"endpoint":          pulumi.String(c.Endpoint),
		"kubeconfig":        c.Kubeconfig,
		"resourceGroupName": c.ResourceGroupName,
		"serviceAddress":    c.ServiceAddress,
	})
}

// sayWhatIsYours names in the preview what the component does not install.
func (s clusterSpec) sayWhatIsYours(ctx *pulumi.Context, cluster *Cluster) error {
	kind := s.azure.Network.Kind
	if kind.Yours() == "" {
		return nil
	}
	return ctx.Log.Info(fmt.Sprintf("the network %s is not installed: install %s with NetworkProvider, or with kubectl; no node becomes Ready before", kind, kind.Yours()),
		&pulumi.LogArgs{Resource: cluster})
}

// newProvider is the cluster as a provider. Nodes are taken over as they are, which only a
// provider that applies on the server's side does.
func (c *Cluster) newProvider(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*kubernetes.Provider, error) {
	return kubernetes.NewProvider(ctx, name, &kubernetes.ProviderArgs{
		Kubeconfig:            c.Kubeconfig,
		EnableServerSideApply: pulumi.Bool(true),
	}, opts...)
}

// newPools makes the pools, and what their nodes need to become ready. It returns what is
// there when they are.
func (c *Cluster) newPools(
	ctx *pulumi.Context, name string, spec clusterSpec, at place, around virtualNetwork, backends []pulumi.StringOutput, k keys,
) ([]pulumi.Resource, error) {
	inCluster := c.inCluster()
	ready, err := c.newAgents(ctx, name, spec)
	if err != nil {
		return nil, err
	}
	for _, pool := range spec.azure.Pools {
		var routeTable pulumi.StringInput
		if around.routes != nil {
			routeTable = around.routes.Name
		}
		p, err := newNodePool(ctx, name+"-"+pool.Name, poolSpec{
			place:      at,
			pool:       pool,
			machines:   azurevm.PoolMachines(pool, spec.azure.PoolOptions[pool.Name], spec.azure.Releases),
			subnet:     around.nodes.ID().ToStringOutput(),
			backends:   backends,
			network:    spec.azure.Network,
			routeTable: routeTable,
			cluster:    spec.azure.Bootstrap,
			join:       tokenFor(ctx, k, spec.now, inCluster),
			inCluster:  inCluster,
		}, pulumi.Parent(c))
		if err != nil {
			return nil, err
		}
		c.Pools[pool.Name] = p
		ready = append(ready, p.ready...)
	}
	return ready, nil
}

// inCluster are the options of what the component makes in the cluster. Where the first
// machine goes, the cluster does, and nobody could be asked to remove anything.
func (c *Cluster) inCluster() []pulumi.ResourceOption {
	return []pulumi.ResourceOption{pulumi.Provider(c.NetworkProvider), pulumi.DeletedWith(c.ControlPlane[0])}
}

// newAgents installs what nodes need of the networks that need nothing from elsewhere.
func (c *Cluster) newAgents(ctx *pulumi.Context, name string, spec clusterSpec) ([]pulumi.Resource, error) {
	options := append(c.inCluster(), pulumi.Parent(c))
	var agents []pulumi.Resource
	if spec.azure.Network.Kind == kinds.FlannelVXLAN {
		flannel, err := hostprocess.NewFlannel(ctx, name+"-flannel", &hostprocess.FlannelArgs{Network: spec.azure.Network, Endpoint: c.Endpoint}, options...)
		if err != nil {
			return nil, err
		}
		agents = append(agents, flannel)
	}
	windows := slices.ContainsFunc(spec.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	if windows && spec.azure.Network.KubeProxyWindows().Needed {
		proxy, err := hostprocess.NewKubeProxy(ctx, name+"-kube-proxy", &hostprocess.KubeProxyArgs{Network: spec.azure.Network, Endpoint: c.Endpoint}, options...)
		if err != nil {
			return nil, err
		}
		agents = append(agents, proxy)
	}
	return agents, nil
}

// clusterSpec is the arguments with their defaults.
type clusterSpec struct {
	ClusterArgs

	name string
	// azure is what is plain of them.
	azure azurevm.Cluster
	// now is when the program runs: tokens expire a while after it, and certificates are
	// of its year.
	now time.Time
}

func (a *ClusterArgs) withDefaults(name string) clusterSpec {
	s := clusterSpec{ClusterArgs: *a, name: name, now: time.Now()}
	if s.ClusterName == "" {
		s.ClusterName = name
	}
	s.azure = azurevm.Cluster{
		Name:              s.ClusterName,
		KubernetesVersion: s.KubernetesVersion,
		ControlPlane: azurevm.ControlPlane{
			Count: s.ControlPlane.Count, Size: s.ControlPlane.Size, OSDiskSizeGB: s.ControlPlane.OSDiskSizeGB,
			Zones: s.ControlPlane.Zones, Image: azurevm.Image(s.ControlPlane.Image),
		},
		Pools:           s.Pools,
		PoolOptions:     map[string]azurevm.PoolOptions{},
		Network:         s.Network,
		APIServer:       azurevm.APIServer(s.APIServer),
		NodePortSources: s.NodePortSources,
		ServicePorts:    plainPorts(s.ServicePorts),
		Releases:        releases(s.Releases),
	}
	for pool, o := range s.PoolOptions {
		s.azure.PoolOptions[pool] = o.plain()
	}
	s.azure = s.azure.WithDefaults()
	return s
}

func plainPorts(ports []ServicePort) []azurevm.ServicePort {
	var plain []azurevm.ServicePort
	for _, p := range ports {
		plain = append(plain, azurevm.ServicePort(p))
	}
	return plain
}

func (o PoolOptions) plain() azurevm.PoolOptions {
	return azurevm.PoolOptions{Kubelet: o.Kubelet, Image: azurevm.Image(o.Image)}
}

// releases are those that are given, or the known ones with the pause image that is given.
func releases(given bootstrap.Releases) bootstrap.Releases {
	if len(given.Kubernetes) > 0 {
		return given
	}
	known := bootstrap.KnownReleases()
	known.PauseImage = given.PauseImage
	return known
}

// newControlPlane makes the machines of the control plane, one after the other, and
// installs the provider that reaches them. It returns what is there when they are.
func (c *Cluster) newControlPlane(ctx *pulumi.Context, name string, spec clusterSpec, at place, around virtualNetwork, api apiServer, k keys) (pulumi.Resource, error) {
	parent := pulumi.Parent(c)
	group, err := newScaleSet(ctx, name+"-"+azurevm.ControlPlanePool, azurevm.ControlPlanePool, at, spec.azure.ControlPlane.Zones, parent)
	if err != nil {
		return nil, err
	}
	f := files{
		cluster:   func(map[string]netip.Addr) bootstrap.Cluster { return spec.azure.Bootstrap(nil) },
		addresses: pulumi.StringMap{}.ToStringMapOutput(),
	}
	balancers := make([]pulumi.Resource, len(api.balancers))
	for i, balancer := range api.balancers {
		balancers[i] = balancer
	}
	var last *compute.VirtualMachineExtension
	for i, m := range spec.azure.Machines() {
		if !m.ControlPlane {
			break
		}
		// Its disk has the etcd that the cluster is in.
		kept := pulumi.Protect(!spec.Unprotected)
		nic, err := newInterface(ctx, fmt.Sprintf("%s-%s", name, m.Name), m, at, around.controlPlane.ID().ToStringOutput(), api.backends, parent, pulumi.DependsOn(balancers))
		if err != nil {
			return nil, err
		}
		vm, err := newVirtualMachine(ctx, fmt.Sprintf("%s-%s", name, m.Name), m, at, group, nic, f.customData(m), parent, kept)
		if err != nil {
			return nil, err
		}
		c.ControlPlane = append(c.ControlPlane, vm)
		// One joins after the other: etcd takes one new member at a time.
		after := []pulumi.Resource{vm}
		if around.routes != nil {
			s := poolSpec{place: at, network: spec.azure.Network, routeTable: around.routes.Name}
			route, err := newRoute(ctx, fmt.Sprintf("%s-%s", name, m.Name), m, s, nic, parent)
			if err != nil {
				return nil, err
			}
			after = append(after, route)
		}
		if i > 0 {
			token, err := newToken(ctx, fmt.Sprintf("%s-%s", name, m.Name), m.Name, k.token(m.Name), spec.now, append(c.inCluster(), parent)...)
			if err != nil {
				return nil, err
			}
			after = append(after, last, token)
		}
		last, err = newExtension(ctx, fmt.Sprintf("%s-%s", name, m.Name), m, at, vm, f.protectedSettings(m, k.joinControlPlane(m.Name, i == 0)), parent, pulumi.DependsOn(after))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if err := c.connect(ctx, name, spec, api, k, last); err != nil {
				return nil, err
			}
		}
	}
	return last, nil
}

// connect is done when the first machine is: from then on the API server answers.
func (c *Cluster) connect(ctx *pulumi.Context, name string, spec clusterSpec, api apiServer, k keys, first *compute.VirtualMachineExtension) error {
	server := pulumi.All(api.server, first.ID()).ApplyT(func(values []any) string { return values[0].(string) }).(pulumi.StringOutput)
	c.Kubeconfig = k.kubeconfig(spec.ClusterName, server, spec.now)
	var err error
	c.NetworkProvider, err = c.newProvider(ctx, name+"-network", pulumi.Parent(c), pulumi.DependsOn([]pulumi.Resource{first}))
	return err
}
