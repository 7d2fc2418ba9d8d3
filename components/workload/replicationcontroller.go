package workload

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// ReplicationControllerArgs are the arguments of [NewReplicationController]. See [DeploymentArgs] for those that are
// not explained here.
type ReplicationControllerArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the ReplicationController's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a ReplicationController. Its template and the
	// template's spec must be plain arguments; their fields may be outputs.
	Spec corev1.ReplicationControllerSpecArgs `pulumi:"spec"`

	// Scheduling is how the pods find their nodes: [ByRuntimeClass] by default.
	Scheduling Scheduling `pulumi:"scheduling,optional"`

	// Topology is the cluster's, if it is known.
	Topology topology.Topology `pulumi:"topology,optional"`

	// User is what containers on Windows run as. The default is the image's user.
	User User `pulumi:"user,optional"`

	// CredentialSpec is the group managed service account that the pods run as, on
	// Windows.
	CredentialSpec CredentialSpec `pulumi:"credentialSpec,optional"`
}

// ReplicationController is a ReplicationController whose pods run on one platform. It is for existing programs that
// have one: its successors are [ReplicaSet] and [Deployment].
type ReplicationController struct {
	pulumi.ResourceState

	// ReplicationController is the Kubernetes resource.
	ReplicationController *corev1.ReplicationController
	// Name is the name of the ReplicationController in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var replicationControllers = kind[corev1.ReplicationControllerSpecArgs, corev1.ReplicationController]{
	name: "ReplicationController", group: "core/v1",
	plain: func(c *component, spec *corev1.ReplicationControllerSpecArgs) {
		spec.Template = c.template(spec.Template, templatePath)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[corev1.ReplicationControllerSpecArgs],
		opts ...pulumi.ResourceOption,
	) (*corev1.ReplicationController, error) {
		rc := &corev1.ReplicationControllerArgs{Metadata: args.Metadata, Spec: args.Spec}
		return corev1.NewReplicationController(ctx, name, rc, opts...)
	},
}

// NewReplicationController creates a ReplicationController whose pods have everything that they need to run on the
// platform. [NewDeployment] explains the added fields and the errors.
func NewReplicationController(
	ctx *pulumi.Context, name string, args *ReplicationControllerArgs, opts ...pulumi.ResourceOption,
) (*ReplicationController, error) {
	r := &ReplicationController{}
	plain := (*arguments[corev1.ReplicationControllerSpecArgs])(args)
	child, err := replicationControllers.register(ctx, r, name, plain, opts)
	if err != nil {
		return nil, err
	}
	r.ReplicationController, r.Name = child, child.Metadata.Name()
	return r, ctx.RegisterResourceOutputs(r, pulumi.Map{"name": r.Name})
}
