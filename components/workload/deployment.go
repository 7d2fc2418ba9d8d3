package workload

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// DeploymentArgs are the arguments of [NewDeployment].
type DeploymentArgs struct {
	// Platform is what the containers run on: one of [topology.PoolPlatforms]. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the Deployment's, as usual. Without a name, Pulumi generates one from the resource's.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a Deployment. Its template and the
	// template's spec must be plain arguments; their fields may be outputs.
	Spec appsv1.DeploymentSpecArgs `pulumi:"spec"`

	// Scheduling is how the pods find their nodes: [ByRuntimeClass] by default.
	Scheduling Scheduling `pulumi:"scheduling,optional"`

	// Topology is optional. If set, it must be valid and have a pool of the platform, unless it is partial, and pods
	// that are scheduled by selector tolerate the taints of the platform's pools; otherwise they tolerate the default
	// taint of a Windows pool. A preview reports where the pods can land.
	//
	// In Go, package guard reports this for the whole program: that no pool of its topology runs the platform, and
	// where the pods can land.
	Topology topology.Topology `pulumi:"topology,optional"`

	// User is what containers on Windows run as. The default is the image's user. A container may set its own.
	User User `pulumi:"user,optional"`

	// CredentialSpec is the group managed service account that the pods run as, on Windows. Their service account is
	// allowed to use it, by a RoleBinding in the namespace of Metadata. The default is the namespace "default": if the
	// provider has another default, set it here too.
	CredentialSpec CredentialSpec `pulumi:"credentialSpec,optional"`
}

// Deployment is a Deployment whose pods run on one platform.
type Deployment struct {
	pulumi.ResourceState

	// Deployment is the Kubernetes resource.
	Deployment *appsv1.Deployment
	// Name is the name of the Deployment in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var deployments = kind[appsv1.DeploymentSpecArgs, appsv1.Deployment]{
	name: "Deployment", group: "apps/v1",
	plain: func(c *component, spec *appsv1.DeploymentSpecArgs) {
		spec.Template = c.template(spec.Template, templatePath)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[appsv1.DeploymentSpecArgs], opts ...pulumi.ResourceOption,
	) (*appsv1.Deployment, error) {
		return appsv1.NewDeployment(ctx, name, &appsv1.DeploymentArgs{Metadata: args.Metadata, Spec: args.Spec},
			opts...)
	},
}

// NewDeployment creates a Deployment whose pods have everything that they need to run on the platform:
// spec.template.spec.os.name, and runtimeClassName or nodeSelector and tolerations, see [Scheduling]. Fields that
// args.Spec sets stay. If runtimeClassName is not the platform's own, or is an output, the pods get nodeSelector and
// tolerations too: that class may select nothing, and the output may turn out to be empty. If tolerations are an
// output, the needed ones are added, unless the output contains them. Pods that name their node in nodeName get
// nothing: no scheduler places them. Linux pods that already select Linux nodes need nothing, and get no os.name
// either.
//
// The error lists every field that contradicts the platform or another argument, with its path, value and fix:
// contradictions to the platform are findings of package preflight, such as MK207 and MK208. Unless package guard
// checks the program, the error lists all other errors of package preflight too. Nothing is registered then.
//
// If the value of an output in os, runtimeClassName, nodeSelector, affinity or securityContext turns out to be a
// contradiction, the Deployment fails with the same text; a secret is shown as [secret]. Until the output is known, as
// in a preview, the field is recorded as unknown.
func NewDeployment(
	ctx *pulumi.Context, name string, args *DeploymentArgs, opts ...pulumi.ResourceOption,
) (*Deployment, error) {
	d := &Deployment{}
	child, err := deployments.register(ctx, d, name, (*arguments[appsv1.DeploymentSpecArgs])(args), opts)
	if err != nil {
		return nil, err
	}
	d.Deployment, d.Name = child, child.Metadata.Name()
	return d, ctx.RegisterResourceOutputs(d, pulumi.Map{"name": d.Name})
}
