package hostprocess

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/advice"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	daemonSetToken = "mixedkube:hostprocess:DaemonSet"
	// childSuffix is appended to the name of the component for its Kubernetes resource.
	childSuffix = "-daemonset"
)

// DaemonSetArgs are the arguments of [NewDaemonSet].
type DaemonSetArgs struct {
	// Name is the name of the DaemonSet, and the label app.kubernetes.io/name of its pods:
	// a DNS label. The default is the name of the component.
	Name string `pulumi:"name,optional"`

	// Namespace is the namespace of the DaemonSet: kube-system by default. Pod Security
	// Standards must allow privileged pods in it, as all others forbid host process. The name
	// of a Namespace of the same program, its Metadata.Name(), can be given: the DaemonSet then
	// waits for it.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// Annotations are the annotations of the DaemonSet itself. [preflight.IgnoreAnnotation]
	// ignores rules.
	Annotations pulumi.StringMapInput `pulumi:"annotations,optional"`

	// User is the account of the containers on the node. Choose the one with the fewest rights:
	// [LocalService] for a program that only reads, [System] for one that changes the node.
	// Required, unless the pods set securityContext.windowsOptions.runAsUserName. Users of
	// container images do not exist on the node, and other accounts of a domain have no
	// password here to log on with.
	User User `pulumi:"user,optional"`

	// Platforms are the releases of Windows Server on whose nodes the pods run. The
	// default is all Windows nodes.
	Platforms []platform.Platform `pulumi:"platforms,optional"`

	// Topology is optional. If set, it must be valid and have a pool for each of Platforms, unless
	// it is partial, and the pods tolerate each taint of each of these Windows pools; otherwise
	// they tolerate the default taint of a Windows pool. A preview reports where the pods can land.
	// In Go, package guard reports all of this for the whole program.
	Topology topology.Topology `pulumi:"topology,optional"`

	// Pods are the ordinary spec of the pods: containers, init containers, volumes. The fields
	// that host process needs are added. The fields of securityContext and nodeSelector that
	// the component decides on must be plain. A runAsUserName that is plain is checked as User.
	Pods corev1.PodSpecArgs `pulumi:"pods"`
}

// DaemonSet is a program of the Windows nodes themselves.
type DaemonSet struct {
	pulumi.ResourceState

	// DaemonSet is the Kubernetes resource.
	DaemonSet *appsv1.DaemonSet
	// Name is the name of the DaemonSet in Kubernetes.
	Name pulumi.StringPtrOutput `pulumi:"name"`
}

// NewDaemonSet creates a DaemonSet of host-process containers: programs of the Windows
// nodes themselves, with what those need to be accepted and to land there
// (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/):
// hostNetwork, windowsOptions.hostProcess and runAsUserName, os.name, node selector and
// tolerations. Existing fields of the pods are kept. All containers of the pods are
// host-process containers, as Kubernetes demands.
//
// [Containerd.Path] is where the containers find their mounts. They also see all files of the
// node, and named pipes at their own path, without a mount.
//
// The error lists all fields that contradict this and, unless package guard checks the
// program, all errors of package preflight, with their paths; nothing is registered then.
func NewDaemonSet(
	ctx *pulumi.Context, name string, args *DaemonSetArgs, opts ...pulumi.ResourceOption,
) (*DaemonSet, error) {
	if args == nil {
		args = &DaemonSetArgs{}
	}
	completed := *args
	completed.Name = cmp.Or(args.Name, name)
	split, wrong := runs(daemonSetToken, name, daemonSetType, childSuffix).Split(opts)
	d := &DaemonSet{}
	plan, err := completed.plan(ctx, fmt.Sprintf("%s %q", daemonSetToken, name), wrong)
	held, err := refusal.Hold(ctx, d, err)
	if err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(daemonSetToken, name, d, append(split.Component, held...)...); err != nil {
		return nil, err
	}
	for i, p := range args.Platforms {
		path := field.NewPath("platforms").Index(i)
		if err := advice.LogWithoutPool(ctx, d, args.Topology, p, path); err != nil {
			return nil, err
		}
	}
	landing := advice.Landing(ctx, plan.checker, plan.completed, name+childSuffix)
	if err := advice.LogLanding(ctx, d, landing); err != nil {
		return nil, err
	}
	d.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+childSuffix, plan.set, split.Main(pulumi.Parent(d))...)
	if err != nil {
		return nil, err
	}
	d.Name = d.DaemonSet.Metadata.Name()
	return d, ctx.RegisterResourceOutputs(d, pulumi.Map{"name": d.Name})
}

