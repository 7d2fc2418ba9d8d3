package guard_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubernetes "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// mistake changes a correct pod; nil leaves it correct.
type mistake func(*corev1.PodSpecArgs)

// way is a way to register a Pod, or to transform it. Its program registers one Pod.
type way struct {
	name    string
	before  func(ctx *pulumi.Context, m mistake) error // before Enforce
	program func(ctx *pulumi.Context, m mistake) error
	// how the guard sees the Pod, if it is correct, in a preview
	how string
	// missed is true if not even an update finds the mistake: Pulumi shows neither resources that are read, nor the
	// result of transforms that are registered after the guard's.
	missed bool
}

const (
	inside   = "1 objects, 1 of them in the program itself"
	byEngine = "1 objects, 0 of them in the program itself" // the engine shows it
	not      = "0 objects, 0 of them in the program itself"
)

// run runs the program of a way under the guard, and reports how the guard sees the Pod.
func (w way) run(m mistake, options ...mocktest.Option) (graph *mocktest.Graph, looked string, err error) {
	before := func(ctx *pulumi.Context) error {
		if w.before == nil {
			return nil
		}
		return w.before(ctx, m)
	}
	program, counts := counted(guard.Args{}, before, func(ctx *pulumi.Context) error { return w.program(ctx, m) })
	graph, err = mocktest.Run(program, options...)
	return graph, counts(), err
}

// In an update the engine shows all resources, so the update finds all mistakes; a preview has to find the same ones.
func TestEachWayToRegisterAndToTransformIsChecked(t *testing.T) {
	t.Parallel()
	for _, w := range slices.Concat(waysToRegister(), waysToTransform(), waysToTransformInside()) {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for mode, options := range map[string][]mocktest.Option{
				"a preview": {mocktest.Preview()},
				"an update": nil,
			} {
				graph, _, err := w.run(withHostPID, options...)
				want := []string{"error pod: " + hostPID}
				if w.missed {
					want = nil
				}
				if diff := cmp.Diff(want, logs(graph), golden.AnySentence); diff != "" {
					t.Errorf("%s finds (-want +got):\n%s", mode, diff)
				}
				if failed := err != nil; failed == w.missed {
					t.Errorf("%s ends with %v", mode, err)
				}
			}
			if _, got, err := w.run(nil, mocktest.Preview()); got != w.how || err != nil {
				t.Errorf("the right Pod: %s, want %s; %v", got, w.how, err)
			}
		})
	}
}

// box is a component of the program.
type box struct{ pulumi.ResourceState }

func newBox(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*box, error) {
	b := &box{}
	return b, ctx.RegisterComponentResource("shop:index:Box", name, b, opts...)
}

// boxed registers the Pod in a component.
func boxed(ctx *pulumi.Context, m mistake, opts ...pulumi.ResourceOption) error {
	b, err := newBox(ctx, "box", opts...)
	if err != nil {
		return err
	}
	return plain(ctx, m, pulumi.Parent(b))
}

// plain registers the Pod with arguments that are all known.
func plain(ctx *pulumi.Context, m mistake, opts ...pulumi.ResourceOption) error {
	_, err := pod(ctx, "pod", windows(m), opts...)
	return err
}

// untyped returns the properties of the Pod without a type.
func untyped(m mistake) kubernetes.UntypedArgs {
	return kubernetes.UntypedArgs{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "pod"}, "spec": windows(m),
	}
}

// lazy is an input of the program's own that only the SDK can resolve.
type lazy struct{ pulumi.BoolInput }

func (lazy) ElementType() reflect.Type { return reflect.TypeFor[lazy]() }

