// Command ways registers Pods in one of the ways of its configuration. Those whose names
// say so have a mistake, or are given it by a transform.
package main

import (
	"context"
	"fmt"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	yamlv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/yaml/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	name := config.New(ctx, "").Require("way")
	way, ok := ways[name]
	if !ok {
		return fmt.Errorf("there is no way %q", name)
	}
	if name == "stack-transform" {
		if err := ctx.RegisterResourceTransform(spoil); err != nil {
			return err
		}
	}
	if err := guard.Enforce(ctx, guard.Args{}); err != nil {
		return err
	}
	if err := pod(ctx, "right", nil); err != nil { // stack-transform spoils it
		return err
	}
	return way(ctx)
}

var ways = map[string]func(*pulumi.Context) error{
	"each-by-itself": eachByItself,
	"chart": func(ctx *pulumi.Context) error {
		_, err := helmv4.NewChart(ctx, "chart", &helmv4.ChartArgs{
			Chart: pulumi.String("../mistakes/chart"), Values: pulumi.Map{"privileged": pulumi.Bool(false)},
		})
		return err
	},
	"group": func(ctx *pulumi.Context) error {
		_, err := yamlv2.NewConfigGroup(ctx, "group", &yamlv2.ConfigGroupArgs{Yaml: pulumi.StringPtr(`
apiVersion: v1
kind: Pod
metadata: {name: wrong, namespace: default}
spec:
  os: {name: windows}
  nodeSelector: {kubernetes.io/os: windows}
  hostPID: true
  containers: [{name: web, image: "shop.example/web:1"}]
`)})
		return err
	},
	"output":          func(ctx *pulumi.Context) error { return pod(ctx, "wrong", pulumi.Bool(true).ToBoolOutput()) },
	"stack-transform": func(*pulumi.Context) error { return nil },
	"stack-transformation": func(ctx *pulumi.Context) error {
		if err := ctx.RegisterStackTransformation(spoilArgs); err != nil {
			return err
		}
		return pod(ctx, "wrong", nil)
	},
	"own-transformation": func(ctx *pulumi.Context) error {
		return pod(ctx, "wrong", nil, pulumi.Transformations([]pulumi.ResourceTransformation{spoilArgs}))
	},
}

// eachByItself has the ways in which the engine shows only the resources that need it.
func eachByItself(ctx *pulumi.Context) error {
	box, err := newBox(ctx, "box")
	if err != nil {
		return err
	}
	if err := pod(ctx, "right-below", nil, pulumi.Parent(box)); err != nil {
		return err
	}
	if err := pod(ctx, "wrong-args", pulumi.Bool(true)); err != nil {
		return err
	}
	transforms := pulumi.Transforms([]pulumi.ResourceTransform{spoil})
	if err := pod(ctx, "wrong-transform", nil, transforms); err != nil {
		return err
	}
	outer, err := newBox(ctx, "outer", transforms)
	if err != nil {
		return err
	}
	inner, err := newBox(ctx, "inner", pulumi.Parent(outer))
	if err != nil {
		return err
	}
	return pod(ctx, "wrong-above", nil, pulumi.Parent(inner))
}

// pod registers a Pod that is right unless hostPID is true.
func pod(ctx *pulumi.Context, name string, hostPID pulumi.BoolPtrInput, opts ...pulumi.ResourceOption) error {
	_, err := corev1.NewPod(ctx, name, &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name)},
		Spec: corev1.PodSpecArgs{
			Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, HostPID: hostPID,
			NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows")},
			Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name:  pulumi.String("web"),
				Image: pulumi.String("shop.example/web:1"),
			}},
		},
	}, opts...)
	return err
}

type box struct{ pulumi.ResourceState }

func newBox(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*box, error) {
	b := &box{}
	return b, ctx.RegisterComponentResource("ways:index:Box", name, b, opts...)
}

// spoil gives a Pod the mistake.
func spoil(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	if spec, ok := args.Props["spec"].(pulumi.Map); ok {
		spec["hostPID"] = pulumi.Bool(true)
	}
	return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
}

// spoilArgs gives a Pod the mistake before the engine sees it.
func spoilArgs(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
	if of, ok := args.Props.(*corev1.PodArgs); ok {
		spec := of.Spec.(corev1.PodSpecArgs)
		spec.HostPID = pulumi.Bool(true)
		of.Spec = spec
	}
	return &pulumi.ResourceTransformationResult{Props: args.Props, Opts: args.Opts}
}
