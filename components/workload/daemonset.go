package workload

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// DaemonSetArgs are the arguments of [NewDaemonSet]. See [DeploymentArgs] for those that are not explained here.
type DaemonSetArgs struct {
	// Platform is what the containers run on. It is required.
	Platform platform.Platform `pulumi:"platform"`

	// Metadata is the DaemonSet's. Without a name, Pulumi generates one.
	Metadata metav1.ObjectMetaPtrInput `pulumi:"metadata,optional"`

	// Spec is the ordinary spec of a DaemonSet. Its template and the template's spec must
	// be plain arguments; their fields may be outputs.
	Spec appsv1.DaemonSetSpecArgs `pulumi:"spec"`

	// Topology is the cluster's, if it is known.
	Topology topology.Topology `pulumi:"topology,optional"`

	// User is what containers on Windows run as. The default is the image's user.
	User User `pulumi:"user,optional"`

	// CredentialSpec is the group managed service account that the pods run as, on
	// Windows.
	CredentialSpec CredentialSpec `pulumi:"credentialSpec,optional"`
}

// DaemonSet is a DaemonSet whose pods run on the nodes of one platform.
type DaemonSet struct {
	pulumi.ResourceState

	// DaemonSet is the Kubernetes resource.
	DaemonSet *appsv1.DaemonSet
	// Name is the name of the DaemonSet in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

var daemonSets = kind[appsv1.DaemonSetSpecArgs, appsv1.DaemonSet]{
	name: "DaemonSet", group: "apps/v1",
	plain: func(c *component, spec *appsv1.DaemonSetSpecArgs) {
		spec.Template = c.template(spec.Template, templatePath)
	},
	child: func(
		ctx *pulumi.Context, name string, args arguments[appsv1.DaemonSetSpecArgs], opts ...pulumi.ResourceOption,
	) (*appsv1.DaemonSet, error) {
		return appsv1.NewDaemonSet(ctx, name, &appsv1.DaemonSetArgs{Metadata: args.Metadata, Spec: args.Spec}, opts...)
	},
}

// NewDaemonSet creates a DaemonSet whose pods have everything that they need to run on the platform. They always have
// node selector and tolerations of their own, and there is no [Scheduling] to choose: the DaemonSet controller picks
// the nodes by the template, and does not look at the scheduling of a RuntimeClass
// (https://github.com/kubernetes/kubernetes/issues/111590).
//
// They do not name the RuntimeClass of the platform: its handler, process isolation, is the default of containerd on
// Windows, so the class would add nothing, and a missing class would keep all pods from being created. A
// runtimeClassName in args.Spec stays.
//
// With a topology, the pods tolerate the taints that all pools of the platform share, and [topology.WindowsTaint]. A
// pool with an additional taint is reserved for others, until args.Spec tolerates it.
//
// [NewDeployment] explains the errors.
func NewDaemonSet(
	ctx *pulumi.Context, name string, args *DaemonSetArgs, opts ...pulumi.ResourceOption,
) (*DaemonSet, error) {
	if args == nil {
		args = &DaemonSetArgs{}
	}
	plain := &arguments[appsv1.DaemonSetSpecArgs]{
		Platform: args.Platform, Metadata: args.Metadata, Spec: args.Spec, Scheduling: BySelector,
		Topology: args.Topology,
		User:     args.User, CredentialSpec: args.CredentialSpec,
	}
	d := &DaemonSet{}
	child, err := daemonSets.register(ctx, d, name, plain, opts)
	if err != nil {
		return nil, err
	}
	d.DaemonSet, d.Name = child, child.Metadata.Name()
	return d, ctx.RegisterResourceOutputs(d, pulumi.Map{"name": d.Name})
}
