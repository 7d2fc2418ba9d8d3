package aks

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/internal/childoptions"
	"github.com/mixedkube/mixedkube/components/internal/provided"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

const existingToken = "mixedkube:aks:ExistingCluster"

// ExistingArgs are the arguments of [Existing].
//
// ResourceGroupName and ClusterName are plain, as the library decides on what it finds there, before
// anything is registered. Of a stack reference, GetOutputDetails has a plain value. Where only an
// output has them, because the same program makes the cluster, take the topology and the provider of
// what makes it, and [NewNodePool] for its pools.
type ExistingArgs struct {
	// ResourceGroupName is the group that the cluster is in.
	ResourceGroupName string `pulumi:"resourceGroupName"`

	// ClusterName is the cluster's name in Azure. The default is the name of the component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Pools are pools that the program has in the cluster, by the names of their components: the same
	// as pools of [ExistingCluster.NewNodePool], which takes options as well. The default is none.
	Pools map[string]PoolArgs `pulumi:"pools,optional"`

	// Login says how the provider and the kubeconfig sign in. By default they do with az where the
	// cluster has Microsoft Entra ID, and else with a client certificate.
	Login Login `pulumi:"login,optional"`

	// Retry says how long to retry what Azure refuses while it is busy with another operation
	// of the cluster: see the package's documentation.
	Retry Retry `pulumi:"retry,optional"`

	// Ignore are the IDs of rules whose findings shall not stop the program, for the pools of the
	// cluster too.
	Ignore []string `pulumi:"ignore,optional"`
}

// ExistingCluster is a cluster that was made elsewhere: by another program, another tool, or by hand.
// The program does not change it, and can have pools in it: see [ExistingArgs.Pools] and
// [ExistingCluster.NewNodePool].
type ExistingCluster struct {
	pulumi.ResourceState

	// Provider is the cluster as a provider of Kubernetes resources.
	Provider *kubernetes.Provider
	// Kubeconfig is the configuration for kubectl, with the rights of who signs in as
	// [ExistingArgs.Login] says. It is a secret.
	Kubeconfig pulumi.StringOutput `pulumi:"kubeconfig" provider:"secret"`
	// KubernetesVersion is the version of the control plane, "1.35.4" for example.
	KubernetesVersion string
	// Findings are what is worth knowing about the cluster, as the log has it: what keeps Windows
	// pools out, for example. Those that [ExistingArgs.Ignore] names are silenced.
	Findings []rule.Finding
	// ID is the resource ID of the cluster.
	ID pulumi.IDOutput
	// ResourceGroupName is the name of the group that the cluster is in.
	ResourceGroupName pulumi.StringOutput `pulumi:"resourceGroupName"`
	// ClusterName is the cluster's name in Azure.
	ClusterName pulumi.StringOutput `pulumi:"clusterName"`
	// NodeResourceGroup is the group in which Azure keeps the nodes.
	NodeResourceGroup pulumi.StringOutput `pulumi:"nodeResourceGroup"`
	// OIDCIssuerURL is the issuer of the tokens of service accounts; empty if there is none.
	OIDCIssuerURL pulumi.StringOutput `pulumi:"oidcIssuerURL"`

	args  ExistingArgs
	name  string
	owner string
	split childoptions.Options
	there existing

	mutex sync.Mutex
	// declared are the pools of the program, by their names in Azure.
	declared map[string]topology.Pool
	// last are pools that the next one has to wait for.
	last []pulumi.Resource
}

// Existing looks up a cluster that was made elsewhere, in a preview too. It registers a component with
// a provider, and nothing that changes the cluster but the pools of the arguments.
//
// What there is to know of the cluster is a warning of the program's log. The error is for arguments
// that are wrong, all at once, and for a cluster that does not exist. What is wrong with the pools
// is all at once as well, when the cluster has been looked up: no pool is registered then.
func Existing(
	ctx *pulumi.Context, name string, args *ExistingArgs, opts ...pulumi.ResourceOption,
) (*ExistingCluster, error) {
	if args == nil {
		args = &ExistingArgs{}
	}
	c := &ExistingCluster{
		args: *args, name: name, declared: map[string]topology.Pool{},
		owner: fmt.Sprintf("%s/%s/%s/%s", ctx.Organization(), ctx.Project(), ctx.Stack(), name),
	}
	if c.args.ClusterName == "" {
		c.args.ClusterName = name
	}
	var wrong field.ErrorList
	c.split, wrong = c.reached().Split(opts)
	findings, err := c.checkArgs(wrong)
	if err != nil {
		return nil, err
	}
	if err := ctx.RegisterComponentResource(existingToken, name, c, c.split.Component...); err != nil {
		return nil, err
	}
	if err := c.find(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", c.subject(), err)
	}
	findings = append(findings, plan.CheckExisting(c.there.InAzure, c.args.Login.known(), today())...)
	c.Findings, err = refusal.Sift(c.subject(), plan.Rules(), c.args.Ignore, findings, nil)
	if err != nil {
		return nil, err
	}
	if err := refusal.Log(ctx, c, c.Findings); err != nil {
		return nil, err
	}
	return c, c.connect(ctx)
}