func waysToRegister() []way {
	return []way{
		{name: "by itself", how: inside, program: func(ctx *pulumi.Context, m mistake) error {
			return plain(ctx, m)
		}},
		{name: "in a component", how: inside, program: func(ctx *pulumi.Context, m mistake) error {
			return boxed(ctx, m)
		}},
		{name: "in a component of a component", how: inside, program: func(ctx *pulumi.Context, m mistake) error {
			outer, err := newBox(ctx, "outer")
			if err != nil {
				return err
			}
			return boxed(ctx, m, pulumi.Parent(outer))
		}},
		{name: "below an object", how: inside, program: func(ctx *pulumi.Context, m mistake) error {
			namespace, err := corev1.NewNamespacePatch(ctx, "shop", nil)
			if err != nil {
				return err
			}
			return plain(ctx, m, pulumi.Parent(namespace))
		}},
		{
			name: "in a function that waits for a resource", how: inside,
			program: func(ctx *pulumi.Context, m mistake) error {
				b, err := newBox(ctx, "box")
				if err != nil {
					return err
				}
				done := make(chan error, 1)
				b.URN().ApplyT(func(pulumi.URN) int {
					done <- plain(ctx, m)
					return 0
				})
				return <-done
			},
		},
		{name: "with a provider of Kubernetes", how: inside, program: func(ctx *pulumi.Context, m mistake) error {
			provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
			if err != nil {
				return err
			}
			return plain(ctx, m, pulumi.Provider(provider))
		}},
		{
			name: "beside a provider that may register resources itself", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				var provider struct{ pulumi.ProviderResourceState }
				if err := ctx.RegisterResource("pulumi:providers:cloud", "cloud", nil, &provider); err != nil {
					return err
				}
				return plain(ctx, m)
			},
		},
		{name: "with an output among its inputs", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			_, err := corev1.NewPod(ctx, "pod", &corev1.PodArgs{
				Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("pod").ToStringOutput()}, Spec: windows(m),
			})
			return err
		}},
		{
			name: "with the mistake next to an output of another resource",
			how:  "2 objects, 1 of them in the program itself",
			program: func(ctx *pulumi.Context, m mistake) error {
				other, err := pod(ctx, "other", windows(nil))
				if err != nil {
					return err
				}
				spec := windows(m)
				spec.Subdomain = other.Metadata.Uid()
				_, err = pod(ctx, "pod", spec)
				return err
			},
		},
		{name: "with the mistake in an output", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			_, err := corev1.NewPod(ctx, "pod", &corev1.PodArgs{Spec: windows(m).ToPodSpecOutput()})
			return err
		}},
		{name: "with a secret", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			_, err := corev1.NewPod(ctx, "pod", &corev1.PodArgs{
				Metadata: metav1.ObjectMetaArgs{
					Labels: pulumi.StringMap{"key": pulumi.ToSecret(pulumi.String("s3cret")).(pulumi.StringOutput)},
				},
				Spec: windows(m),
			})
			return err
		}},
		{
			name: "with an input that is not an SDK's", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				_, err := pod(ctx, "pod",
					windows(func(s *corev1.PodSpecArgs) { s.HostPID = lazy{pulumi.Bool(m != nil)} }))
				return err
			},
		},
		{name: "without a type", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			return ctx.RegisterResource(podType, "pod", untyped(m), &pulumi.CustomResourceState{})
		}},
		{name: "as a custom resource", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			_, err := apiextensions.NewCustomResource(ctx, "pod", &apiextensions.CustomResourceArgs{
				ApiVersion: pulumi.String("v1"), Kind: pulumi.String("Pod"),
				OtherFields: kubernetes.UntypedArgs{"spec": windows(m)},
			})
			return err
		}},
		{name: "of a package", how: inside, program: func(ctx *pulumi.Context, m mistake) error {
			args := &corev1.PodArgs{ApiVersion: pulumi.String("v1"), Kind: pulumi.String("Pod"), Spec: windows(m)}
			return ctx.RegisterPackageResource(podType, "pod", args, &pulumi.CustomResourceState{}, "")
		}},
		{
			name: "after a resource that is registered before Enforce", how: byEngine,
			before: func(ctx *pulumi.Context, _ mistake) error {
				_, err := newBox(ctx, "early")
				return err
			},
			program: func(ctx *pulumi.Context, m mistake) error { return boxed(ctx, m) },
		},
		{
			name: "below a parent that is told by its part", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				b, err := newBox(ctx, "box")
				if err != nil {
					return err
				}
				return plain(ctx, m, pulumi.Parent(&b.ResourceState))
			},
		},
		{name: "below a remote component", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			b := &box{}
			if err := ctx.RegisterRemoteComponentResource("shop:index:Remote", "box", nil, b); err != nil {
				return err
			}
			return plain(ctx, m, pulumi.Parent(b))
		}},
		{
			name: "after a remote component, which registers others", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				if err := ctx.RegisterRemoteComponentResource("shop:index:Remote", "box", nil,
					&pulumi.ResourceState{}); err != nil {
					return err
				}
				return plain(ctx, m)
			},
		},
		{
			name: "below a component that is looked up", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				b, err := newBox(ctx, "box")
				if err != nil {
					return err
				}
				done := make(chan error, 1)
				b.URN().ApplyT(func(at pulumi.URN) int {
					again := &box{}
					err := ctx.RegisterComponentResource("shop:index:Box", "box", again, pulumi.URN_(string(at)))
					done <- errors.Join(err, plain(ctx, m, pulumi.Parent(again)))
					return 0
				})
				return <-done
			},
		},
		{name: "below an object that is looked up", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			above, err := corev1.NewNamespacePatch(ctx, "shop", nil)
			if err != nil {
				return err
			}
			done := make(chan error, 1)
			above.URN().ApplyT(func(at pulumi.URN) int {
				again := &pulumi.CustomResourceState{}
				err := ctx.RegisterResource("kubernetes:core/v1:NamespacePatch", "shop", nil, again,
					pulumi.URN_(string(at)))
				done <- errors.Join(err, plain(ctx, m, pulumi.Parent(again)))
				return 0
			})
			return <-done
		}},
		{name: "read", how: not, missed: true, program: func(ctx *pulumi.Context, m mistake) error {
			return ctx.ReadResource(podType, "pod", pulumi.ID("default/pod"), untyped(m), &pulumi.CustomResourceState{})
		}},
		{name: "read by its type", how: not, missed: true, program: func(ctx *pulumi.Context, _ mistake) error {
			_, err := corev1.GetPod(ctx, "pod", pulumi.ID("default/pod"), &corev1.PodState{})
			return err
		}},
	}
}

