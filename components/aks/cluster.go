package aks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

const clusterToken = "mixedkube:aks:Cluster"

// Cluster is a cluster on AKS with its pools.
type Cluster struct {
	pulumi.ResourceState

	// Cluster is the resource of the cluster itself.
	Cluster *containerservice.ManagedCluster
	// Pools are all pools of the program, by their names in the program.
	Pools map[string]ClusterPool

	// Topology is the topology of the cluster as its nodes register: with the labels and taints that
	// AKS adds.
	Topology topology.Topology
	// Provider is the provider for Kubernetes resources of the cluster. It is ready when all pools are.
	Provider *kubernetes.Provider

	// Kubeconfig is the configuration for kubectl. It has the rights of a cluster administrator or, if
	// Options.AadProfile is set, those of the user or application that signs in with
	// [ClusterArgs.Login]. It is a secret.
	Kubeconfig pulumi.StringOutput `pulumi:"kubeconfig" provider:"secret"`
	// ID is the resource ID of the cluster.
	ID pulumi.IDOutput
	// ResourceGroupName is the name of the group that the cluster is in.
	ResourceGroupName pulumi.StringOutput `pulumi:"resourceGroupName"`
	// ClusterName is the cluster's name in Azure.
	ClusterName pulumi.StringOutput `pulumi:"clusterName"`
	// NodeResourceGroup is the resource group of the nodes.
	NodeResourceGroup pulumi.StringOutput `pulumi:"nodeResourceGroup"`
	// OIDCIssuerURL is the issuer of the tokens of service accounts, for workload
	// identity.
	OIDCIssuerURL pulumi.StringOutput `pulumi:"oidcIssuerURL"`
	// IdentityPrincipalID is the object ID of the identity that the cluster acts as, its own one or one of
	// yours. It needs roles for what the cluster changes in Azure, such as subnets and addresses.
	IdentityPrincipalID pulumi.StringOutput `pulumi:"identityPrincipalID"`
	// KubeletIdentity is the identity that the nodes act as. It needs roles for what the nodes read, such as images
	// of a registry.
	KubeletIdentity KubeletIdentity `pulumi:"kubeletIdentity"`
}

// ClusterPool is a pool of a [Cluster].
//
// Azure creates a cluster together with a first pool, which is inline in the request for the cluster. Only this pool,
// the first one of mode System, is inline. azure-native cannot adopt it as a resource, and sends the inline pool again
// with each change of the cluster: see docs/decisions/0009-first-pool-inline.md. A tag of the cluster,
// mixedkube-first-pool, records its name. [NewCluster] looks the cluster up in Azure as soon as its resource group
// exists, in a preview too.
//
//   - A change of this pool in place is a change of the cluster resource: Azure shows all pools as scaling for a
//     moment, and changes one.
//   - If one of its immutable properties changes, the new version of the pool is a resource like all other pools. The
//     cluster then sends no inline pools, and Azure leaves its pools unchanged.
//   - Pulumi can neither remove this pool when it is no longer in the program, nor change its version of Kubernetes:
//     Azure accepts an inline version only together with the versions of all pools. With [ClusterArgs.AzureCLI] the
//     program runs commands that do both. Without it, findings name the commands (MK796, MK797). The pool begins with
//     the version of the cluster.
//   - `pulumi refresh` shows pools that were added later as a change of the cluster. The update that follows changes
//     nothing in Azure.
type ClusterPool struct {
	// ID is the resource ID of the pool.
	ID pulumi.IDOutput
	// Name is the pool's name in Azure.
	Name pulumi.StringOutput
	// Resource is the resource that creates the pool, for [pulumi.DependsOn]: the pool's
	// *containerservice.AgentPool, or the *containerservice.ManagedCluster that has it inline. At most
	// one pool is inline, until one of its immutable fields changes.
	Resource pulumi.Resource
}

