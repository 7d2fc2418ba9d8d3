package runtimeclass

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/internal/childoptions"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// DefaultHandler is containerd's handler for Windows containers with process
// isolation
// (https://kubernetes.io/docs/concepts/windows/user-guide/#encapsulating-pod-scheduling-logic).
const DefaultHandler = "runhcs-wcow-process"

const setToken = "mixedkube:runtimeclass:Set"

// SetArgs are the arguments of [NewSet].
type SetArgs struct {
	// Topology is the cluster whose Windows platforms get a class each. Its
	// defaults need not be applied.
	Topology topology.Topology `pulumi:"topology"`

	// Handler is the container runtime's configuration that the classes
	// select: a DNS label. The default is [DefaultHandler]. A class' handler
	// cannot be changed in place: the class is replaced.
	Handler string `pulumi:"handler,optional"`

	// ScaleFromZero makes a class select [topology.LabelPlatform] instead of the Windows
	// build, where all pools of the platform have this label: pods of the class then bring
	// the first node of a pool without nodes. The cluster autoscaler does not know the build
	// of a node that is not there, of which rule MK415 warns otherwise. Components that make
	// pools give the label to those that scale from zero; give it to the platform's other
	// pools, and have the new selector only once they have it. The default is the build.
	ScaleFromZero bool `pulumi:"scaleFromZero,optional"`

	// Keep are Windows platforms that have a class although the topology has no pool of them: the
	// class of a platform goes with its last pool otherwise. Pods that name it and run on continue
	// running, but the API server refuses new ones ("RuntimeClass … not found"), also those that a
	// Deployment makes in the place of old ones. So keep the platform while pods still name its class,
	// and leave it out when they are gone. It may have pools as well.
	Keep []platform.Platform `pulumi:"keep,optional"`
}

// Set is the RuntimeClasses of a topology.
//
// A workload that names a class should depend on the set, or its first pods are refused until the
// class is there.
//
// In Go, it depends on what [Set.Ready] returns:
//
//	pulumi.DependsOn(classes.Ready())
type Set struct {
	pulumi.ResourceState

	// Names are the names of the classes in Kubernetes, in the order of the platforms.
	Names pulumi.StringArrayOutput `pulumi:"names"`

	classes map[platform.Platform]*nodev1.RuntimeClass
}

// Ready is what there is once the classes of some platforms are: of all platforms, if none is
// named. A platform without a class adds nothing. (The set itself would not do for
// [pulumi.DependsOn]: Pulumi's Go SDK takes a component for those of its children that have been
// counted so far, see https://github.com/pulumi/pulumi/issues/7833.)
func (s *Set) Ready(platforms ...platform.Platform) []pulumi.Resource {
	if len(platforms) == 0 {
		platforms = slices.Sorted(maps.Keys(s.classes))
	}
	var ready []pulumi.Resource
	for _, p := range platforms {
		if class, ok := s.classes[p]; ok {
			ready = append(ready, class)
		}
	}
	return ready
}

// Class is the class of a platform. It reports whether there is one: the topology may have no pool of
// the platform any more.
func (s *Set) Class(p platform.Platform) (*nodev1.RuntimeClass, bool) {
	class, ok := s.classes[p]
	return class, ok
}

