package workload

import (
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// CronJobArgs are the arguments of [NewCronJob]. See [DeploymentArgs] for those that are not explained here.
type CronJobArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the CronJob's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a CronJob. The template of its Jobs, that template's spec and the template and spec
	// of the pods in it must be plain arguments; their fields may be outputs. The restartPolicy of the pods must be
	// Never or OnFailure: the API server accepts no other for a Job.
	Spec batchv1.CronJobSpecArgs `pulumi:"spec"`

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

// CronJob is a CronJob whose pods run on one platform.
type CronJob struct {
	pulumi.ResourceState

	// CronJob is the Kubernetes resource.
	CronJob *batchv1.CronJob
	// Name is the name of the CronJob in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var cronJobs = kind[batchv1.CronJobSpecArgs, batchv1.CronJob]{
	name: "CronJob", group: "batch/v1",
	plain: func(c *component, spec *batchv1.CronJobSpecArgs) {
		spec.JobTemplate = c.jobTemplate(spec.JobTemplate, field.NewPath("spec", "jobTemplate"))
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[batchv1.CronJobSpecArgs], opts ...pulumi.ResourceOption,
	) (*batchv1.CronJob, error) {
		return batchv1.NewCronJob(ctx, name, &batchv1.CronJobArgs{Metadata: args.Metadata, Spec: args.Spec}, opts...)
	},
}

// NewCronJob creates a CronJob whose pods have everything that they need to run on the platform, below
// spec.jobTemplate.spec.template.spec. [NewDeployment] explains the added fields and the errors.
func NewCronJob(ctx *pulumi.Context, name string, args *CronJobArgs, opts ...pulumi.ResourceOption) (*CronJob, error) {
	j := &CronJob{}
	child, err := cronJobs.register(ctx, j, name, (*arguments[batchv1.CronJobSpecArgs])(args), opts)
	if err != nil {
		return nil, err
	}
	j.CronJob, j.Name = child, child.Metadata.Name()
	return j, ctx.RegisterResourceOutputs(j, pulumi.Map{"name": j.Name})
}