// NewCluster creates a cluster on AKS. The package's documentation describes what later changes do.
//
// Options for a single resource, such as [pulumi.IgnoreChanges], [pulumi.Timeouts] and [pulumi.Import], apply to the
// cluster's own resource. With an alias of its type, the component takes over a containerservice.ManagedCluster of the
// program. Aliases can also name the pools (by their names in the program), the resource group and the provider.
// [pulumi.Protect] takes precedence over Unprotected.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing is registered then. The
// program's log warns of settings that are unwise or that this library does not know, and of steps that you must do in
// Azure. A password that is an output is checked when it is known, and fails the cluster if it is invalid.
func NewCluster(ctx *pulumi.Context, name string, args *ClusterArgs, opts ...pulumi.ResourceOption) (*Cluster, error) {
	if args == nil {
		args = &ClusterArgs{}
	}
	spec := args.asInAzure().withDefaults(name)
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
	if spec, err = spec.watched(ctx); err != nil {
		return nil, err
	}
	work := construction{clusterSpec: spec, ctx: ctx, cluster: c}
	after, err := work.build()
	if err != nil {
		return nil, err
	}
	c.ID = c.Cluster.ID()
	c.ClusterName = c.Cluster.Name
	work.setIdentities()
	c.Kubeconfig = kubeconfig(ctx, c.ResourceGroupName, c.Cluster.Name, spec.Login, pulumi.Parent(c))
	c.Provider, err = newProvider(ctx, name, c.Kubeconfig, c.ID,
		spec.options.For(providerType, name+"-kubernetes", pulumi.Parent(c), pulumi.DependsOn(after))...)
	if err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		// The states of earlier versions have id. Other languages cannot: to Pulumi, a component has no ID.
		"id":                  c.ID,
		"clusterID":           c.ID,
		"resourceGroupName":   c.ResourceGroupName,
		"clusterName":         c.ClusterName,
		"nodeResourceGroup":   c.NodeResourceGroup,
		"oidcIssuerURL":       c.OIDCIssuerURL,
		"identityPrincipalID": c.IdentityPrincipalID,
		"kubeletIdentity": pulumi.Map{
			"clientID":   c.KubeletIdentity.ClientID,
			"objectID":   c.KubeletIdentity.ObjectID,
			"resourceID": c.KubeletIdentity.ResourceID,
		},
		"kubeconfig": c.Kubeconfig,
		"topology":   stackoutput.Topology(c.Topology),
	})
}

// clusterSpec has the arguments with their defaults.
type clusterSpec struct {
	ClusterArgs

	name string
	// args are the arguments without defaults.
	args ClusterArgs
	// mayExist is true if the cluster may be in Azure, and has not been looked up yet.
	mayExist bool
	// entraID is the aadProfile that a cluster in Azure keeps; nil if it has none, or if the options set it.
	entraID  any
	topology topology.Defaulted
	// options are the options of the component and its children, and wrong the errors of the options.
	options childoptions.Options
	wrong   field.ErrorList
}

// asInAzure returns a copy of the arguments with versions as Azure writes them.
func (a ClusterArgs) asInAzure() ClusterArgs {
	a.KubernetesVersion, a.Pools = kubeversion.Unprefixed(a.KubernetesVersion), asInAzure(a.Pools...)
	return a
}

func (a ClusterArgs) withDefaults(name string) clusterSpec {
	s := clusterSpec{ClusterArgs: a, name: name, args: a}
	s.topology = topology.Topology{KubernetesVersion: a.KubernetesVersion, Pools: a.Pools}.WithDefaults()
	s.Pools = s.topology.Pools
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

// keepsPools reports whether the program has pools that keep their names in Azure. If so, the cluster may exist.
func (s clusterSpec) keepsPools() bool {
	for _, o := range s.PoolOptions {
		if o.NameInAzure != "" {
			return true
		}
	}
	return false
}

// registered returns the topology as the nodes register.
func (s clusterSpec) registered() topology.Topology {
	t := s.topology.Topology
	t.Cloud, t.Pools = topology.AKS, slices.Clone(t.Pools)
	for i := range t.Pools {
		pool := t.Pools[i]
		t.Pools[i] = plan.Registered(pool, s.PoolOptions[pool.Name].known(), s.Network.Mode)
	}
	t.MissingFeatures = plan.MissingFeatures(s.WindowsAdmin.GMSA.Enabled, s.Network.Policy)
	t.Partial = plan.Provisions(object(s.Options))
	return t
}

// resourceGroup returns the name of the configured group, or creates a group.
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
