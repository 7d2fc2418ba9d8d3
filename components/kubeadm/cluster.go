package kubeadm

import (
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/jointoken"
	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/system/clock"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	podnetwork "github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

const clusterToken = "mixedkube:kubeadm:Cluster"

// Cluster is a self-managed cluster on Azure virtual machines.
type Cluster struct {
	pulumi.ResourceState

	// ControlPlane are the machines of the control plane. The first one creates the cluster.
	ControlPlane []*compute.VirtualMachine
	// Pools are the pools by name.
	Pools map[string]*NodePool
	// VirtualNetwork is the network of all machines; NodeSubnet is the subnet of the pools.
	VirtualNetwork *network.VirtualNetwork
	NodeSubnet     *network.Subnet

	// Topology is the topology of the cluster as its nodes register. The control plane is a pool in
	// it, called control-plane.
	Topology topology.Topology
	// Network is the pod network, with its defaults and with all destinations that pods are kept
	// from. The settings for Calico or Antrea follow from it.
	Network podnetwork.Defaulted
	// Provider is the provider for Kubernetes resources in the cluster. It is ready when all nodes
	// are Ready. In the state it has the certificate of the last update. If that is more than 24 days
	// ago, run `pulumi up` before commands that do not run the program, or let them run it (`pulumi
	// destroy --run-program`).
	Provider *kubernetes.Provider
	// NetworkProvider is a provider for the same cluster that is ready earlier, as soon as the API
	// server answers. Use it for the agents of a network that the component does not install:
	// Calico and Antrea. Without them no node becomes Ready.
	NetworkProvider *kubernetes.Provider

	// Kubeconfig is an administrator's configuration for kubectl. It is a secret. Its certificate is
	// for the group kubeadm:cluster-admins, which kubeadm binds to cluster-admin. It is valid for at
	// least 24 days, and is replaced each week, which changes only this output and the provider.
	Kubeconfig pulumi.StringOutput `pulumi:"kubeconfig" provider:"secret"`
	// Endpoint is the address at which nodes reach the API server, host:port. A machine outside of
	// this component needs it to join, together with CACertificate and a token.
	Endpoint pulumi.StringOutput `pulumi:"endpoint"`
	// CACertificate is the certificate of the API server's authority in PEM.
	CACertificate pulumi.StringOutput `pulumi:"caCertificate"`
	// CACertHash is the hash of CACertificate. The hash alone does not let a machine join, because
	// anonymous users cannot read the ConfigMap cluster-info.
	CACertHash pulumi.StringOutput `pulumi:"caCertHash"`
	// ServiceAddress is the public address for [ClusterArgs.ServicePorts]. It is empty if there are
	// none.
	ServiceAddress pulumi.StringOutput `pulumi:"serviceAddress"`
	// ResourceGroupName is the resource group of all resources.
	ResourceGroupName pulumi.StringOutput `pulumi:"resourceGroupName"`
}

// NewCluster creates a self-managed cluster on Azure virtual machines. The package's documentation
// describes where its keys come from, and the effects of later changes.
//
// None of its many resources represents the cluster as a whole: options that apply to one resource,
// and aliases of resources, are errors. Set them in a transform (pulumi.Transforms), by type and
// name.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing is
// registered in this case. Texts that are outputs, such as secrets of the configuration, are
// checked when they are known, even in a preview. An invalid one fails the resources that use it.
// Plain strings are checked with the other arguments, and are marked secret if necessary.
func NewCluster(ctx *pulumi.Context, name string, args *ClusterArgs, opts ...pulumi.ResourceOption) (*Cluster, error) {
	if args == nil {
		args = &ClusterArgs{}
	}
	spec := args.withDefaults(name)
	split, wrong := childoptions.Component{Token: clusterToken, Name: name}.Split(opts)
	spec.wrong = wrong
	findings, err := spec.check()
	if err != nil {
		return nil, err
	}

	if err := requireHooks(ctx); err != nil {
		return nil, err
	}
	c := &Cluster{Pools: map[string]*NodePool{}, Topology: spec.azure.Topology(), Network: spec.azure.Network}
	if err := ctx.RegisterComponentResource(clusterToken, name, c, split.Component...); err != nil {
		return nil, err
	}
	// RegisterComponentResource has reset the output fields: an output of the cluster waits for its
	// children.
	c.Endpoint = pulumi.String(spec.azure.Endpoint()).ToStringOutput()
	aged, err := agedFacts(ctx, spec.subject(), spec.Ignore, spec.azure.UsedFacts(), spec.hasWindows())
	if err != nil {
		return nil, err
	}
	if err := refusal.Log(ctx, c, append(findings, aged...)); err != nil {
		return nil, err
	}
	parent := pulumi.Parent(c)
	if err := spec.logManualSteps(ctx, c); err != nil {
		return nil, err
	}
	if c.ResourceGroupName, err = spec.resourceGroup(ctx, name, parent); err != nil {
		return nil, err
	}
	work := construction{clusterSpec: spec, ctx: ctx, cluster: c}
	if work.hooks, err = newHookNames(ctx, c); err != nil {
		return nil, err
	}
	if work.keys, err = spec.newKeys(ctx, work.hooks, parent); err != nil {
		return nil, err
	}
	work.at = place{
		subject: spec.subject(), ignored: spec.Ignore,
		group: c.ResourceGroupName, cluster: spec.ClusterName,
		location: input.Optional(spec.Location), tags: spec.Tags,
		linux: spec.LinuxAdmin, windows: spec.WindowsAdmin, forwards: spec.azure.Network.Kind.Planned(),
	}.withDefaults()
	api := adminAPI{func() pulumi.StringOutput { return c.Kubeconfig }}
	record := readRecord(ctx, work.keys.first)
	if work.tokens, err = newTokens(ctx, api, work.hooks, record); err != nil {
		return nil, err
	}
	work.joined = &joined{tokens: work.tokens, record: record}
	if err := work.build(); err != nil {
		return nil, err
	}
	c.CACertificate, c.CACertHash = work.keys.caCertificate(), work.keys.caCertHash()
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"caCertHash":           c.CACertHash,
		"caCertificate":        c.CACertificate,
		"endpoint":             c.Endpoint,
		jointoken.RecordOutput: work.joined.nodes(),
		"kubeconfig":           c.Kubeconfig,
		"resourceGroupName":    c.ResourceGroupName,
		"serviceAddress":       c.ServiceAddress,
		"topology":             stackoutput.Topology(c.Topology),
	})
}

