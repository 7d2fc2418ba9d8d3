package aks

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/provided"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

const existingToken = "mixedkube:aks:ExistingCluster"

// ExistingArgs are the arguments of [Existing].
//
// ResourceGroupName and ClusterName are plain, because the library looks the cluster up before it registers anything.
// Use GetOutputDetails to read a plain value from a stack reference. If they are outputs, because the same program
// creates the cluster, use the topology and the provider of the component that creates it, and [NewNodePool] for its
// pools.
type ExistingArgs struct {
	// ResourceGroupName is the group that the cluster is in.
	ResourceGroupName string `pulumi:"resourceGroupName"`

	// ClusterName is the cluster's name in Azure. The default is the name of the component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Pools are pools that the program has in the cluster, by the names of their components: the same
	// as pools of [ExistingCluster.NewNodePool], which also takes options. The default is none.
	Pools map[string]PoolArgs `pulumi:"pools,optional"`

	// Login configures how the provider and the kubeconfig sign in. By default they use az if the
	// cluster has Microsoft Entra ID, and a client certificate otherwise.
	Login Login `pulumi:"login,optional"`

	// Retry configures how long to retry requests that Azure refuses while it is busy with another
	// operation of the cluster.
	Retry Retry `pulumi:"retry,optional"`

	// Ignore are the IDs of rules whose findings must not stop the program, including findings about
	// the pools of the cluster.
	Ignore []string `pulumi:"ignore,optional"`
}

// ExistingCluster is a cluster that another program, another tool, or a person created. The program does not change it,
// but can have pools in it: see [ExistingArgs.Pools] and [ExistingCluster.NewNodePool].
type ExistingCluster struct {
	pulumi.ResourceState

	// Provider is the provider for Kubernetes resources of the cluster.
	Provider *kubernetes.Provider
	// Kubeconfig is the configuration for kubectl, with the rights of the user or application that
	// signs in with [ExistingArgs.Login]. It is a secret.
	Kubeconfig pulumi.StringOutput `pulumi:"kubeconfig" provider:"secret"`
	// KubernetesVersion is the version of the control plane, for example "1.35.4".
	KubernetesVersion string
	// Findings are the findings about the cluster that are also in the log, for example the reason why
	// it cannot have Windows pools. Findings of rules in [ExistingArgs.Ignore] are suppressed.
	Findings []rule.Finding
	// ID is the resource ID of the cluster.
	ID pulumi.IDOutput
	// ResourceGroupName is the name of the group that the cluster is in.
	ResourceGroupName pulumi.StringOutput `pulumi:"resourceGroupName"`
	// ClusterName is the cluster's name in Azure.
	ClusterName pulumi.StringOutput `pulumi:"clusterName"`
	// NodeResourceGroup is the resource group of the nodes.
	NodeResourceGroup pulumi.StringOutput `pulumi:"nodeResourceGroup"`
	// OIDCIssuerURL is the issuer of the tokens of service accounts; empty if there is none.
	OIDCIssuerURL pulumi.StringOutput `pulumi:"oidcIssuerURL"`
	// IdentityPrincipalID is the object ID of the identity that the cluster acts as; empty if it is a
	// service principal. The identity of the nodes is not here: azure-native returns it only for a
	// cluster that is a resource of the program.
	IdentityPrincipalID pulumi.StringOutput `pulumi:"identityPrincipalID"`

	args     ExistingArgs
	name     string
	owner    string
	split    childoptions.Options
	existing existing

	mutex sync.Mutex
	// declared are the pools of the program, by their names in Azure.
	declared map[string]topology.Pool
	// last are the pools that the next one has to wait for.
	last []pulumi.Resource
}

// Existing looks up a cluster that was created by other means, in a preview too. It registers a component with a
// provider, and the pools of the arguments. It registers nothing else that changes the cluster.
//
// Findings about the cluster are warnings in the program's log. The error lists everything that is wrong with the
// arguments, or reports that the cluster does not exist. Once the cluster has been looked up, the error lists
// everything that is wrong with the pools: no pool is registered then.
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
	findings = append(findings, support.CheckFacts(clock.Today(), refusal.NewFacts(ctx, plan.UsedFacts()))...)
	findings = append(findings, plan.CheckExisting(c.existing.InAzure, c.args.Login.known(), clock.Today())...)
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

// checkArgs checks the arguments before anything is looked up.
func (c *ExistingCluster) checkArgs(wrong field.ErrorList) ([]rule.Finding, error) {
	errs := slices.Concat(wrong, c.args.Retry.Validate(field.NewPath("retry")))
	if c.args.ResourceGroupName == "" {
		errs = append(errs, field.Required(field.NewPath("resourceGroupName"), "name the group that the cluster is in"))
	}
	return refusal.Sift(c.subject(), plan.Rules(), c.args.Ignore, plan.CheckClusterName(c.args.ClusterName), errs)
}

// find looks the cluster up, and fails if it does not exist.
func (c *ExistingCluster) find(ctx *pulumi.Context) (err error) {
	group := pulumi.String(c.args.ResourceGroupName).ToStringOutput()
	c.existing, err = lookUp(ctx, group, c.args.ClusterName, pulumi.Parent(c))
	switch {
	case err != nil:
		return err
	case c.existing.unknown && ctx.RunningWithMocks():
		return fmt.Errorf("clusterName: %q: %w", c.args.ClusterName,
			provided.Missing(ctx, "azure-native:containerservice:getManagedCluster", "name"))
	case c.existing.unknown:
		return fmt.Errorf("clusterName: %q: the cluster cannot be looked up in this preview, because the provider of "+
			"azure-native is not known yet: give its arguments plain values, or use NewNodePool of this package",
			c.args.ClusterName)
	case !c.existing.found:
		return fmt.Errorf("clusterName: Not found: %q: the resource group %q has no such cluster: to create one, use "+
			"NewCluster of this package", c.args.ClusterName, c.args.ResourceGroupName)
	}
	return nil
}

// connect creates the provider, the pools and the other outputs.
func (c *ExistingCluster) connect(ctx *pulumi.Context) (err error) {
	text := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	c.KubernetesVersion = c.existing.KubernetesVersion()
	c.ID = pulumi.ID(c.existing.id).ToIDOutput()
	c.ResourceGroupName, c.ClusterName = text(c.args.ResourceGroupName), text(c.args.ClusterName)
	c.NodeResourceGroup, c.OIDCIssuerURL = text(c.existing.NodeResourceGroup()), text(c.existing.OIDCIssuerURL())
	c.IdentityPrincipalID = text(c.existing.IdentityPrincipalID())
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
		"id":                  c.ID,
		"clusterID":           c.ID,
		"resourceGroupName":   c.ResourceGroupName,
		"clusterName":         c.ClusterName,
		"nodeResourceGroup":   c.NodeResourceGroup,
		"oidcIssuerURL":       c.OIDCIssuerURL,
		"identityPrincipalID": c.IdentityPrincipalID,
		"kubernetesVersion":   text(c.KubernetesVersion),
		"kubeconfig":          c.Kubeconfig,
	})
}

// Topology is the topology of the cluster: the pools in Azure and the pools that the program has added so far, as
// their nodes register, with the labels and taints that AKS adds. A pool that is only in Azure has its name in Azure.
// Each pool counts once, and a pool that is no longer in the program does not count: the tag mixedkube-pool-of names
// the program of a pool.
func (c *ExistingCluster) Topology() topology.Topology {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.existing.Topology(c.owner, maps.Clone(c.declared))
}
