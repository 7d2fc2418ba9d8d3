package workload

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// ReplicaSetArgs are the arguments of [NewReplicaSet]. See [DeploymentArgs] for those that are not explained here.
type ReplicaSetArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the ReplicaSet's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a ReplicaSet. Its template and the template's spec
	// must be plain arguments; their fields may be outputs.
	Spec appsv1.ReplicaSetSpecArgs `pulumi:"spec"`

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

// ReplicaSet is a ReplicaSet whose pods run on one platform. A [Deployment] is nearly
// always the better choice: it replaces pods when their template changes.
type ReplicaSet struct {
	pulumi.ResourceState

	// ReplicaSet is the Kubernetes resource.
	ReplicaSet *appsv1.ReplicaSet
	// Name is the name of the ReplicaSet in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var replicaSets = kind[appsv1.ReplicaSetSpecArgs, appsv1.ReplicaSet]{
	name: "ReplicaSet", group: "apps/v1",
	plain: func(c *component, spec *appsv1.ReplicaSetSpecArgs) {
		spec.Template = c.template(spec.Template, templatePath)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[appsv1.ReplicaSetSpecArgs], opts ...pulumi.ResourceOption,
	) (*appsv1.ReplicaSet, error) {
		return appsv1.NewReplicaSet(ctx, name, &appsv1.ReplicaSetArgs{Metadata: args.Metadata, Spec: args.Spec},
			opts...)
	},
}

// NewReplicaSet creates a ReplicaSet whose pods have everything that they need to run on the platform. [NewDeployment]
// explains the added fields and the errors.
func NewReplicaSet(
	ctx *pulumi.Context, name string, args *ReplicaSetArgs, opts ...pulumi.ResourceOption,
) (*ReplicaSet, error) {
	r := &ReplicaSet{}
	child, err := replicaSets.register(ctx, r, name, (*arguments[appsv1.ReplicaSetSpecArgs])(args), opts)
	if err != nil {
		return nil, err
	}
	r.ReplicaSet, r.Name = child, child.Metadata.Name()
	return r, ctx.RegisterResourceOutputs(r, pulumi.Map{"name": r.Name})
}