// logManualSteps logs which programs you have to install yourself.
func (s clusterSpec) logManualSteps(ctx *pulumi.Context, cluster *Cluster) error {
	steps := s.networkSteps()
	if steps == "" {
		return nil
	}
	return ctx.Log.Info(escape.Lines(steps), &pulumi.LogArgs{Resource: cluster})
}

// clusterSpec is the arguments with their defaults.
type clusterSpec struct {
	ClusterArgs

	name string
	// wrong lists the errors in the options of the component.
	wrong field.ErrorList
	// azure is the plain part of the arguments.
	azure plan.Defaulted
	// now is the time of this run. It decides the week of the administrator's certificate.
	now time.Time
}

func (a *ClusterArgs) withDefaults(name string) clusterSpec {
	s := clusterSpec{ClusterArgs: *a, name: name, now: time.Now()}
	if s.ClusterName == "" {
		s.ClusterName = name
	}
	cluster := plan.Cluster{
		Name:              s.ClusterName,
		KubernetesVersion: s.KubernetesVersion,
		ControlPlane:      s.ControlPlane,
		Pools:             s.Pools,
		PoolOptions:       s.PoolOptions,
		Network:           s.Network,

		PodsReachInstanceMetadata: s.PodsReachInstanceMetadata,

		APIServer:       s.APIServer.known(),
		NodePortSources: ranges(s.NodePortSources),
		ServicePorts:    s.ServicePorts,
		Keys:            s.Keys.known(),
		Releases:        releases(s.Releases, s.Network),
		Today:           clock.Today(),
	}
	s.azure = cluster.WithDefaults()
	return s
}

// releases returns the configured releases with their defaults. The names of the machines contain the versions of
// flannel, in every network. So a program that lists its releases without flannel, which its network does not need,
// retains its machines.
func releases(configured bootstrap.Releases, n podnetwork.Network) bootstrap.Releases {
	complete := configured.WithDefaults()
	if len(configured.Kubernetes) > 0 && n.WithDefaults().Kind != podnetwork.FlannelVXLAN {
		complete.Flannel, complete.FlannelPlugin = configured.Flannel, configured.FlannelPlugin
	}
	return complete
}
