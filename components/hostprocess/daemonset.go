package hostprocess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

const daemonSetToken = "mixedkube:hostprocess:DaemonSet"

// DaemonSetArgs are the arguments of [NewDaemonSet].
type DaemonSetArgs struct {
	// Name is the name of the DaemonSet, and the label app.kubernetes.io/name of its pods:
	// a DNS label. The default is the name of the component.
	Name string

	// Namespace is that of the DaemonSet: kube-system by default. Pod Security Standards
	// must allow privileged pods in it, as all others forbid host process.
	Namespace string

	// Annotations are those of the DaemonSet itself. [preflight.IgnoreAnnotation] silences
	// rules.
	Annotations pulumi.StringMapInput

	// User is who the containers are on the node: [System] by default. The users of
	// containers are none of the node's, and other accounts of a domain have no password
	// here to log on with.
	User User

	// Platforms are the releases of Windows Server on whose nodes the pods run. The
	// default is all Windows nodes.
	Platforms []platform.Platform

	// Topology is optional. With it, it must be valid and have a pool for each of
	// Platforms, and the pods tolerate each taint of each of these Windows pools; without
	// it, the default taint of a Windows pool.
	Topology topology.Topology

	// Pods are the ordinary spec of the pods: containers, init containers, volumes. What
	// host process needs is added. Of securityContext and nodeSelector, the parts that the
	// component decides on must be plain. A runAsUserName that is plain is checked as User.
	Pods corev1.PodSpecArgs
}

// DaemonSet is a program of the Windows nodes themselves.
type DaemonSet struct {
	pulumi.ResourceState

	// DaemonSet is the Kubernetes resource.
	DaemonSet *appsv1.DaemonSet
	// Name is the name of the DaemonSet in Kubernetes.
	Name pulumi.StringPtrOutput
}

// NewDaemonSet makes a DaemonSet of host-process containers: programs of the Windows
// nodes themselves, with what those need to be accepted and to land there
// (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/):
// hostNetwork, windowsOptions.hostProcess and runAsUserName, os.name, node selector and
// tolerations. What the pods have already is kept. All containers of the pods are
// host-process containers, as Kubernetes demands.
//
// [Containerd.Path] is where the containers find what is mounted into them. They see all
// files of the node beside that, and named pipes at their own path, without a mount.
//
// The error lists all fields that contradict this and, unless package guard checks the
// program, all errors of package preflight, with their paths; nothing is registered then.
func NewDaemonSet(ctx *pulumi.Context, name string, args *DaemonSetArgs, opts ...pulumi.ResourceOption) (*DaemonSet, error) {
	if args == nil {
		args = &DaemonSetArgs{}
	}
	completed := *args
	completed.Name = cmp.Or(args.Name, name)
	set, err := completed.build(ctx, fmt.Sprintf("%s %q", daemonSetToken, name), nil)
	if err != nil {
		return nil, err
	}

	d := &DaemonSet{}
	if err := ctx.RegisterComponentResource(daemonSetToken, name, d, opts...); err != nil {
		return nil, err
	}
	d.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+"-daemonset", set, pulumi.Parent(d))
	if err != nil {
		return nil, err
	}
	d.Name = d.DaemonSet.Metadata.Name()
	return d, ctx.RegisterResourceOutputs(d, pulumi.Map{"name": d.Name})
}

// build is the resource, or everything that is wrong, known errors of the caller
// included.
func (a DaemonSetArgs) build(ctx *pulumi.Context, subject string, errs field.ErrorList) (*appsv1.DaemonSetArgs, error) {
	where, placeErrs := place(a.Platforms, a.Topology)
	errs = append(errs, placeErrs...)
	errs = append(errs, checkLabel(a.Name, field.NewPath("name"))...)
	a.Namespace = cmp.Or(a.Namespace, kubeSystem)
	errs = append(errs, checkLabel(a.Namespace, field.NewPath("namespace"))...)
	pods, podErrs := a.complete(where, field.NewPath("spec", "template", "spec"))
	errs = append(errs, podErrs...)
	set := labelled(a.Name, a.Namespace, a.Annotations, pods)
	var refused []fielderrors.At
	if len(placeErrs) == 0 {
		refused = refusal.Of(ctx, preflight.Options{Topology: a.Topology, Platform: where.only}, "DaemonSet", set.Metadata, set.Spec, errs)
	}
	return set, fielderrors.Join(subject, errs, refused...)
}

// complete adds to the pods what host process needs. The caller's own inputs are replaced,
// and never written into.
func (a DaemonSetArgs) complete(where placement, path *field.Path) (corev1.PodSpecArgs, field.ErrorList) {
	user, errs := account(string(a.User), field.NewPath("user"))
	if len(errs) > 0 {
		// Else package preflight would say more about a name that the pods do not have.
		user = ""
	}
	pods := onWindowsNodes(a.Pods, cmp.Or(User(user), System))
	errs = append(errs, a.contradictions(path)...)
	if list, plain := input.Plain[corev1.ContainerArray](a.Pods.Containers); input.Missing(a.Pods.Containers) || plain && len(list) == 0 {
		errs = append(errs, field.Required(path.Child("containers"), "say what runs on the nodes"))
	}
	var more field.ErrorList
	pods.Containers, more = completeContainers(a.Pods.Containers, path.Child("containers"))
	errs = append(errs, more...)
	pods.InitContainers, more = completeContainers(a.Pods.InitContainers, path.Child("initContainers"))
	errs = append(errs, more...)
	pods.SecurityContext, more = securityContext(a.Pods.SecurityContext, user, path.Child("securityContext"))
	errs = append(errs, more...)
	pods.NodeSelector, more = where.nodeSelector(a.Pods.NodeSelector, path.Child("nodeSelector"))
	errs = append(errs, more...)
	pods.Affinity, more = where.affinity(a.Pods.Affinity, path.Child("affinity"))
	errs = append(errs, more...)
	pods.Tolerations = where.withTolerations(a.Pods.Tolerations)
	return pods, errs
}

