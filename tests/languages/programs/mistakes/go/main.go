// Command go has twelve mistakes about Windows, and no guard; with the configuration right=true it has none.
package main

import (
	"maps"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	yamlv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/yaml/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	p := deployment{ctx: ctx, right: config.New(ctx, "").GetBool("right")}
	p.build = pulumi.StringMap{
		"kubernetes.io/os":                 pulumi.String("windows"),
		"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
	}
	selector := maps.Clone(p.build)
	selector["kubernetes.io/arch"] = pulumi.String("amd64")
	class, err := nodev1.NewRuntimeClass(ctx, "windows-2022", &nodev1.RuntimeClassArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("windows-2022")},
		Handler:  pulumi.String("runhcs-wcow-process"),
		Scheduling: nodev1.SchedulingArgs{NodeSelector: selector, Tolerations: corev1.TolerationArray{
			corev1.TolerationArgs{
				Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
				Effect: pulumi.String("NoSchedule"),
			},
		}},
	})
	if err != nil {
		return err
	}
	p.after = pulumi.DependsOn([]pulumi.Resource{class})
	for _, register := range []func() error{p.web, p.pods, p.rendered} {
		if err := register(); err != nil {
			return err
		}
	}
	return nil
}

type deployment struct {
	ctx   *pulumi.Context
	right bool
	after pulumi.ResourceOption
	build pulumi.StringMap
}

// choose takes a mistake, or what is right.
func (p deployment) choose(mistake, right string) pulumi.String {
	if p.right {
		return pulumi.String(right)
	}
	return pulumi.String(mistake)
}

func (p deployment) web() error {
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	web := corev1.PodSpecArgs{
		Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, RuntimeClassName: pulumi.String("windows-2022"),
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name: pulumi.String("web"),
			Image: p.choose("mcr.microsoft.com/windows/servercore:ltsc2019",
				"mcr.microsoft.com/windows/servercore:ltsc2022"),
			Resources: corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("1Gi")}},
		}},
	}
	if !p.right {
		web.SecurityContext = corev1.PodSecurityContextArgs{FsGroup: pulumi.Int(2000)}
	}
	_, err := appsv1.NewDeployment(p.ctx, "web-deployment", &appsv1.DeploymentArgs{Spec: appsv1.DeploymentSpecArgs{
		Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
		Template: corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: web},
	}}, p.after)
	return err
}

func (p deployment) pods() error {
	windows := corev1.PodOSArgs{Name: pulumi.String("windows")}
	first := corev1.PodSpecArgs{
		Os: corev1.PodOSArgs{Name: p.choose("Windows", "windows")}, NodeSelector: p.build,
		Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
			Key: pulumi.String("os"), Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
		}},
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name: pulumi.String("main"), Image: pulumi.String("shop.example/first:ltsc2022"),
		}},
	}
	one, err := corev1.NewPod(p.ctx, "first", &corev1.PodArgs{Spec: first}, p.after)
	if err != nil {
		return err
	}
	second := first
	second.Os = windows
	second.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
		RunAsUserName: p.choose(`shop\admin\root`, `shop\admin`),
	}}
	if !p.right {
		second.HostPID = pulumi.Bool(true)
	}
	// The label is known only when the first one is created.
	_, err = corev1.NewPod(p.ctx, "second", &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: pulumi.StringMap{"after": one.Metadata.Uid().Elem()}}, Spec: second,
	}, p.after)
	if err != nil {
		return err
	}
	_, err = corev1.NewPod(p.ctx, "third", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
		NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")},
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("main"),
			Image: p.choose("mcr.microsoft.com/windows/nanoserver:ltsc2022", "alpine:3.22"),
		}},
	}})
	if err != nil {
		return err
	}
	_, err = corev1.NewPod(p.ctx, "fourth", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
		Os: windows, RuntimeClassName: pulumi.String("windows-2022"), Containers: first.Containers,
		NodeSelector: pulumi.StringMap{"kubernetes.io/arch": p.choose("arm64", "amd64")},
	}}, p.after)
	return err
}

// rendered registers a chart and a group, whose objects the provider registers.
func (p deployment) rendered() error {
	values := pulumi.Map{}
	if !p.right {
		values = pulumi.Map{
			"build": pulumi.String("10.0.26100"), "privileged": pulumi.Bool(false), "byClass": pulumi.Bool(true),
		}
	}
	if _, err := helmv4.NewChart(p.ctx, "chart", &helmv4.ChartArgs{
		Chart: pulumi.String("./chart"), Values: values,
	}, p.after); err != nil {
		return err
	}
	_, err := yamlv2.NewConfigGroup(p.ctx, "group", &yamlv2.ConfigGroupArgs{
		Files: pulumi.StringArray{p.choose("group.yaml", "group-right.yaml")},
	}, p.after)
	return err
}
