package workload

import (
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

const deploymentToken = "mixedkube:workload:Deployment"

// DeploymentArgs are the arguments of [NewDeployment].
type DeploymentArgs struct {
	// Platform is what the containers run on: one of [topology.PoolPlatforms].
	// It has no default.
	Platform platform.Platform

	// Metadata is the Deployment's, as usual. Without a name, Pulumi makes one
	// from the resource's.
	Metadata metav1.ObjectMetaPtrInput

	// Spec is the ordinary spec of a Deployment. Its template and the
	// template's spec must be plain arguments; their fields may be outputs.
	Spec appsv1.DeploymentSpecArgs

	// Scheduling is how the pods find their nodes: [ByRuntimeClass] by default.
	Scheduling Scheduling

	// Topology is optional. With it, it must be valid and have a pool of the
	// platform, and pods that are scheduled by selector tolerate the taints of
	// the platform's pools; without it, the default taint of a Windows pool.
	Topology topology.Topology
}

func (a *DeploymentArgs) options() preflight.Options {
	return preflight.Options{Topology: a.Topology, Platform: a.Platform}
}

// Deployment is a Deployment whose pods run on one platform.
type Deployment struct {
	pulumi.ResourceState

	// Deployment is the Kubernetes resource.
	Deployment *appsv1.Deployment
	// Name is the name of the Deployment in Kubernetes.
	Name pulumi.StringPtrOutput
}

// NewDeployment makes a Deployment whose pods have everything that they need to
// run on the platform: spec.template.spec.os.name, and runtimeClassName or
// nodeSelector and tolerations, see [Scheduling]. What args.Spec has already
// is kept. Beside a runtimeClassName that is not the platform's own, or that is
// an output, the pods get nodeSelector and tolerations too: that class may
// select nothing.
//
// The error lists all fields that contradict the platform and, unless package guard
// checks the program, all errors of package preflight, with their paths; nothing is
// registered then. A contradiction in an output fails the
// Deployment as soon as the output is known; until then, as in a preview, the
// field is recorded as unknown.
func NewDeployment(ctx *pulumi.Context, name string, args *DeploymentArgs, opts ...pulumi.ResourceOption) (*Deployment, error) {
	if args == nil {
		args = &DeploymentArgs{}
	}
	subject := fmt.Sprintf("%s %q", deploymentToken, name)
	spec, path := args.Spec, field.NewPath("spec", "template")
	template, pods, errs := plainTemplate(spec.Template, path)
	needs, needErrs := require(args.Platform, args.Scheduling, args.Topology)
	var refused []fielderrors.At
	if errs = append(errs, needErrs...); len(errs) == 0 {
		errs = completion{subject, args.Platform, needs}.complete(&pods, path.Child("spec"))
		template.Spec = pods
		spec.Template = template
		refused = refuse(ctx, args.options(), "Deployment", args.Metadata, spec, errs)
	}
	if err := fielderrors.Join(subject, errs, refused...); err != nil {
		return nil, err
	}

	d := &Deployment{}
	if err := ctx.RegisterComponentResource(deploymentToken, name, d, opts...); err != nil {
		return nil, err
	}
	deployment, err := appsv1.NewDeployment(ctx, name+"-deployment", &appsv1.DeploymentArgs{
		Metadata: args.Metadata,
		Spec:     spec,
	}, pulumi.Parent(d))
	if err != nil {
		return nil, err
	}
	d.Deployment = deployment
	d.Name = deployment.Metadata.Name()
	return d, ctx.RegisterResourceOutputs(d, pulumi.Map{"name": d.Name})
}