// contradictions finds what the pods say that host process does not allow.
func (a DaemonSetArgs) contradictions(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !input.Missing(a.Pods.HostNetwork) {
		at := path.Child("hostNetwork")
		if on, ok := input.Plain[bool](a.Pods.HostNetwork); !ok {
			errs = append(errs, decided(at, "true"))
		} else if !on {
			errs = append(errs, field.Invalid(at, on, "host-process containers share the node's network: remove it"))
		}
	}
	if !input.Missing(a.Pods.Os) {
		os, plain := input.Plain[corev1.PodOSArgs](a.Pods.Os)
		at := path.Child("os", "name")
		name, known := input.Plain[string](os.Name)
		switch {
		case plain && input.Missing(os.Name):
			// As if it were left out.
		case !known:
			errs = append(errs, decided(at, string(platform.WindowsOS)))
		case name != string(platform.WindowsOS):
			errs = append(errs, field.Invalid(at, name, "host-process containers are those of Windows: remove it"))
		}
	}
	return errs
}

// completeContainers checks what containers say of host process themselves, and spells
// their users as the nodes do.
func completeContainers(in corev1.ContainerArrayInput, path *field.Path) (corev1.ContainerArrayInput, field.ErrorList) {
	list, plain := input.Plain[corev1.ContainerArray](in)
	if !plain {
		return in, nil
	}
	var errs field.ErrorList
	list = slices.Clone(list)
	for i := range list {
		container, _ := input.Plain[corev1.ContainerArgs](list[i])
		security, _ := input.Plain[corev1.SecurityContextArgs](container.SecurityContext)
		options, _ := input.Plain[corev1.WindowsSecurityContextOptionsArgs](security.WindowsOptions)
		at := path.Index(i).Child("securityContext", "windowsOptions")
		errs = append(errs, checkHostProcess(options, at)...)
		name, known := input.Plain[string](options.RunAsUserName)
		if !known {
			continue
		}
		spelled, wrong := account(name, at.Child("runAsUserName"))
		errs = append(errs, wrong...)
		if spelled != name {
			options.RunAsUserName = pulumi.String(spelled)
			security.WindowsOptions = options
			container.SecurityContext = security
			list[i] = container
		}
	}
	return list, errs
}

func checkHostProcess(options corev1.WindowsSecurityContextOptionsArgs, path *field.Path) field.ErrorList {
	if on, ok := input.Plain[bool](options.HostProcess); ok && !on {
		return field.ErrorList{field.Invalid(path.Child("hostProcess"), on, "all containers of these pods are host-process containers: remove it, or use package workload")}
	}
	return nil
}

// securityContext is the pods', with host process and the user, System if there is none.
func securityContext(in corev1.PodSecurityContextPtrInput, user string, path *field.Path) (corev1.PodSecurityContextPtrInput, field.ErrorList) {
	security, plain := input.Plain[corev1.PodSecurityContextArgs](in)
	if !input.Missing(in) && !plain {
		return in, field.ErrorList{notPlain(path, "corev1.PodSecurityContextArgs")}
	}
	path = path.Child("windowsOptions")
	options, plain := input.Plain[corev1.WindowsSecurityContextOptionsArgs](security.WindowsOptions)
	if !input.Missing(security.WindowsOptions) && !plain {
		return security, field.ErrorList{notPlain(path, "corev1.WindowsSecurityContextOptionsArgs")}
	}
	errs := checkHostProcess(options, path)
	options.HostProcess = pulumi.Bool(true)
	at := path.Child("runAsUserName")
	name, known := input.Plain[string](options.RunAsUserName)
	switch {
	case input.Missing(options.RunAsUserName):
		options.RunAsUserName = pulumi.String(cmp.Or(user, string(System)))
	case known:
		spelled, wrong := account(name, at)
		if len(wrong) == 0 && user != "" && !strings.EqualFold(spelled, user) {
			wrong = field.ErrorList{field.Invalid(at, name, fmt.Sprintf("contradicts the user %q: remove one of the two", user))}
		}
		errs = append(errs, wrong...)
		options.RunAsUserName = pulumi.String(spelled)
	case user != "":
		errs = append(errs, decided(at, user))
	}
	security.WindowsOptions = options
	return security, errs
}

func notPlain(path *field.Path, want string) *field.Error {
	return field.TypeInvalid(path, "an output", "write it as "+want+", with outputs in its fields, so that it can be completed for host process")
}

// decided is for an output in a field that can have one value only.
func decided(path *field.Path, value string) *field.Error {
	return field.TypeInvalid(path, "an output", "is always "+value+" for host-process containers: remove it")
}
