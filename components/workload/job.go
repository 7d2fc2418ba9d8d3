package workload

import (
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// JobArgs are the arguments of [NewJob]. See [DeploymentArgs] for those that are not explained here.
type JobArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the Job's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a Job. Its template and the template's spec must be plain arguments; their fields
	// may be outputs. The restartPolicy of the pods must be Never or OnFailure: the API server accepts no other for a
	// Job.
	Spec batchv1.JobSpecArgs `pulumi:"spec"`

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

// Job is a Job whose pods run on one platform.
type Job struct {
	pulumi.ResourceState

	// Job is the Kubernetes resource.
	Job *batchv1.Job
	// Name is the name of the Job in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var jobs = kind[batchv1.JobSpecArgs, batchv1.Job]{
	name: "Job", group: "batch/v1",
	plain: func(c *component, spec *batchv1.JobSpecArgs) {
		spec.Template = c.template(spec.Template, templatePath)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[batchv1.JobSpecArgs], opts ...pulumi.ResourceOption,
	) (*batchv1.Job, error) {
		return batchv1.NewJob(ctx, name, &batchv1.JobArgs{Metadata: args.Metadata, Spec: args.Spec}, opts...)
	},
}

// NewJob creates a Job whose pods have everything that they need to run on the platform. [NewDeployment] explains the
// added fields and the errors.
func NewJob(ctx *pulumi.Context, name string, args *JobArgs, opts ...pulumi.ResourceOption) (*Job, error) {
	j := &Job{}
	child, err := jobs.register(ctx, j, name, (*arguments[batchv1.JobSpecArgs])(args), opts)
	if err != nil {
		return nil, err
	}
	j.Job, j.Name = child, child.Metadata.Name()
	return j, ctx.RegisterResourceOutputs(j, pulumi.Map{"name": j.Name})
}