// spoil makes the mistake, if any, in the properties that a transform gets.
func spoil(m mistake) []pulumi.ResourceTransform {
	return []pulumi.ResourceTransform{func(_ context.Context,
		args *pulumi.ResourceTransformArgs,
	) *pulumi.ResourceTransformResult {
		if args.Type == podType && m != nil {
			args.Props["spec"].(pulumi.Map)["hostPID"] = pulumi.Bool(true)
		}
		return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
	}}
}

// spoilArgs makes the mistake, if any, in the arguments that a transformation gets.
func spoilArgs(m mistake) []pulumi.ResourceTransformation {
	return []pulumi.ResourceTransformation{func(
		args *pulumi.ResourceTransformationArgs,
	) *pulumi.ResourceTransformationResult {
		if of, ok := args.Props.(*corev1.PodArgs); ok {
			of.Spec = windows(m)
		}
		return &pulumi.ResourceTransformationResult{Props: args.Props, Opts: args.Opts}
	}}
}

func waysToTransform() []way {
	return []way{
		{name: "its own transform", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			return plain(ctx, nil, pulumi.Transforms(spoil(m)))
		}},
		{name: "a transform of the component", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			return boxed(ctx, nil, pulumi.Transforms(spoil(m)))
		}},
		{name: "a transform two components above", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			outer, err := newBox(ctx, "outer", pulumi.Transforms(spoil(m)))
			if err != nil {
				return err
			}
			return boxed(ctx, nil, pulumi.Parent(outer), pulumi.Transforms(spoil(nil)))
		}},
		{
			name: "a transform of what is above, beside its own", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				above, err := corev1.NewNamespacePatch(ctx, "shop", nil, pulumi.Transforms(spoil(m)))
				if err != nil {
					return err
				}
				return plain(ctx, nil, pulumi.Parent(above), pulumi.Transforms(spoil(nil)))
			},
		},
		{
			name: "a transform of the stack before Enforce", how: byEngine,
			before:  func(ctx *pulumi.Context, m mistake) error { return ctx.RegisterResourceTransform(spoil(m)[0]) },
			program: func(ctx *pulumi.Context, _ mistake) error { return plain(ctx, nil) },
		},
		{
			name: "a transform of the stack after Enforce", how: inside, missed: true,
			program: func(ctx *pulumi.Context, m mistake) error {
				if err := ctx.RegisterResourceTransform(spoil(m)[0]); err != nil {
					return err
				}
				return plain(ctx, nil)
			},
		},
	}
}

// waysToTransformInside returns the ways that transform in the program's process, before the
// engine.
func waysToTransformInside() []way {
	return []way{
		{name: "its own transformation", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			return plain(ctx, nil, pulumi.Transformations(spoilArgs(m)))
		}},
		{name: "a transformation of the component", how: byEngine, program: func(ctx *pulumi.Context, m mistake) error {
			return boxed(ctx, nil, pulumi.Transformations(spoilArgs(m)))
		}},
		{
			name: "a transformation of the stack before Enforce", how: byEngine,
			before: func(ctx *pulumi.Context,
				m mistake,
			) error {
				return ctx.RegisterStackTransformation(spoilArgs(m)[0])
			},
			program: func(ctx *pulumi.Context, _ mistake) error { return plain(ctx, nil) },
		},
		{
			name: "a transformation of the stack after Enforce", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				if err := ctx.RegisterStackTransformation(spoilArgs(m)[0]); err != nil {
					return err
				}
				return plain(ctx, nil)
			},
		},
		{
			name: "a transformation of the stack between the component and the Pod", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				// The first component does not pass it to its children, the second one does.
				outer, err := newBox(ctx, "outer")
				if err != nil {
					return err
				}
				if err := ctx.RegisterStackTransformation(spoilArgs(nil)[0]); err != nil {
					return err
				}
				return boxed(ctx, m, pulumi.Parent(outer))
			},
		},
		{
			name: "a transformation that adds a transform", how: byEngine,
			program: func(ctx *pulumi.Context, m mistake) error {
				add := func(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
					return &pulumi.ResourceTransformationResult{
						Props: args.Props,
						Opts:  append(slices.Clone(args.Opts), pulumi.Transforms(spoil(m))),
					}
				}
				if err := ctx.RegisterStackTransformation(add); err != nil {
					return err
				}
				return plain(ctx, nil)
			},
		},
	}
}
