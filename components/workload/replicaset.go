package workload

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// ReplicaSetArgs are the arguments of [NewReplicaSet]. Those that are not explained here are
// as in [DeploymentArgs].
type ReplicaSetArgs struct {
	// Platform is what the containers run on. It has no default.
	Platform platform.Platform

	// Metadata is the ReplicaSet's. Without a name, Pulumi makes one.
	Metadata metav1.ObjectMetaPtrInput

	// Spec is the ordinary spec of a ReplicaSet. Its template and the template's spec
	// must be plain arguments; their fields may be outputs.
	Spec appsv1.ReplicaSetSpecArgs

	// Scheduling is how the pods find their nodes: [ByRuntimeClass] by default.
	Scheduling Scheduling

	// Topology is the cluster's, where it is known.
	Topology topology.Topology

	// User is what containers on Windows run as. The default is the image's user.
	User User

	// CredentialSpec is the group managed service account that the pods run as, on
	// Windows.
	CredentialSpec CredentialSpec
}

// ReplicaSet is a ReplicaSet whose pods run on one platform. A [Deployment] is nearly
// always the better choice: it replaces pods when their template changes.
type ReplicaSet struct {
	pulumi.ResourceState

	// ReplicaSet is the Kubernetes resource.
	ReplicaSet *appsv1.ReplicaSet
	// Name is the name of the ReplicaSet in Kubernetes.
	Name pulumi.StringPtrOutput
}

// NewReplicaSet makes a ReplicaSet whose pods have everything that they need to run on
// the platform. What they get and which errors there are is said at [NewDeployment].
func NewReplicaSet(ctx *pulumi.Context, name string, args *ReplicaSetArgs, opts ...pulumi.ResourceOption) (*ReplicaSet, error) {
	if args == nil {
		args = &ReplicaSetArgs{}
	}
	c := newComponent("ReplicaSet", name, common{
		platform: args.Platform, metadata: args.Metadata, scheduling: args.Scheduling, topology: args.Topology,
		user: args.User, credentialSpec: args.CredentialSpec,
	})
	spec := args.Spec
	spec.Template = c.template(spec.Template, templatePath)
	if err := c.check(ctx, spec); err != nil {
		return nil, err
	}

	r := &ReplicaSet{}
	child, options, err := c.register(ctx, r, opts)
	if err != nil {
		return nil, err
	}
	r.ReplicaSet, err = appsv1.NewReplicaSet(ctx, child, &appsv1.ReplicaSetArgs{Metadata: args.Metadata, Spec: spec}, options...)
	if err != nil {
		return nil, err
	}
	r.Name = r.ReplicaSet.Metadata.Name()
	return r, ctx.RegisterResourceOutputs(r, pulumi.Map{"name": r.Name})
}
