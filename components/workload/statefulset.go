package workload

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// StatefulSetArgs are the arguments of [NewStatefulSet]. See [DeploymentArgs] for those that are not explained here.
type StatefulSetArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the StatefulSet's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a StatefulSet. Its template and the template's spec
	// must be plain arguments; their fields may be outputs.
	Spec appsv1.StatefulSetSpecArgs `pulumi:"spec"`

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

// StatefulSet is a StatefulSet whose pods run on one platform.
type StatefulSet struct {
	pulumi.ResourceState

	// StatefulSet is the Kubernetes resource.
	StatefulSet *appsv1.StatefulSet
	// Name is the name of the StatefulSet in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var statefulSets = kind[appsv1.StatefulSetSpecArgs, appsv1.StatefulSet]{
	name: "StatefulSet", group: "apps/v1",
	plain: func(c *component, spec *appsv1.StatefulSetSpecArgs) {
		spec.Template = c.template(spec.Template, templatePath)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[appsv1.StatefulSetSpecArgs], opts ...pulumi.ResourceOption,
	) (*appsv1.StatefulSet, error) {
		return appsv1.NewStatefulSet(ctx, name, &appsv1.StatefulSetArgs{Metadata: args.Metadata, Spec: args.Spec},
			opts...)
	},
}

// NewStatefulSet creates a StatefulSet whose pods have everything that they need to run on the platform.
// [NewDeployment] explains the added fields and the errors.
func NewStatefulSet(
	ctx *pulumi.Context, name string, args *StatefulSetArgs, opts ...pulumi.ResourceOption,
) (*StatefulSet, error) {
	s := &StatefulSet{}
	child, err := statefulSets.register(ctx, s, name, (*arguments[appsv1.StatefulSetSpecArgs])(args), opts)
	if err != nil {
		return nil, err
	}
	s.StatefulSet, s.Name = child, child.Metadata.Name()
	return s, ctx.RegisterResourceOutputs(s, pulumi.Map{"name": s.Name})
}
