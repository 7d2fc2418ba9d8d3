package workload

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// PodArgs are the arguments of [NewPod]. Those that are not explained here are
// as in [DeploymentArgs].
type PodArgs struct {
	// Platform is what the containers run on. It has no default.
	Platform platform.Platform

	// Metadata is the Pod's. Without a name, Pulumi makes one.
	Metadata metav1.ObjectMetaPtrInput

	// Spec is the ordinary spec of a Pod. Its fields may be outputs.
	Spec corev1.PodSpecArgs

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

// Pod is a Pod that runs on one platform. A [Deployment] or a [Job] is nearly always the
// better choice: nobody makes the Pod again when its node goes.
type Pod struct {
	pulumi.ResourceState

	// Pod is the Kubernetes resource.
	Pod *corev1.Pod
	// Name is the name of the Pod in Kubernetes.
	Name pulumi.StringPtrOutput
}

// NewPod makes a Pod that has everything that it needs to run on the platform, below
// spec. What it gets and which errors there are is said at [NewDeployment].
func NewPod(ctx *pulumi.Context, name string, args *PodArgs, opts ...pulumi.ResourceOption) (*Pod, error) {
	if args == nil {
		args = &PodArgs{}
	}
	c := newComponent("Pod", name, common{
		platform: args.Platform, metadata: args.Metadata, scheduling: args.Scheduling, topology: args.Topology,
		user: args.User, credentialSpec: args.CredentialSpec,
	})
	spec := c.pods(args.Spec, field.NewPath("spec"))
	if err := c.check(ctx, spec); err != nil {
		return nil, err
	}

	p := &Pod{}
	child, options, err := c.register(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	p.Pod, err = corev1.NewPod(ctx, child, &corev1.PodArgs{Metadata: args.Metadata, Spec: spec}, options...)
	if err != nil {
		return nil, err
	}
	p.Name = p.Pod.Metadata.Name()
	return p, ctx.RegisterResourceOutputs(p, pulumi.Map{"name": p.Name})
}
