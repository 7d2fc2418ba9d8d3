// Package program has twelve mistakes about Windows; with the configuration right=true it has none.
package program

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	yamlv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/yaml/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var cluster = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}

// Program deploys typed resources, a chart and a group of the directory above this one.
func Program(ctx *pulumi.Context) error { return With(ctx, rendered) }

// With deploys the typed resources, and then the rest.
func With(ctx *pulumi.Context, rest func(ctx *pulumi.Context, right bool, after pulumi.ResourceOption) error) error {
	right := config.New(ctx, "").GetBool("right")
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
		return err
	}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster})
	if err != nil {
		return err
	}
	after := pulumi.DependsOn(classes.Ready(platform.WindowsServer2022))
	if err := typed(ctx, right, after); err != nil {
		return err
	}
	return rest(ctx, right, after)
}

// rendered registers a chart and a group, whose objects the provider registers.
func rendered(ctx *pulumi.Context, right bool, after pulumi.ResourceOption) error {
	values := pulumi.Map{}
	if !right {
		values = pulumi.Map{
			"build": pulumi.String("10.0.26100"), "privileged": pulumi.Bool(false),
			"byClass": pulumi.Bool(true),
		}
	}
	if _, err := helmv4.NewChart(ctx, "chart", &helmv4.ChartArgs{Chart: pulumi.String("./chart"), Values: values},
		after); err != nil {
		return err
	}
	group := "group.yaml"
	if right {
		group = "group-right.yaml"
	}
	_, err := yamlv2.NewConfigGroup(ctx, "group", &yamlv2.ConfigGroupArgs{Files: pulumi.ToStringArray([]string{group})},
		after)
	return err
}

// typed registers a component, Deployments and pods of the SDK, the second of
// which has a label that is known only when the first one is created.
func typed(ctx *pulumi.Context, right bool, after pulumi.ResourceOption) error {
	choose := func(mistake, good string) pulumi.String {
		if right {
			return pulumi.String(good)
		}
		return pulumi.String(mistake)
	}
	web := corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("web"),
		Image: choose("mcr.microsoft.com/windows/servercore:ltsc2019",
			"mcr.microsoft.com/windows/servercore:ltsc2022"),
		Resources: corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("1Gi")}},
	}}}
	if !right {
		web.SecurityContext = corev1.PodSecurityContextArgs{FsGroup: pulumi.Int(2000)}
	}
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	if _, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022,
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: web},
		},
	}, after); err != nil {
		return err
	}

	windows := pulumi.StringMap{
		"kubernetes.io/os":                 pulumi.String("windows"),
		"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
	}
	first := corev1.PodSpecArgs{
		Os: corev1.PodOSArgs{Name: choose("Windows", "windows")}, NodeSelector: windows,
		Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
			Key:   pulumi.String("os"),
			Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
		}},
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("main"),
			Image: pulumi.String("shop.example/first:ltsc2022"),
		}},
	}
	one, err := corev1.NewPod(ctx, "first", &corev1.PodArgs{Spec: first}, after)
	if err != nil {
		return err
	}

	second := first
	second.Os = corev1.PodOSArgs{Name: pulumi.String("windows")}
	second.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
		RunAsUserName: choose(`shop\admin\root`, `shop\admin`),
	}}
	if !right {
		second.HostPID = pulumi.Bool(true)
	}
	_, err = corev1.NewPod(ctx, "second", &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: pulumi.StringMap{"after": one.Metadata.Uid().Elem()}}, Spec: second,
	}, after)
	if err != nil {
		return err
	}

	linux := corev1.PodSpecArgs{
		NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")},
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("main"),
			Image: choose("mcr.microsoft.com/windows/nanoserver:ltsc2022", "alpine:3.22"),
		}},
	}
	if _, err = corev1.NewPod(ctx, "third", &corev1.PodArgs{Spec: linux}); err != nil {
		return err
	}

	byClass := corev1.PodSpecArgs{
		Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, RuntimeClassName: pulumi.String("windows-2022"),
		NodeSelector: pulumi.StringMap{"kubernetes.io/arch": choose("arm64", "amd64")}, Containers: first.Containers,
	}
	_, err = corev1.NewPod(ctx, "fourth", &corev1.PodArgs{Spec: byClass}, after)
	return err
}
