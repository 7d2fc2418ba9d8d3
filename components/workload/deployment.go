package workload

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// DeploymentArgs are the arguments of [NewDeployment].
type DeploymentArgs struct {
	// Platform is what the containers run on: one of [topology.PoolPlatforms].
	// It has no default.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the Deployment's, as usual. Without a name, Pulumi makes one
	// from the resource's.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a Deployment. Its template and the
	// template's spec must be plain arguments; their fields may be outputs.
	Spec appsv1.DeploymentSpecArgs `pulumi:"spec"`

	// Scheduling is how the pods find their nodes: [ByRuntimeClass] by default.
	Scheduling Scheduling `pulumi:"scheduling,optional"`

	// Topology is optional. With it, it must be valid and have a pool of the
	// platform, and pods that are scheduled by selector tolerate the taints of
	// the platform's pools; without it, the default taint of a Windows pool. A preview says
	// where the pods can land.
	//
	// In Go, package guard can say it of the whole program instead.
	Topology topology.Topology `pulumi:"topology,optional"`

	// User is what containers on Windows run as. The default is the image's user. A
	// container may say another one itself.
	User User `pulumi:"user,optional"`

	// CredentialSpec is the group managed service account that the pods run as, on
	// Windows. Their service account is allowed to use it, by a RoleBinding in the
	// namespace of Metadata. Without one that is the namespace "default": a provider
	// with another default has to be told here too.
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

// NewDeployment makes a Deployment whose pods have everything that they need to
// run on the platform: spec.template.spec.os.name, and runtimeClassName or
// nodeSelector and tolerations, see [Scheduling]. What args.Spec has already
// is kept. Beside a runtimeClassName that is not the platform's own, or that is
// an output, the pods get nodeSelector and tolerations too: that class may
// select nothing, and the output may turn out to be nothing. To tolerations in an
// output, those that are needed are added, unless the same ones are there. Pods that
// name their node in nodeName get nothing: no scheduler places them. Linux pods that select
// Linux nodes themselves lack nothing, and get no os.name either.
//
// The error lists every field that contradicts the platform or another argument, with
// its path, value and fix: what contradicts the platform is a finding of package
// preflight, such as MK207 and MK208. Unless package guard checks the program, the
// error lists all other errors of package preflight too. Nothing is registered then.
//
// An output in os, runtimeClassName, nodeSelector, affinity or securityContext fails the
// Deployment with the same text as soon as it is known to contradict; a secret is shown
// as [secret]. Until the output is known, as in a preview, the field is recorded as
// unknown.
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
