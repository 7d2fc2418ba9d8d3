package aks

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

const nodePoolToken = "mixedkube:aks:NodePool"

// NodePool is a pool of a cluster that was made elsewhere.
type NodePool struct {
	pulumi.ResourceState

	// AgentPool is the resource of the pool.
	AgentPool *containerservice.AgentPool
	// Pool is the pool as its nodes register: with the labels and taints that AKS
	// adds.
	Pool topology.Pool
	// ID is the resource ID of the pool.
	ID pulumi.IDOutput
	// Name is the pool's name in Azure.
	Name pulumi.StringOutput
}

// NewNodePool makes a pool in a cluster that was made elsewhere. See the package's
// documentation for what later changes do.
//
// The options that are about one resource, such as [pulumi.IgnoreChanges], [pulumi.Timeouts] and
// [pulumi.Import], are for azure-native's resource of the pool, and so is an alias of its type.
//
// The error lists everything that is wrong with the arguments, with field paths;
// nothing is registered then. What is unwise, or not known to this library, is a
// warning of the program's log.
func NewNodePool(
	ctx *pulumi.Context, name string, args *NodePoolArgs, opts ...pulumi.ResourceOption,
) (*NodePool, error) {
	if args == nil {
		args = &NodePoolArgs{}
	}
	spec := *args
	spec.KubernetesVersion = strings.TrimPrefix(args.KubernetesVersion, "v")
	spec.Pool = args.Pool.WithDefaults(spec.KubernetesVersion)
	spec.Pool.KubernetesVersion = strings.TrimPrefix(spec.Pool.KubernetesVersion, "v")

	split, errs := spec.reached(name).Split(opts)
	if _, ok := kubeversion.Parse(spec.KubernetesVersion); !ok && spec.KubernetesVersion != "" {
		errs = append(errs, field.Invalid(field.NewPath("kubernetesVersion"), args.KubernetesVersion,
			"not a Kubernetes version: write 1.36 or 1.36.3"))
	}
	for path, in := range map[string]pulumi.StringInput{
		"resourceGroupName": spec.ResourceGroupName,
		"clusterName":       spec.ClusterName,
	} {
		if in == nil {
			errs = append(errs, field.Required(field.NewPath(path), "say which cluster the pool is for"))
		}
	}
	errs = append(errs, spec.Pool.Validate(spec.KubernetesVersion, field.NewPath("pool"))...)
	errs = append(errs, spec.plainOptions(nil)...)
	errs = append(errs, spec.Retry.Validate(field.NewPath("retry"))...)
	found := plan.CheckPool(plan.Pool{
		KubernetesVersion: spec.KubernetesVersion,
		Pool:              spec.Pool,
		Network:           spec.Network.known(),
		Options:           spec.known(),
	})
	findings, err := refusal.Sift(fmt.Sprintf("%s %q", nodePoolToken, name), plan.Rules(), spec.Ignore, found, errs)
	if err != nil {
		return nil, err
	}

	p := &NodePool{Pool: plan.Registered(spec.Pool, spec.known().Options, spec.Network.Mode)}
	if err := ctx.RegisterComponentResource(nodePoolToken, name, p, split.Component...); err != nil {
		return nil, err
	}
	if err := refusal.Log(ctx, p, findings); err != nil {
		return nil, err
	}
	desired := agentPool(spec.Pool, spec.PoolOptions, spec.Network, spec.Tags)
	desired.ResourceGroupName, desired.ResourceName = spec.ResourceGroupName, spec.ClusterName
	busy, err := newRetries(ctx, p, spec.Retry)
	if err != nil {
		return nil, err
	}
	p.AgentPool, err = newAgentPool(ctx, name+"-"+spec.nameInAzure(spec.Pool), spec.Pool, desired,
		split.Main(pulumi.Parent(p), busy.retried())...)
	if err != nil {
		return nil, err
	}
	p.ID = p.AgentPool.ID()
	p.Name = p.AgentPool.Name
	return p, ctx.RegisterResourceOutputs(p, pulumi.Map{"id": p.ID, "name": p.Name})
}
