package workload

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// ReplicationControllerArgs are the arguments of [NewReplicationController]. Those that are not explained here are
// as in [DeploymentArgs].
type ReplicationControllerArgs struct {
	// Platform is what the containers run on. It has no default.
	Platform platform.Platform

	// Metadata is the ReplicationController's. Without a name, Pulumi makes one.
	Metadata metav1.ObjectMetaPtrInput

	// Spec is the ordinary spec of a ReplicationController. Its template and the
	// template's spec must be plain arguments; their fields may be outputs.
	Spec corev1.ReplicationControllerSpecArgs

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

// ReplicationController is a ReplicationController whose pods run on one platform. It is
// for programs that have one already: its successors are [ReplicaSet] and [Deployment].
type ReplicationController struct {
	pulumi.ResourceState

	// ReplicationController is the Kubernetes resource.
	ReplicationController *corev1.ReplicationController
	// Name is the name of the ReplicationController in Kubernetes.
	Name pulumi.StringPtrOutput
}

// NewReplicationController makes a ReplicationController whose pods have everything that
// they need to run on the platform. What they get and which errors there are is said at
// [NewDeployment].
func NewReplicationController(ctx *pulumi.Context, name string, args *ReplicationControllerArgs, opts ...pulumi.ResourceOption) (*ReplicationController, error) {
	if args == nil {
		args = &ReplicationControllerArgs{}
	}
	c := newComponent("ReplicationController", name, common{
		platform: args.Platform, metadata: args.Metadata, scheduling: args.Scheduling, topology: args.Topology,
		user: args.User, credentialSpec: args.CredentialSpec,
	})
	spec := args.Spec
	spec.Template = c.template(spec.Template, templatePath)
	if err := c.check(ctx, spec); err != nil {
		return nil, err
	}

	r := &ReplicationController{}
	child, options, err := c.register(ctx, r, opts)
	if err != nil {
		return nil, err
	}
	r.ReplicationController, err = corev1.NewReplicationController(ctx, child, &corev1.ReplicationControllerArgs{Metadata: args.Metadata, Spec: spec}, options...)
	if err != nil {
		return nil, err
	}
	r.Name = r.ReplicationController.Metadata.Name()
	return r, ctx.RegisterResourceOutputs(r, pulumi.Map{"name": r.Name})
}
