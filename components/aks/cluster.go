package aks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/internal/childoptions"
	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

const clusterToken = "mixedkube:aks:Cluster"

// Cluster is a cluster on AKS with its pools.
type Cluster struct {
	pulumi.ResourceState

	// Cluster is the resource of the cluster itself.
	Cluster *containerservice.ManagedCluster
	// Pools are all pools of the program, by their names there.
	Pools map[string]ClusterPool

	// Topology is the cluster's, as its nodes register: with the labels and taints
	// that AKS adds.
	Topology topology.Topology
	// Provider is the cluster as a provider of Kubernetes resources. It is there
	// when all pools are.
	Provider *kubernetes.Provider

	// Kubeconfig is the configuration for kubectl, with the rights of a cluster
	// administrator, or, where Options.AadProfile is given, of who signs in as
	// [ClusterArgs.Login] says. It is a secret.
	Kubeconfig pulumi.StringOutput `pulumi:"kubeconfig" provider:"secret"`
	// ID is the resource ID of the cluster.
	ID pulumi.IDOutput
	// ResourceGroupName is the name of the group that the cluster is in.
	ResourceGroupName pulumi.StringOutput `pulumi:"resourceGroupName"`
	// ClusterName is the cluster's name in Azure.
	ClusterName pulumi.StringOutput `pulumi:"clusterName"`
	// NodeResourceGroup is the group in which Azure keeps the nodes.
	NodeResourceGroup pulumi.StringOutput `pulumi:"nodeResourceGroup"`
	// OIDCIssuerURL is the issuer of the tokens of service accounts, for workload
	// identity.
	OIDCIssuerURL pulumi.StringOutput `pulumi:"oidcIssuerURL"`
}

// ClusterPool is a pool of a [Cluster].
type ClusterPool struct {
	// ID is the resource ID of the pool.
	ID pulumi.IDOutput
	// Name is the pool's name in Azure.
	Name pulumi.StringOutput
	// Resource is there when the pool is, for [pulumi.DependsOn]: the pool's
	// *containerservice.AgentPool, or the *containerservice.ManagedCluster that has it
	// inline. The latter is so for one pool at most, until one of its immutable fields
	// changes: see the package's documentation.
	Resource pulumi.Resource
}

// NewCluster makes a cluster on AKS. See the package's documentation for what later
// changes do.
//
// The options that are about one resource, such as [pulumi.IgnoreChanges], [pulumi.Timeouts] and
// [pulumi.Import], are for the cluster's own resource, and so is an alias of its type: with one, the
// component takes over a containerservice.ManagedCluster of the program. Aliases can name the pools
// (by their names in the program), the resource group and the provider as well. [pulumi.Protect] goes
// before Unprotected.
//
// The error lists everything that is wrong with the arguments, with field paths;
// nothing is registered then. What is unwise, or not known to this library, or for
// you to do in Azure, is a warning of the program's log. A password that is an output is
// checked when it is known, and fails the cluster.
func NewCluster(ctx *pulumi.Context, name string, args *ClusterArgs, opts ...pulumi.ResourceOption) (*Cluster, error) {
	if args == nil {
		args = &ClusterArgs{}
	}
	spec := args.withDefaults(name)
	spec.options, spec.wrong = spec.reached().Split(opts)
	spec.mayExist = spec.keepsPools()
	findings, err := spec.check()
	if err != nil {
		return nil, err
	}

	c := &Cluster{Pools: map[string]ClusterPool{}, Topology: spec.registered()}
	if err := ctx.RegisterComponentResource(clusterToken, name, c, spec.options.Component...); err != nil {
		return nil, err
	}
	if err := refusal.Log(ctx, c, findings); err != nil {
		return nil, err
	}
	if c.ResourceGroupName, err = spec.resourceGroup(ctx, name, pulumi.Parent(c)); err != nil {
		return nil, err
	}
	after, err := construction{clusterSpec: spec, ctx: ctx, cluster: c}.build()
	if err != nil {
		return nil, err
	}
	c.ID = c.Cluster.ID()
	c.ClusterName = c.Cluster.Name
	c.NodeResourceGroup = c.Cluster.NodeResourceGroup.Elem()
	c.OIDCIssuerURL = c.Cluster.OidcIssuerProfile.IssuerURL().Elem()
	c.Kubeconfig = kubeconfig(ctx, c.ResourceGroupName, c.Cluster.Name, spec.Login, pulumi.Parent(c))
	c.Provider, err = newProvider(ctx, name, c.Kubeconfig, c.ID,
		spec.options.For(providerType, name+"-kubernetes", pulumi.Parent(c), pulumi.DependsOn(after))...)
	if err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"id":                c.ID,
		"resourceGroupName": c.ResourceGroupName,
		"clusterName":       c.ClusterName,
		"nodeResourceGroup": c.NodeResourceGroup,
		"oidcIssuerURL":     c.OIDCIssuerURL,
		"kubeconfig":        c.Kubeconfig,
		"topology":          stackoutput.Topology(c.Topology),
	})
}

