package workload

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// PodArgs are the arguments of [NewPod]. See [DeploymentArgs] for those that are not explained here.
type PodArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the Pod's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a Pod. Its fields may be outputs.
	Spec corev1.PodSpecArgs `pulumi:"spec"`

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

// Pod is a Pod that runs on one platform. A [Deployment] or a [Job] is nearly always the better choice: nothing
// recreates the Pod when its node is deleted.
type Pod struct {
	pulumi.ResourceState

	// Pod is the Kubernetes resource.
	Pod *corev1.Pod
	// Name is the name of the Pod in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var barePods = kind[corev1.PodSpecArgs, corev1.Pod]{
	name: "Pod", group: "core/v1",
	plain: func(c *component, spec *corev1.PodSpecArgs) {
		c.pods(*spec)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[corev1.PodSpecArgs], opts ...pulumi.ResourceOption,
	) (*corev1.Pod, error) {
		return corev1.NewPod(ctx, name, &corev1.PodArgs{Metadata: args.Metadata, Spec: args.Spec}, opts...)
	},
}

// NewPod creates a Pod that has everything that it needs to run on the platform, below spec. [NewDeployment] explains
// the added fields and the errors.
func NewPod(ctx *pulumi.Context, name string, args *PodArgs, opts ...pulumi.ResourceOption) (*Pod, error) {
	p := &Pod{}
	child, err := barePods.register(ctx, p, name, (*arguments[corev1.PodSpecArgs])(args), opts)
	if err != nil {
		return nil, err
	}
	p.Pod, p.Name = child, child.Metadata.Name()
	return p, ctx.RegisterResourceOutputs(p, pulumi.Map{"name": p.Name})
}
