package runtimeclass

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

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
	Topology topology.Topology

	// Handler is the container runtime's configuration that the classes
	// select: a DNS label. The default is [DefaultHandler]. A class' handler
	// cannot be changed in place: the class is replaced.
	Handler string

	// ScaleFromZero makes a class select [topology.LabelPlatform] instead of the Windows
	// build, where all pools of the platform have this label: pods of the class then bring
	// the first node of a pool without nodes. The cluster autoscaler does not know the build
	// of a node that is not there, of which rule MK415 warns otherwise. Components that make
	// pools give the label to those that scale from zero; give it to the platform's other
	// pools, and have the new selector only once they have it. The default is the build.
	ScaleFromZero bool
}

// Set is the RuntimeClasses of a topology.
//
// A workload that names a class should depend on it, on Classes[platform], or its
// first pods are refused until the class is there. It should not depend on the set
// instead: Pulumi's Go SDK takes a component for those of its children that have
// been counted so far, and may not have counted this one yet.
type Set struct {
	pulumi.ResourceState

	// Classes holds the class of each Windows platform.
	Classes map[platform.Platform]*nodev1.RuntimeClass
}

// NewSet makes the RuntimeClasses of a topology. Each has the platform's name,
// a node selector for operating system, architecture and Windows build or, with
// ScaleFromZero, platform, and the tolerations that the platform's pools need; see
// [topology.RuntimeClassName], [topology.NodeSelector] and
// [topology.Defaulted.Tolerations]. A topology without Windows pools makes an empty set.
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

	errs := t.Validate(field.NewPath("topology"))
	if err := fielderrors.Join(fmt.Sprintf("%s %q", setToken, name), errs, refuse(handler)...); err != nil {
		return nil, err
	}

	set := &Set{Classes: map[platform.Platform]*nodev1.RuntimeClass{}}
	if err := ctx.RegisterComponentResource(setToken, name, set, opts...); err != nil {
		return nil, err
	}
	checker := preflight.New(preflight.Options{Topology: args.Topology})
	names := pulumi.StringArray{}
	for _, p := range t.Platforms() {
		if !p.IsWindows() {
			continue
		}
		className, selector := topology.RuntimeClassName(p), nodeSelector(t, p, args.ScaleFromZero)
		class, err := nodev1.NewRuntimeClass(ctx, name+"-"+className, &nodev1.RuntimeClassArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(className)},
			Handler:  pulumi.String(handler),
			Scheduling: nodev1.SchedulingArgs{
				NodeSelector: pulumi.ToStringMap(selector),
				Tolerations:  input.Tolerations(t.Tolerations(p)),
			},
		}, pulumi.Parent(set),
			// The API server refuses a new handler on an existing class, and the
			// name is fixed, so the old class goes first.
			pulumi.ReplaceOnChanges([]string{"handler"}), pulumi.DeleteBeforeReplace(true))
		if err != nil {
			return nil, err
		}
		if err := warn(ctx, checker, class, handler, selector); err != nil {
			return nil, err
		}
		set.Classes[p] = class
		names = append(names, class.Metadata.Name().Elem())
	}
	return set, ctx.RegisterResourceOutputs(set, pulumi.Map{"names": names})
}

// nodeSelector is that of a class.
func nodeSelector(t topology.Defaulted, p platform.Platform, fromZero bool) map[string]string {
	selector := topology.NodeSelector(p)
	unlabelled := func(pool topology.Pool) bool { return pool.Labels[topology.LabelPlatform] != p.String() }
	if fromZero && !slices.ContainsFunc(t.PoolsOf(p), unlabelled) {
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
