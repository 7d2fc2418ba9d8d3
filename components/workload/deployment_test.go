package workload_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	componentType = "mixedkube:workload:Deployment"
	componentURN  = "urn:pulumi:stack::project::mixedkube:workload:Deployment::web"
	deploymentURN = "urn:pulumi:stack::project::" +
		"mixedkube:workload:Deployment$kubernetes:apps/v1:Deployment::web-deployment"
)

var mixed = topology.Topology{Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022, Labels: map[string]string{"disk": "ssd"}},
}}

// full returns a Deployment in which the program sets many fields, all of them plain.
func full() *workload.DeploymentArgs {
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	return &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022,
		Metadata: metav1.ObjectMetaArgs{
			Name: pulumi.String("web"), Namespace: pulumi.String("shop"), Labels: labels,
			Annotations: pulumi.StringMap{"pulumi.com/skipAwait": pulumi.String("true")},
		},
		Spec: appsv1.DeploymentSpecArgs{
			MinReadySeconds:      pulumi.Int(5),
			Paused:               pulumi.Bool(false),
			Replicas:             pulumi.IntPtr(3),
			RevisionHistoryLimit: pulumi.Int(2),
			Selector:             &metav1.LabelSelectorArgs{MatchLabels: labels},
			Strategy:             appsv1.DeploymentStrategyArgs{Type: pulumi.String("Recreate")},
			Template: pulumicorev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: pulumicorev1.PodSpecArgs{
					Containers: pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{
						Name: pulumi.String("web"), Image: pulumi.String("example.com/web:ltsc2022"),
						Env: pulumicorev1.EnvVarArray{pulumicorev1.EnvVarArgs{
							Name:  pulumi.String("KEY"),
							Value: pulumi.ToSecret(pulumi.String("s3cret")).(pulumi.StringOutput),
						}},
					}},
					NodeSelector:                  pulumi.StringMap{"disk": pulumi.String("ssd")},
					ServiceAccountName:            pulumi.String("web"),
					TerminationGracePeriodSeconds: pulumi.Int(60),
					Tolerations: pulumicorev1.TolerationArray{pulumicorev1.TolerationArgs{
						Key: pulumi.String("gpu"), Operator: pulumi.String("Exists"),
					}},
				},
			},
		},
	}
}

func TestTheWholeGraphOfADeployment(t *testing.T) {
	t.Parallel()
	// Apart from the fields that the platform needs, the Deployment is the one that pulumi-kubernetes creates from the
	// same arguments.
	ordinary := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := appsv1.NewDeployment(ctx, "web", &appsv1.DeploymentArgs{Metadata: full().Metadata, Spec: full().Spec})
		return err
	}).Resources()[0]
	inputs := ordinary.Plain()
	pods := inputs["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	pods["os"] = map[string]any{"name": "windows"}
	pods["runtimeClassName"] = "windows-2022"

	// The SDK itself does not accept a pod spec through a pointer.
	pointers := func() *workload.DeploymentArgs {
		args := full()
		template := args.Spec.Template.(pulumicorev1.PodTemplateSpecArgs)
		pods := template.Spec.(pulumicorev1.PodSpecArgs)
		template.Spec = pulumicorev1.PodSpecPtr(&pods)
		args.Spec.Template = &template
		return args
	}
	preview := []mocktest.Option{mocktest.Preview()}
	tests := []struct {
		name    string
		args    *workload.DeploymentArgs
		options []mocktest.Option
		id      string
	}{
		{"in an update", full(), nil, "web-deployment-id"},
		{"in a preview", full(), preview, ""},
		{"in an update, with pointers to template and pod spec", pointers(), nil, "web-deployment-id"},
		{"in a preview, with pointers to template and pod spec", pointers(), preview, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, deploy(tt.args), tt.options...)
			registered := graph.Resources()
			if len(registered) != 2 {
				t.Fatalf("registered %v, want the component and the Deployment", registered)
			}
			child, component := registered[0], registered[1]
			if diff := cmp.Diff(inputs, child.Plain()); diff != "" {
				t.Errorf("the Deployment's inputs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"spec.template.spec.containers[0].env[0].value"},
				child.Secrets()); diff != "" {
				t.Errorf("secrets (-want +got):\n%s", diff)
			}
			child.Inputs = nil
			if diff := cmp.Diff(mocktest.Resource{
				URN: deploymentURN, Type: deploymentType, Name: "web-deployment", Parent: componentURN, Custom: true,
				ID:      tt.id,
				Aliases: ordinary.Aliases, Version: ordinary.Version, PluginDownloadURL: ordinary.PluginDownloadURL,
				CustomTimeouts: mocktest.CustomTimeouts{Create: "30m", Update: "30m"},
			}, child); diff != "" {
				t.Errorf("the Deployment (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(mocktest.Resource{
				URN: componentURN, Type: componentType, Name: "web",
				Inputs:  resource.PropertyMap{},
				Outputs: resource.PropertyMap{"name": resource.NewProperty("web")},
			}, component); diff != "" {
				t.Errorf("the component (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheNameOfADeploymentThatPulumiNamesIsUnknownInAPreview(t *testing.T) {
	t.Parallel()
	program := func(ctx *pulumi.Context) error {
		d, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
			Platform: platform.Linux, Spec: withPods(pulumicorev1.PodSpecArgs{Containers: containers}),
		})
		if err != nil {
			return err
		}
		ctx.Export("name", d.Name)
		ctx.Export("namespace", d.Deployment.Metadata.Namespace())
		return nil
	}
	preview := mocktest.MustRun(t, program, mocktest.Preview())
	want := map[string]any{"name": mocktest.UnknownValue, "namespace": mocktest.UnknownValue}
	if diff := cmp.Diff(want, mocktest.Plain(preview.Exports())); diff != "" {
		t.Errorf("exports of the preview (-want +got):\n%s", diff)
	}
	update := mocktest.MustRun(t, program, mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.NewPropertyMapFromMap(map[string]any{"metadata": map[string]any{
			"name":      "web-1a2b",
			"namespace": "default",
		}})
	}))
	want = map[string]any{"name": "web-1a2b", "namespace": "default"}
	if diff := cmp.Diff(want, mocktest.Plain(update.Exports())); diff != "" {
		t.Errorf("exports of the update (-want +got):\n%s", diff)
	}
}