func (c *ExistingCluster) subject() string { return fmt.Sprintf("%s %q", existingToken, c.name) }

// checkArgs returns what is wrong with the arguments, before anything is looked up.
func (c *ExistingCluster) checkArgs(wrong field.ErrorList) ([]rule.Finding, error) {
	errs := slices.Concat(wrong, c.args.Retry.Validate(field.NewPath("retry")))
	if c.args.ResourceGroupName == "" {
		errs = append(errs, field.Required(field.NewPath("resourceGroupName"), "say which group the cluster is in"))
	}
	return refusal.Sift(c.subject(), plan.Rules(), c.args.Ignore, plan.CheckClusterName(c.args.ClusterName), errs)
}

// find looks the cluster up, which has to be there.
func (c *ExistingCluster) find(ctx *pulumi.Context) (err error) {
	group := pulumi.String(c.args.ResourceGroupName).ToStringOutput()
	c.there, err = lookUp(ctx, group, c.args.ClusterName, pulumi.Parent(c))
	switch {
	case err != nil:
		return err
	case c.there.unknown && ctx.RunningWithMocks():
		return fmt.Errorf("clusterName: %q: %w", c.args.ClusterName,
			provided.Missing(ctx, "azure-native:containerservice:getManagedCluster", "name"))
	case c.there.unknown:
		return fmt.Errorf("clusterName: %q: Azure cannot be asked in this preview, as the provider of azure-native "+
			"is not known yet: give its arguments plain values, or use NewNodePool of this package",
			c.args.ClusterName)
	case !c.there.found:
		return fmt.Errorf("clusterName: Not found: %q: the resource group %q has no such cluster: NewCluster of this "+
			"package makes one", c.args.ClusterName, c.args.ResourceGroupName)
	}
	return nil
}

// connect makes the provider, the pools and the other outputs.
func (c *ExistingCluster) connect(ctx *pulumi.Context) (err error) {
	text := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	c.KubernetesVersion = c.there.KubernetesVersion()
	c.ID = pulumi.ID(c.there.id).ToIDOutput()
	c.ResourceGroupName, c.ClusterName = text(c.args.ResourceGroupName), text(c.args.ClusterName)
	c.NodeResourceGroup, c.OIDCIssuerURL = text(c.there.NodeResourceGroup()), text(c.there.OIDCIssuerURL())
	c.Kubeconfig = kubeconfig(ctx, c.ResourceGroupName, c.ClusterName, c.args.Login, pulumi.Parent(c))
	c.Provider, err = newProvider(ctx, c.name, c.Kubeconfig, c.ID,
		c.split.For(providerType, c.name+"-kubernetes", pulumi.Parent(c))...)
	if err != nil {
		return err
	}
	if err := c.newPools(ctx); err != nil {
		return err
	}
	return ctx.RegisterResourceOutputs(c, pulumi.Map{
		"id":                c.ID,
		"resourceGroupName": c.ResourceGroupName,
		"clusterName":       c.ClusterName,
		"nodeResourceGroup": c.NodeResourceGroup,
		"oidcIssuerURL":     c.OIDCIssuerURL,
		"kubernetesVersion": text(c.KubernetesVersion),
		"kubeconfig":        c.Kubeconfig,
	})
}

// Topology is the cluster's, from its pools in Azure and those that the program has in it until now,
// as their nodes register: with the labels and taints that AKS adds. A pool of Azure's has its name
// there. Each counts once, and one that has left the program counts no longer: a tag,
// mixedkube-pool-of, says which program a pool is of.
func (c *ExistingCluster) Topology() topology.Topology {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.there.Topology(c.owner, maps.Clone(c.declared))
}
