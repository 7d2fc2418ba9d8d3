package runtimeclass

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// DefaultHandler is containerd's handler for Windows containers with process
// isolation
// (https://kubernetes.io/docs/concepts/windows/user-guide/#encapsulating-pod-scheduling-logic).
const DefaultHandler = "runhcs-wcow-process"

const setToken = "mixedkube:runtimeclass:Set"

// SetArgs are the arguments of [NewSet].
type SetArgs struct {
	// Topology is the cluster whose Windows platforms get one class each; with [platform.Relaxed] also each release
	// whose images the nodes of another platform run. Its defaults need not be applied.
	Topology topology.Topology `pulumi:"topology"`

	// Handler is the container runtime's configuration that the classes select: a DNS label. The default is
	// [DefaultHandler]. The handler of a class cannot be changed in place: the class is replaced.
	Handler string `pulumi:"handler,optional"`

	// ScaleFromZero makes a class select [topology.LabelPlatform] instead of the Windows build, if all pools of the
	// platform have this label: pods of the class then create the first node of a pool without nodes. The cluster
	// autoscaler does not know the build of a node that does not exist yet; without this option rule MK415 warns about
	// that. Components that create pools set the label on those that scale from zero; set it on the platform's other
	// pools, and enable this option only when they have it. The default is the build.
	ScaleFromZero bool `pulumi:"scaleFromZero,optional"`

	// Keep are Windows platforms that have a class although the topology has no pool with them: otherwise the class of
	// a platform is deleted with its last pool. Pods that name it continue to run, but the API server refuses new ones
	// ("RuntimeClass … not found"), including those that a Deployment creates to replace old ones. So keep the platform
	// while pods still name its class, and remove it when they no longer exist. The platform may have pools as well.
	Keep []platform.Platform `pulumi:"keep,optional"`
}

// Set has the RuntimeClasses of a topology.
//
// A workload that names a class should depend on the set; otherwise its first pods are refused until the class exists.
//
// In Go, it depends on the result of [Set.Ready]:
//
//	pulumi.DependsOn(classes.Ready())
type Set struct {
	pulumi.ResourceState

	// Names are the names of the classes in Kubernetes, in the order of the platforms.
	Names pulumi.StringArrayOutput `pulumi:"names"`

	classes map[platform.Platform]*nodev1.RuntimeClass
}

// Ready returns the resources that exist when the classes of some platforms are ready: of all platforms, if none is
// named. A platform without a class adds nothing. (It does not suffice to pass the set itself to [pulumi.DependsOn]:
// Pulumi's Go SDK replaces a component with the children that it has counted so far, see
// https://github.com/pulumi/pulumi/issues/7833.)
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

// Class returns the class of a platform, and reports whether there is one: the topology may no longer have a pool with
// the platform.
func (s *Set) Class(p platform.Platform) (*nodev1.RuntimeClass, bool) {
	class, ok := s.classes[p]
	return class, ok
}

// NewSet creates the RuntimeClasses of a topology. Each has the platform's name, a node selector for operating system,
// architecture and Windows build or, with ScaleFromZero, platform, and the tolerations that the platform's pools need;
// see [topology.RuntimeClassName], [topology.Topology.ClassSelector] and [topology.Defaulted.ClassTolerations]. A
// topology without Windows pools gives an empty set. With [platform.Relaxed], the class of a release selects all nodes
// that run its images. A preview warns if an update changes the nodes that a class selects: existing pods keep what
// admission gave them.
//
// An alias of the type of a class applies to the class with its name: windows-2022, or <set>-windows-2022.
// [pulumi.Timeouts] apply to all classes.
//
// Arguments that are valid but unwise cause a warning in the program's log.
//
// The error lists all mistakes in the arguments, with field paths; nothing is registered then.
func NewSet(ctx *pulumi.Context, name string, args *SetArgs, opts ...pulumi.ResourceOption) (*Set, error) {
	if args == nil {
		args = &SetArgs{}
	}
	t := args.Topology.WithDefaults()
	handler := cmp.Or(args.Handler, DefaultHandler)

	windows := platforms(t, args.Keep)
	split, errs := options(name, windows).Split(opts)
	errs = slices.Concat(errs, t.Validate(field.NewPath("topology")), checkKeep(args.Keep))
	set := &Set{classes: map[platform.Platform]*nodev1.RuntimeClass{}}
	held, err := refusal.Hold(ctx, set,
		fielderrors.Join(fmt.Sprintf("%s %q", setToken, name), errs, refuse(handler)...))
	if err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(setToken, name, set, append(split.Component, held...)...); err != nil {
		return nil, err
	}
	var moves []pulumi.ResourceOption
	if t.Matching == platform.Relaxed { // otherwise a class always selects the nodes of its release
		if moves, err = reportingMoves(ctx, set); err != nil {
			return nil, err
		}
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
				Tolerations:  input.Tolerations(t.ClassTolerations(p)),
			},
		}, split.For(classType, childName(name, p), append([]pulumi.ResourceOption{
			pulumi.Parent(set),
			// The API server refuses a new handler on an existing class, and the name is fixed, so the old class is
			// deleted first.
			pulumi.ReplaceOnChanges([]string{"handler"}), pulumi.DeleteBeforeReplace(true),
		}, moves...)...)...)
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

// options describes what the options of a set can reach.
func options(name string, windows []platform.Platform) childoptions.Component {
	c := childoptions.Component{Token: setToken, Name: name}
	for _, p := range windows {
		c.Others = append(c.Others, childoptions.Child{Type: classType, Name: childName(name, p)})
	}
	return c
}

// platforms returns the platforms that have a class, in order.
func platforms(t topology.Defaulted, keep []platform.Platform) []platform.Platform {
	var windows []platform.Platform
	for _, p := range topology.PoolPlatforms() {
		if p.IsWindows() && (t.LacksHosts(p) == "" || slices.Contains(keep, p)) {
			windows = append(windows, p)
		}
	}
	return windows
}

func checkKeep(keep []platform.Platform) field.ErrorList {
	var errs field.ErrorList
	for i, p := range keep {
		if !p.IsWindows() || !slices.Contains(topology.PoolPlatforms(), p) {
			errs = append(errs, field.Invalid(field.NewPath("keep").Index(i), string(p),
				"has no class: remove it, or write the platform of Windows pools, such as windows-2022"))
		}
	}
	return errs
}

// nodeSelector returns the node selector of a class.
func nodeSelector(t topology.Defaulted, p platform.Platform, fromZero bool) map[string]string {
	selector := t.ClassSelector(p)
	host, ok := platform.ByBuild(selector[topology.LabelWindowsBuild])
	if !fromZero || !ok {
		return selector
	}
	unlabeled := func(pool topology.Pool) bool { return pool.Labels[topology.LabelPlatform] != host.String() }
	if pools := t.PoolsOf(host); len(pools) > 0 && !slices.ContainsFunc(pools, unlabeled) {
		delete(selector, topology.LabelWindowsBuild)
		selector[topology.LabelPlatform] = host.String()
	}
	return selector
}

// warn logs warnings about a class, unless package guard does.
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

// refuse returns the errors of package preflight about the classes. Only the handler can cause them: everything else
// follows from the topology.
func refuse(handler string) []fielderrors.At {
	var refused []fielderrors.At
	for _, f := range preflight.Check(map[string]any{"kind": "RuntimeClass", "handler": handler}, preflight.Options{}) {
		if f.Blocks() {
			refused = append(refused, fielderrors.At{Path: f.Path, Err: &preflight.FindingError{Finding: f}})
		}
	}
	return refused
}