func TestADeploymentWaitsForItsRuntimeClass(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: mixed})
		if err != nil {
			return err
		}
		return deploy(full(), pulumi.DependsOn(classes.Ready(platform.WindowsServer2022)))(ctx)
	})
	component, err := graph.Get(componentType, "web")
	if err != nil {
		t.Fatal(err)
	}
	want := []resource.URN{
		"urn:pulumi:stack::project::mixedkube:runtimeclass:Set$" +
			"kubernetes:node.k8s.io/v1:RuntimeClass::windows-windows-2022",
	}
	if diff := cmp.Diff(want, component.Dependencies); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
}

func TestTheOptionsOfTheComponentReachTheDeployment(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
		if err != nil {
			return err
		}
		return deploy(full(), pulumi.Provider(provider), pulumi.Protect(true))(ctx)
	}, mocktest.Preview())
	deployment, err := graph.Get(deploymentType, "web-deployment")
	if err != nil {
		t.Fatal(err)
	}
	want := resource.URN("urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster")
	if deployment.Provider != want {
		t.Errorf("the provider is %q, want %q", deployment.Provider, want)
	}
	if !deployment.Protect {
		t.Error("the Deployment is not protected")
	}
}

func TestArgumentsOfTheCallerAreNotChanged(t *testing.T) {
	t.Parallel()
	for name, scheduling := range map[string]workload.Scheduling{
		"by RuntimeClass": workload.ByRuntimeClass, "by selector": workload.BySelector,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The list has spare capacity, so that an append to it would write there.
			tolerations := make(pulumicorev1.TolerationArray, 1, 4)
			tolerations[0] = pulumicorev1.TolerationArgs{Key: pulumi.String("gpu"), Operator: pulumi.String("Exists")}
			args := func(tolerations pulumicorev1.TolerationArray) *workload.DeploymentArgs {
				return &workload.DeploymentArgs{
					Platform: platform.WindowsServer2022, Scheduling: scheduling, Topology: mixed,
					Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("web")},
					Spec: appsv1.DeploymentSpecArgs{
						Template: &pulumicorev1.PodTemplateSpecArgs{Spec: &pulumicorev1.PodSpecArgs{
							Os:           &pulumicorev1.PodOSArgs{},
							NodeSelector: pulumi.StringMap{"disk": pulumi.String("ssd")},
							Tolerations:  tolerations,
							Containers:   containers,
						}},
					},
				}
			}
			got := args(tolerations)
			mocktest.MustRun(t, deploy(got))
			if diff := cmp.Diff(args(slices.Clone(tolerations)), got); diff != "" {
				t.Errorf("NewDeployment changed its arguments (-before +after):\n%s", diff)
			}
			if behind := tolerations[1:cap(tolerations)]; behind[0] != nil {
				t.Errorf("NewDeployment wrote behind the tolerations: %v", behind)
			}
		})
	}
}

func TestWrongArgumentsAreRefusedBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	const (
		runs       = `a pool runs linux, windows-2019, windows-2022 or windows-2025`
		noPlatform = `platform: Required value: set what the containers run on, for example platform.WindowsServer2022`
		noTemplate = `spec.template: Required value: a workload needs the template of its pods`
		noPods     = `spec.template.spec: Required value: a workload needs the spec of its pods`
	)
	pods := withPods(pulumicorev1.PodSpecArgs{Containers: containers})
	tests := []struct {
		name string
		args *workload.DeploymentArgs
		want string
	}{
		{"no arguments", nil, strings.TrimSuffix(subject, " ") + "\n  " + noPlatform + "\n  " + noTemplate},
		{"no platform", &workload.DeploymentArgs{Spec: pods}, subject + noPlatform},
		{
			"a platform that does not exist", &workload.DeploymentArgs{Platform: "windows-2023", Spec: pods},
			subject + `platform: Invalid value: "windows-2023": unknown platform: did you mean "windows-2022"? ` + runs,
		},
		{
			"a platform that no node can have",
			&workload.DeploymentArgs{Platform: platform.WindowsServer2016, Spec: pods},
			subject + `platform: Invalid value: "windows-2016": Windows Server 2016 is no longer supported as a ` +
				`node: ` + runs,
		},
		{
			"a platform that no node can have, scheduled by selector",
			&workload.DeploymentArgs{Platform: platform.WindowsServer23H2, Spec: pods, Scheduling: workload.BySelector},
			subject + `platform: Invalid value: "windows-23h2": Windows Server, version 23H2 is no longer supported ` +
				`as a node: ` + runs,
		},
		{
			"a platform that no node can have, and none of the topology has",
			&workload.DeploymentArgs{Platform: platform.WindowsServer1709, Topology: mixed, Spec: pods},
			subject + `platform: Invalid value: "windows-1709": Windows Server, version 1709 is no longer supported ` +
				`as a node: ` + runs,
		},
		{
			"a platform that no node can have, of the pool as well",
			&workload.DeploymentArgs{
				Platform: platform.WindowsServer20H2, Spec: pods,
				Topology: topology.Topology{Pools: []topology.Pool{
					{Name: "sys", Platform: platform.Linux}, {Name: "sac", Platform: platform.WindowsServer20H2},
				}},
			},
			strings.TrimSuffix(subject, " ") + `
  platform: Invalid value: "windows-20h2": Windows Server, version 20H2 ` +
				`is no longer supported as a node: ` + runs + `
  topology.pools[1].platform: Invalid value: "windows-20h2": Windows Server, version 20H2 ` +
				`is no longer supported as a node: ` + runs,
		},
		{
			"a spelling that only platform.Parse understands",
			&workload.DeploymentArgs{Platform: "ltsc2022", Spec: pods},
			subject + `platform: Invalid value: "ltsc2022": use platform.Parse for this spelling, or write ` +
				`"windows-2022"`,
		},
		{
			"a platform without a pool",
			&workload.DeploymentArgs{Platform: platform.WindowsServer2019, Topology: mixed, Spec: pods},
			subject + `platform: Invalid value: "windows-2019": no pool of the topology runs it, only linux, ` +
				`windows-2022: add a pool, or use one of these`,
		},
		{
			"a topology that is wrong itself",
			&workload.DeploymentArgs{
				Platform: platform.WindowsServer2022, Spec: pods,
				Topology: topology.Topology{Pools: []topology.Pool{
					{
						Name: "win22", Platform: platform.WindowsServer2022,
						Taints: []corev1.Taint{{Key: "os", Effect: "NoSchedul"}},
					},
				}},
			},
			strings.TrimSuffix(subject, " ") + `
  topology.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on Linux only
  topology.pools[0].taints[0].effect: Invalid value: "NoSchedul": did you mean "NoSchedule"? ` +
				`valid effects are NoSchedule, PreferNoSchedule, NoExecute`,
		},
		{
			"a topology without pools",
			&workload.DeploymentArgs{
				Platform: platform.Linux, Spec: pods,
				Topology: topology.Topology{KubernetesVersion: "1.36"},
			},
			subject + `topology.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run ` +
				`on Linux only`,
		},
		{
			"a way of scheduling that does not exist",
			&workload.DeploymentArgs{Platform: platform.Linux, Spec: pods, Scheduling: "ByName"},
			subject + `scheduling: Invalid value: "ByName": use ByRuntimeClass or BySelector`,
		},
		{"no template", &workload.DeploymentArgs{Platform: platform.Linux}, subject + noTemplate},
		{
			"a nil pointer as the template",
			&workload.DeploymentArgs{
				Platform: platform.Linux,
				Spec:     appsv1.DeploymentSpecArgs{Template: (*pulumicorev1.PodTemplateSpecArgs)(nil)},
			},
			subject + noTemplate,
		},
		{
			"a template as an output",
			&workload.DeploymentArgs{Platform: platform.Linux, Spec: appsv1.DeploymentSpecArgs{
				Template: pulumicorev1.PodTemplateSpecArgs{}.ToPodTemplateSpecOutput(),
			}},
			subject + `spec.template: Invalid value: "an output": write it as corev1.PodTemplateSpecArgs, with ` +
				`outputs in its fields, so that it can be completed for the platform`,
		},
		{"no pod spec", &workload.DeploymentArgs{Platform: platform.Linux, Spec: withPods(nil)}, subject + noPods},
		{
			"a nil pointer as the pod spec",
			&workload.DeploymentArgs{Platform: platform.Linux, Spec: withPods(pulumicorev1.PodSpecPtr(nil))},
			subject + noPods,
		},
		{
			"a pod spec as an output",
			&workload.DeploymentArgs{
				Platform: platform.Linux,
				Spec:     withPods(pulumicorev1.PodSpecArgs{}.ToPodSpecPtrOutput()),
			},
			subject + `spec.template.spec: Invalid value: "an output": write it as corev1.PodSpecArgs, with outputs ` +
				`in its fields, so that it can be completed for the platform`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(deploy(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, tt.want)
		})
	}
}