const chooseUser = "set the Windows account that the containers run as, the least privileged one that works: " +
	`NT AUTHORITY\Local service, NT AUTHORITY\SYSTEM where they change the node, or the name of a local group`

// build returns the resource, or everything that is wrong, known errors of the caller included.
func (a DaemonSetArgs) build(ctx *pulumi.Context, subject string, errs field.ErrorList) (*appsv1.DaemonSetArgs, error) {
	p, err := a.plan(ctx, subject, errs)
	return p.set, err
}

// planned is the resource, and the same as an object for a checker.
type planned struct {
	set       *appsv1.DaemonSetArgs
	completed *pods.Object
	checker   *preflight.Checker
}

// plan is build with the object.
func (a DaemonSetArgs) plan(ctx *pulumi.Context, subject string, errs field.ErrorList) (out planned, err error) {
	platforms, placeErrs := checkPlatforms(a.Platforms, a.Topology)
	errs = append(errs, placeErrs...)
	errs = append(errs, checkLabel(a.Name, field.NewPath("name"))...)
	namespace, wrong := input.Namespace(subject, a.Namespace, kubeSystem)
	errs = append(errs, wrong...)
	user, wrong := account(string(a.User), field.NewPath("user"))
	errs = append(errs, wrong...)
	if len(wrong) > 0 {
		user = "" // the pods need not agree with it
	}
	set := labeled(a.Name, namespace, a.Annotations, spell(a.Pods))
	configured := pods.ReadObject(map[string]any{
		"kind": "DaemonSet", "metadata": input.Tree(set.Metadata),
		"spec": input.Tree(set.Spec),
	})
	if a.User == "" && tree.At(configured.Pods.Spec, userOption...) == nil {
		errs = append(errs, field.Required(field.NewPath("user"), chooseUser))
	}
	if len(placeErrs) > 0 {
		a.Topology = topology.Topology{}
	}
	x := a.examination(configured, user, platforms)
	found := x.examine(ctx)
	errs, refused := append(errs, found.errs...), found.contradicted
	if len(placeErrs) == 0 { // otherwise it is not known what the object must fit
		refused = append(refused, found.refused...)
	}
	if err := fielderrors.Join(subject, errs, refused...); err != nil {
		return planned{}, err
	}
	out = planned{completed: found.completed, checker: x.checker}
	out.set, err = input.Edit(set, found.edits)
	return out, err
}

// spell writes the users of the pods and of their containers as the nodes need them; package
// preflight knows which there cannot be. The caller's own inputs are replaced, and never written into.
func spell(pods corev1.PodSpecArgs) corev1.PodSpecArgs {
	if security, plain := input.Plain[corev1.PodSecurityContextArgs](pods.SecurityContext); plain {
		if options, changed := spellOptions(security.WindowsOptions); changed {
			security.WindowsOptions = options
			pods.SecurityContext = security
		}
	}
	pods.InitContainers = spellContainers(pods.InitContainers)
	pods.Containers = spellContainers(pods.Containers)
	return pods
}

func spellContainers(in corev1.ContainerArrayInput) corev1.ContainerArrayInput {
	list, plain := input.Plain[corev1.ContainerArray](in)
	if !plain {
		return in
	}
	list = slices.Clone(list)
	for i := range list {
		container, _ := input.Plain[corev1.ContainerArgs](list[i])
		security, _ := input.Plain[corev1.SecurityContextArgs](container.SecurityContext)
		if options, changed := spellOptions(security.WindowsOptions); changed {
			security.WindowsOptions = options
			container.SecurityContext = security
			list[i] = container
		}
	}
	return list
}

func spellOptions(
	in corev1.WindowsSecurityContextOptionsPtrInput,
) (options corev1.WindowsSecurityContextOptionsArgs, changed bool) {
	options, _ = input.Plain[corev1.WindowsSecurityContextOptionsArgs](in)
	name, known := input.Plain[string](options.RunAsUserName)
	if !known {
		return options, false
	}
	options.RunAsUserName = pulumi.String(spelled(name))
	return options, spelled(name) != name
}