// NewSet makes the RuntimeClasses of a topology. Each has the platform's name,
// a node selector for operating system, architecture and Windows build or, with
// ScaleFromZero, platform, and the tolerations that the platform's pools need; see
// [topology.RuntimeClassName], [topology.NodeSelector] and
// [topology.Defaulted.Tolerations]. A topology without Windows pools makes an empty set.
//
// An alias of the type of a class is for the class that its name says: windows-2022, or
// <set>-windows-2022. [pulumi.Timeouts] are for all classes.
//
// What is unwise is a warning of the program's log.
//
// The error lists everything that is wrong with the arguments, with field
// paths; nothing is registered then.
func NewSet(ctx *pulumi.Context, name string, args *SetArgs, opts ...pulumi.ResourceOption) (*Set, error) {
	if args == nil {
		args = &SetArgs{}
	}
	t := args.Topology.WithDefaults()
	handler := cmp.Or(args.Handler, DefaultHandler)

	windows := platforms(t, args.Keep)
	split, errs := options(name, windows).Split(opts)
	errs = slices.Concat(errs, t.Validate(field.NewPath("topology")), checkKept(args.Keep))
	if err := fielderrors.Join(fmt.Sprintf("%s %q", setToken, name), errs, refuse(handler)...); err != nil {
		return nil, err
	}

	set := &Set{classes: map[platform.Platform]*nodev1.RuntimeClass{}}
	if err := ctx.RegisterComponentResource(setToken, name, set, split.Component...); err != nil {
		return nil, err
	}
	checker := preflight.New(preflight.Options{Topology: args.Topology})
	names := pulumi.StringArray{}
	for _, p := range windows {
		className, selector := topology.RuntimeClassName(p), nodeSelector(t, p, args.ScaleFromZero)
		class, err := nodev1.NewRuntimeClass(ctx, childName(name, p), &nodev1.RuntimeClassArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(className)},
			Handler:  pulumi.String(handler),
			Scheduling: nodev1.SchedulingArgs{
				NodeSelector: pulumi.ToStringMap(selector),
				Tolerations:  input.Tolerations(tolerations(t, p)),
			},
		}, split.For(classType, childName(name, p), pulumi.Parent(set),
			// The API server refuses a new handler on an existing class, and the
			// name is fixed, so the old class goes first.
			pulumi.ReplaceOnChanges([]string{"handler"}), pulumi.DeleteBeforeReplace(true))...)
		if err != nil {
			return nil, err
		}
		if err := warn(ctx, checker, class, handler, selector); err != nil {
			return nil, err
		}
		set.classes[p] = class
		names = append(names, class.Metadata.Name().Elem())
	}
	set.Names = names.ToStringArrayOutput()
	return set, ctx.RegisterResourceOutputs(set, pulumi.Map{"names": set.Names})
}

const classType = "kubernetes:node.k8s.io/v1:RuntimeClass"

func childName(set string, p platform.Platform) string {
	return set + "-" + topology.RuntimeClassName(p)
}

// options is what the options of a set can reach.
func options(name string, windows []platform.Platform) childoptions.Component {
	c := childoptions.Component{Token: setToken, Name: name}
	for _, p := range windows {
		c.Others = append(c.Others, childoptions.Child{Type: classType, Name: childName(name, p)})
	}
	return c
}

// platforms are those that have a class, in order.
func platforms(t topology.Defaulted, kept []platform.Platform) []platform.Platform {
	var windows []platform.Platform
	for _, p := range topology.PoolPlatforms() {
		if p.IsWindows() && (len(t.PoolsOf(p)) > 0 || slices.Contains(kept, p)) {
			windows = append(windows, p)
		}
	}
	return windows
}

func checkKept(kept []platform.Platform) field.ErrorList {
	var errs field.ErrorList
	for i, p := range kept {
		if !p.IsWindows() || !slices.Contains(topology.PoolPlatforms(), p) {
			errs = append(errs, field.Invalid(field.NewPath("keep").Index(i), string(p),
				"has no class: remove it, or write the platform of Windows pools, such as windows-2022"))
		}
	}
	return errs
}

// tolerations are those of a class. Without pools, what pods tolerate by default.
func tolerations(t topology.Defaulted, p platform.Platform) []corev1.Toleration {
	if len(t.PoolsOf(p)) == 0 {
		return []corev1.Toleration{topology.Tolerate(topology.WindowsTaint())}
	}
	return t.Tolerations(p)
}

// nodeSelector is that of a class.
func nodeSelector(t topology.Defaulted, p platform.Platform, fromZero bool) map[string]string {
	selector := topology.NodeSelector(p)
	unlabelled := func(pool topology.Pool) bool { return pool.Labels[topology.LabelPlatform] != p.String() }
	if pools := t.PoolsOf(p); fromZero && len(pools) > 0 && !slices.ContainsFunc(pools, unlabelled) {
		delete(selector, topology.LabelWindowsBuild)
		selector[topology.LabelPlatform] = p.String()
	}
	return selector
}

// warn shows what is unwise about a class, unless package guard does.
func warn(
	ctx *pulumi.Context, checker *preflight.Checker, class pulumi.Resource, handler string, selector map[string]string,
) error {
	if refusal.Enforced(ctx) {
		return nil
	}
	return refusal.Log(ctx, class, checker.Check(map[string]any{
		"kind": "RuntimeClass", "handler": handler, "scheduling": map[string]any{"nodeSelector": selector},
	}))
}

// refuse returns the errors of package preflight about the classes. What they say
// beside the handler follows from the topology.
func refuse(handler string) []fielderrors.At {
	var refused []fielderrors.At
	for _, f := range preflight.Check(map[string]any{"kind": "RuntimeClass", "handler": handler}, preflight.Options{}) {
		if f.Blocks() {
			refused = append(refused, fielderrors.At{Path: f.Path, Err: &preflight.FindingError{Finding: f}})
		}
	}
	return refused
}
