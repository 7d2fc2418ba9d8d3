// Command moving has the same objects in three ways, of which one follows the other in one stack: as
// resources of pulumi-kubernetes, in the components of this library, and as resources again. No
// object changes on the way. docs/moving.md explains it.
package main

import (
	"context"
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	yamlv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/yaml/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var (
	cluster = topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}
	// windows is what a class of Windows Server 2022 selects.
	windows = pulumi.StringMap{
		"kubernetes.io/os":                 pulumi.String("windows"),
		"kubernetes.io/arch":               pulumi.String("amd64"),
		"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
	}
	labels = pulumi.StringMap{"app": pulumi.String("web")}
	// web has all that Windows pods need, so that the component has nothing to add.
	web = appsv1.DeploymentSpecArgs{
		Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
		Template: corev1.PodTemplateSpecArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: labels},
			Spec: corev1.PodSpecArgs{
				Os:               corev1.PodOSArgs{Name: pulumi.String("windows")},
				RuntimeClassName: pulumi.String("windows-2022"),
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("web"), Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
				}},
			},
		},
	}
	chart = helmv4.ChartArgs{Chart: pulumi.String("./shop"), Namespace: pulumi.String("default")}
)

// settings are manifests. Their objects say their namespace, as the names of resources follow from it.
const settings = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {color: blue}
`

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		switch way := config.Require(ctx, "moving:way"); way {
		case "plain":
			return plain(ctx)
		case "in":
			return in(ctx)
		case "out":
			return out(ctx)
		default:
			return fmt.Errorf("there is no way %q: choose plain, in or out", way)
		}
	})
}

func plain(ctx *pulumi.Context) error { return objects(ctx, nil, nil, nil, nil) }

// objects are resources of pulumi-kubernetes, with an option for each.
func objects(ctx *pulumi.Context, ofClass, ofWeb, ofShop, ofSettings pulumi.ResourceOption) error {
	class, err := nodev1.NewRuntimeClass(ctx, "windows-2022", &nodev1.RuntimeClassArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("windows-2022")},
		Handler:  pulumi.String("runhcs-wcow-process"),
		Scheduling: nodev1.SchedulingArgs{
			NodeSelector: windows,
			Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
				Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
				Effect: pulumi.String("NoSchedule"),
			}},
		},
	}, ofClass)
	if err != nil {
		return err
	}
	after := pulumi.DependsOn([]pulumi.Resource{class})
	if _, err := appsv1.NewDeployment(ctx, "web", &appsv1.DeploymentArgs{Spec: web}, after, ofWeb); err != nil {
		return err
	}
	if _, err := helmv4.NewChart(ctx, "shop", &chart, after, ofShop); err != nil {
		return err
	}
	_, err = yamlv2.NewConfigGroup(ctx, "site", &yamlv2.ConfigGroupArgs{Yaml: pulumi.String(settings)}, ofSettings)
	return err
}

// in has the same objects in components.
func in(ctx *pulumi.Context) error {
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster},
		pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String("kubernetes:node.k8s.io/v1:RuntimeClass"), Name: pulumi.String("windows-2022")},
		}))
	if err != nil {
		return err
	}
	after := pulumi.DependsOn(classes.Ready())
	if _, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Spec: web,
	}, after, pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:apps/v1:Deployment")}})); err != nil {
		return err
	}
	if _, err := manifest.NewChart(ctx, "shop", &manifest.ChartArgs{
		Chart: chart, Options: manifest.Options{Topology: cluster},
	}, after, pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:helm.sh/v4:Chart")}})); err != nil {
		return err
	}
	_, err = manifest.NewGroup(ctx, "site", &manifest.GroupArgs{
		YAML: settings, Options: manifest.Options{Topology: cluster},
	}, pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:yaml/v2:ConfigGroup")}}))
	return err
}

// out has them on their own again.
func out(ctx *pulumi.Context) error {
	urn := func(token, name string, parent pulumi.StringInput) pulumi.URNOutput {
		return pulumi.CreateURN(pulumi.String(name), pulumi.String(token), parent,
			pulumi.String(ctx.Project()), pulumi.String(ctx.Stack()))
	}
	// below is the name of a resource below a component.
	below := func(token, component, name string) pulumi.ResourceOption {
		return pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(name), ParentURN: urn(token, component, nil)}})
	}
	// The plugin of pulumi-kubernetes registers charts and groups, and gets no aliases: a transform
	// gives them to what it registers.
	were := map[string]pulumi.Alias{
		"kubernetes:helm.sh/v4:Chart": {
			Name: pulumi.String("shop-chart"), ParentURN: urn("mixedkube:manifest:Chart", "shop", nil),
		},
		"kubernetes:yaml/v2:ConfigGroup": {Type: pulumi.String("mixedkube:manifest:Group")},
	}
	err := ctx.RegisterResourceTransform(
		func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
			was, moved := were[args.Type]
			if !moved {
				return nil
			}
			args.Opts.Aliases = append(args.Opts.Aliases, was)
			return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
		})
	if err != nil {
		return err
	}
	return objects(ctx,
		below("mixedkube:runtimeclass:Set", "windows", "windows-windows-2022"),
		below("mixedkube:workload:Deployment", "web", "web-deployment"),
		nil, nil)
}