// clusterSpec is the arguments with their defaults.
type clusterSpec struct {
	ClusterArgs

	name string
	// given are the arguments as they were given.
	given ClusterArgs
	// mayExist says that the cluster may be in Azure, and that nobody has looked yet.
	mayExist bool
	// entraID is the aadProfile that a cluster in Azure keeps; nil if there is none, or if the options
	// say it.
	entraID  any
	topology topology.Defaulted
	// options are those of the component and its children, and wrong what is wrong with them.
	options childoptions.Options
	wrong   field.ErrorList
}

func (a *ClusterArgs) withDefaults(name string) clusterSpec {
	s := clusterSpec{ClusterArgs: *a, name: name, given: *a}
	s.topology = topology.Topology{KubernetesVersion: a.KubernetesVersion, Pools: a.Pools}.WithDefaults()
	s.Pools = s.topology.Pools
	s.KubernetesVersion = strings.TrimPrefix(s.KubernetesVersion, "v")
	for i := range s.Pools {
		s.Pools[i].KubernetesVersion = strings.TrimPrefix(s.Pools[i].KubernetesVersion, "v")
	}
	if s.ClusterName == "" {
		s.ClusterName = name
	}
	if s.Network.Mode == "" {
		s.Network.Mode = Overlay
	}
	if s.Network.Policy == "" {
		s.Network.Policy = NoPolicy
	}
	if s.Network.OutboundType == "" {
		s.Network.OutboundType = LoadBalancer
	}
	if s.WindowsAdmin.Username == "" {
		s.WindowsAdmin.Username = DefaultUsername
	}
	if s.WindowsAdmin.LicenseType == "" {
		s.WindowsAdmin.LicenseType = NoLicense
	}
	return s
}

// keepsPools reports whether the program has pools that keep their names in Azure, so that the cluster may
// be there.
func (s clusterSpec) keepsPools() bool {
	for _, o := range s.PoolOptions {
		if o.NameInAzure != "" {
			return true
		}
	}
	return false
}

// registered is the topology as the nodes register.
func (s clusterSpec) registered() topology.Topology {
	t := s.topology.Topology
	t.Pools = slices.Clone(t.Pools)
	for i := range t.Pools {
		pool := t.Pools[i]
		t.Pools[i] = plan.Registered(pool, s.PoolOptions[pool.Name].known(), s.Network.Mode)
	}
	if !s.WindowsAdmin.GMSA.Enabled {
		t.Lacks = []topology.Feature{topology.GMSAWebhook}
	}
	t.Lacks = append(t.Lacks, s.Network.Policy.Lacks()...)
	return t
}

// resourceGroup is the name of the group that is given, or of one that is made.
func (s clusterSpec) resourceGroup(
	ctx *pulumi.Context, name string, parent pulumi.ResourceOption,
) (pulumi.StringOutput, error) {
	if s.ResourceGroupName != nil {
		return s.ResourceGroupName.ToStringOutput(), nil
	}
	group, err := resources.NewResourceGroup(ctx, name+"-rg", &resources.ResourceGroupArgs{
		Location: input.Optional(s.Location),
		Tags:     s.Tags,
	}, s.options.For(groupType, name+"-rg", parent)...)
	if err != nil {
		return pulumi.StringOutput{}, fmt.Errorf("registering the resource group: %w", err)
	}
	return group.Name, nil
}
