package hostprocess

import (
	"cmp"
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

const (
	csiProxyToken = "mixedkube:hostprocess:CSIProxy"
	csiProxyName  = "csi-proxy"

	// DefaultCSIProxyImage is SIG Windows' image of the first release that does not let a
	// pod become administrator of its node (CVE-2023-3893).
	DefaultCSIProxyImage = facts.CSIProxyImage
)

// CSIProxyArgs are the arguments of [NewCSIProxy].
type CSIProxyArgs struct {
	// Namespace is the namespace of the DaemonSet: kube-system by default. It must allow
	// privileged pods. The name of a Namespace of the same program, its Metadata.Name(), can
	// be given: the DaemonSet then waits for it.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// Platforms are the releases of Windows Server on whose nodes the pods run, as in
	// [DaemonSetArgs]. The default is all Windows nodes.
	Platforms []platform.Platform `pulumi:"platforms,optional"`

	// Topology is the cluster's, as in [DaemonSetArgs]. It is optional.
	Topology topology.Topology `pulumi:"topology,optional"`

	// Image is [DefaultCSIProxyImage] by default.
	Image string `pulumi:"image,optional"`
}

// CSIProxy is CSI proxy on the Windows nodes of a cluster.
type CSIProxy struct {
	pulumi.ResourceState

	// DaemonSet is csi-proxy.
	DaemonSet *appsv1.DaemonSet
}

// NewCSIProxy runs CSI proxy on the Windows nodes
// (https://kubernetes-csi.github.io/docs/csi-proxy.html). It formats and mounts disks for
// CSI drivers, whose containers open its pipes, \\.\pipe\csi-proxy-<api>-<version>.
//
// A driver that is host-process itself does not need it, and most drivers are moving to that.
// On AKS the nodes have it already, as a service.
//
// The container has no limit of memory: the commands that it starts count, too.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then.
func NewCSIProxy(
	ctx *pulumi.Context, name string, args *CSIProxyArgs, opts ...pulumi.ResourceOption,
) (*CSIProxy, error) {
	if args == nil {
		args = &CSIProxyArgs{}
	}
	split, wrong := runs(csiProxyToken, name, daemonSetType, "-daemonset").Split(opts)
	set, err := DaemonSetArgs{
		Name: csiProxyName, Namespace: args.Namespace,
		Platforms: args.Platforms, Topology: args.Topology,
		// It partitions, formats and mounts disks of the node.
		User: System,
		Pods: corev1.PodSpecArgs{
			// It does not call the Kubernetes API.
			AutomountServiceAccountToken: pulumi.Bool(false),
			// Without it no pod of its node gets its volumes.
			PriorityClassName: pulumi.String(nodeCritical),
			Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name:  pulumi.String(csiProxyName),
				Image: pulumi.String(cmp.Or(args.Image, DefaultCSIProxyImage)),
			}},
		},
	}.build(ctx, fmt.Sprintf("%s %q", csiProxyToken, name),
		append(wrong, refusal.Image(args.Image, field.NewPath("image"))...))
	proxy := &CSIProxy{}
	held, err := refusal.Hold(ctx, proxy, err)
	if err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(csiProxyToken, name, proxy,
		append(split.Component, held...)...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, proxy, map[string]bool{
		"CSIProxyImage": args.Image == "",
	}); err != nil {
		return nil, err
	}
	proxy.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+"-daemonset", set, split.Main(pulumi.Parent(proxy))...)
	if err != nil {
		return nil, err
	}
	return proxy, ctx.RegisterResourceOutputs(proxy, pulumi.Map{})
}