func TestAMistakeAboutWindowsIsRefusedByTheRulesOfPreflight(t *testing.T) {
	t.Parallel()
	mistaken := func(image string) *workload.DeploymentArgs {
		return &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022,
			Spec: withPods(pulumicorev1.PodSpecArgs{
				SecurityContext: pulumicorev1.PodSecurityContextArgs{FsGroup: pulumi.Int(2000)},
				Containers: pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{
					Name: pulumi.String("web"), Image: pulumi.String(image),
					SecurityContext: pulumicorev1.SecurityContextArgs{Privileged: pulumi.Bool(false)},
				}},
			}),
		}
	}
	conflicting := mistaken("example.com/web:1")
	pods := conflicting.Spec.Template.(pulumicorev1.PodTemplateSpecArgs)
	spec := pods.Spec.(pulumicorev1.PodSpecArgs)
	spec.Os = pulumicorev1.PodOSArgs{Name: pulumi.String("linux")}
	pods.Spec = spec
	conflicting.Spec.Template = pods
	unknown := mistaken("example.com/web:1")
	unknown.Spec.Template = pulumicorev1.PodTemplateSpecArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: pulumi.StringMap{"app": pulumi.String("web")}},
		Spec: pulumicorev1.PodSpecArgs{
			Containers: pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{
				Name:  pulumi.String("web"),
				Image: pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2019").ToStringOutput(),
			}},
		},
	}
	suppressed := mistaken("example.com/web:1")
	suppressed.Metadata = metav1.ObjectMetaArgs{
		Annotations: pulumi.StringMap{preflight.IgnoreAnnotation: pulumi.String("MK118, MK127")},
	}
	tests := []struct {
		name string
		args *workload.DeploymentArgs
		want string
	}{
		{
			"all of them, with paths and IDs", mistaken("mcr.microsoft.com/windows/servercore:ltsc2019"),
			"mixedkube:workload:Deployment \"web\":\n  spec.template.spec.containers[0].image: … (MK201)\n" +
				"  spec.template.spec.containers[0].securityContext.privileged: … (MK127)\n" +
				"  spec.template.spec.securityContext.fsGroup: … (MK118)",
		},
		{
			"with contradictions to the platform, each field once", conflicting,
			subject + "spec.template.spec.os.name: … (MK207)",
		},
		{"an output says nothing yet", unknown, ""},
		{"what the Deployment suppresses", suppressed, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(deploy(tt.args), mocktest.Preview())
			if tt.want != "" {
				golden.Refused(t, graph.Resources(), err, tt.want)
				if _, ok := errors.AsType[*field.Error](err); !ok {
					t.Errorf("there is no *field.Error in %v", err)
				}
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}
