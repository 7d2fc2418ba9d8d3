package workload_test

import (
	"maps"
	"testing"

	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestPodDefaultsOfEachPlatform(t *testing.T) {
	t.Parallel()
	class := func(name string) map[string]any {
		return map[string]any{"os": map[string]any{"name": "windows"}, "runtimeClassName": name}
	}
	selected := func(build string) map[string]any {
		return map[string]any{
			"os": map[string]any{"name": "windows"}, "nodeSelector": selector(build),
			"tolerations": []any{windowsToleration()},
		}
	}
	linux := map[string]any{
		"os": map[string]any{"name": "linux"}, "nodeSelector": map[string]any{"kubernetes.io/os": "linux"},
	}
	want := map[platform.Platform]map[workload.Scheduling]map[string]any{
		platform.Linux: {workload.ByRuntimeClass: linux, workload.BySelector: linux},
		platform.WindowsServer2019: {
			workload.ByRuntimeClass: class("windows-2019"),
			workload.BySelector:     selected("10.0.17763"),
		},
		platform.WindowsServer2022: {
			workload.ByRuntimeClass: class("windows-2022"),
			workload.BySelector:     selected("10.0.20348"),
		},
		platform.WindowsServer2025: {
			workload.ByRuntimeClass: class("windows-2025"),
			workload.BySelector:     selected("10.0.26100"),
		},
	}
	names := map[workload.Scheduling]string{
		workload.ByRuntimeClass: "by RuntimeClass",
		workload.BySelector:     "by selector",
	}
	for _, p := range topology.PoolPlatforms() {
		for scheduling, how := range names {
			t.Run(p.String()+" "+how, func(t *testing.T) {
				t.Parallel()
				pods, ok := want[p][scheduling]
				if !ok {
					t.Fatal("the test does not know this platform")
				}
				args := &workload.DeploymentArgs{
					Platform: p, Scheduling: scheduling,
					Spec: withPods(pulumicorev1.PodSpecArgs{Containers: containers}),
				}
				diffPods(t, mocktest.MustRun(t, deploy(args)), pods)
				diffPods(t, mocktest.MustRun(t, deploy(args), mocktest.Preview()), pods)
			})
		}
	}
}

func TestTolerationsFromTheTopology(t *testing.T) {
	t.Parallel()
	team := corev1.Taint{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoExecute}
	spot := corev1.Taint{Key: "spot", Effect: corev1.TaintEffectNoSchedule}
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win19", Platform: platform.WindowsServer2019},
		{Name: "a", Platform: platform.WindowsServer2022, Taints: []corev1.Taint{team, spot, topology.WindowsTaint()}},
		{Name: "b", Platform: platform.WindowsServer2022, Taints: []corev1.Taint{spot, team}},
		{Name: "win25", Platform: platform.WindowsServer2025, Untainted: true},
	}}
	tests := []struct {
		name       string
		platform   platform.Platform
		scheduling workload.Scheduling
		want       map[string]any
	}{
		{
			"taints that all pools of the platform share are tolerated, and the default one of some",
			platform.WindowsServer2022, workload.BySelector,
			map[string]any{
				"os": map[string]any{"name": "windows"}, "nodeSelector": selector("10.0.20348"),
				"tolerations": []any{
					map[string]any{"key": "team", "operator": "Equal", "value": "shop", "effect": "NoExecute"},
					map[string]any{"key": "spot", "operator": "Equal", "effect": "NoSchedule"},
					windowsToleration(),
				},
			},
		},
		{
			"the default taint of a pool that says nothing is", platform.WindowsServer2019, workload.BySelector,
			map[string]any{
				"os": map[string]any{"name": "windows"}, "nodeSelector": selector("10.0.17763"),
				"tolerations": []any{windowsToleration()},
			},
		},
		{"pools without taints need none", platform.WindowsServer2025, workload.BySelector, map[string]any{
			"os": map[string]any{"name": "windows"}, "nodeSelector": selector("10.0.26100"),
		}},
		{"a RuntimeClass brings its own", platform.WindowsServer2022, workload.ByRuntimeClass, map[string]any{
			"os": map[string]any{"name": "windows"}, "runtimeClassName": "windows-2022",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, deploy(&workload.DeploymentArgs{
				Platform: tt.platform, Scheduling: tt.scheduling, Topology: cluster,
				Spec: withPods(pulumicorev1.PodSpecArgs{Containers: containers}),
			}))
			diffPods(t, graph, tt.want)
		})
	}
}

// completionTest completes a pod spec for windows-2022.
type completionTest struct {
	name       string
	scheduling workload.Scheduling
	pods       pulumicorev1.PodSpecArgs
	want       map[string]any
}

func (tt completionTest) program() pulumi.RunFunc {
	tt.pods.Containers = containers
	return deploy(&workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Scheduling: tt.scheduling, Spec: withPods(tt.pods),
	})
}

// byClass and bySelector are the fields that the pods get, with some of them replaced.
func byClass(overrides map[string]any) map[string]any {
	return overridden(map[string]any{"os": map[string]any{"name": "windows"}, "runtimeClassName": "windows-2022"},
		overrides)
}

func bySelector(overrides map[string]any) map[string]any {
	return overridden(map[string]any{
		"os": map[string]any{"name": "windows"}, "nodeSelector": selector("10.0.20348"),
		"tolerations": []any{windowsToleration()},
	}, overrides)
}

func overridden(base, overrides map[string]any) map[string]any {
	maps.Copy(base, overrides)
	return base
}

func TestFieldsOfTheProgramAreRetained(t *testing.T) {
	t.Parallel()
	own := selector("10.0.20348")
	own["disk"] = "ssd"
	gpu := map[string]any{"key": "gpu", "operator": "Exists"}
	gpuArgs := pulumicorev1.TolerationArgs{Key: pulumi.String("gpu"), Operator: pulumi.String("Exists")}
	osArgs := func(operator pulumi.StringPtrInput) pulumicorev1.TolerationArgs {
		return pulumicorev1.TolerationArgs{
			Key: pulumi.StringPtr("os"), Operator: operator, Value: pulumi.String("windows"),
			Effect: pulumi.String("NoSchedule"),
		}
	}
	tests := []completionTest{
		{
			"the same operating system", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: pulumi.String("windows")}},
			byClass(nil),
		},
		{
			"the same operating system through a pointer", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{
				Os: pulumicorev1.PodOSPtr(&pulumicorev1.PodOSArgs{Name: pulumi.String("windows")}),
			},
			byClass(nil),
		},
		{
			"an operating system without a name is completed", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{}},
			byClass(nil),
		},
		{
			"nil pointers, maps and lists count as left out", workload.BySelector,
			pulumicorev1.PodSpecArgs{
				Os: pulumicorev1.PodOSPtr(nil), RuntimeClassName: (*pulumi.String)(nil),
				NodeSelector: pulumi.StringMap(nil), Tolerations: pulumicorev1.TolerationArray(nil),
			},
			bySelector(nil),
		},
		{
			"the platform's RuntimeClass", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.String("windows-2022")},
			byClass(nil),
		},
		{
			"the platform's RuntimeClass through a pointer", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.StringPtr("windows-2022")},
			byClass(nil),
		},
		{
			"a RuntimeClass of one's own, which may select nothing", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.String("my-class")},
			bySelector(map[string]any{"runtimeClassName": "my-class"}),
		},
		{
			"a RuntimeClass of one's own through a pointer", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.StringPtr("my-class")},
			bySelector(map[string]any{"runtimeClassName": "my-class"}),
		},
		{
			"a RuntimeClass of one's own, with selector and tolerations to be completed", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{
				RuntimeClassName: pulumi.String("my-class"),
				NodeSelector: pulumi.StringMap{
					"disk":             pulumi.String("ssd"),
					"kubernetes.io/os": pulumi.String("windows"),
				},
				Tolerations: pulumicorev1.TolerationArray{gpuArgs},
			},
			bySelector(map[string]any{
				"runtimeClassName": "my-class", "nodeSelector": own, "tolerations": []any{gpu, windowsToleration()},
			}),
		},
		{
			"the platform's RuntimeClass beside the selector", workload.BySelector,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.String("windows-2022")},
			map[string]any{"os": map[string]any{"name": "windows"}, "runtimeClassName": "windows-2022"},
		},
		{
			"a RuntimeClass beside the selector", workload.BySelector,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.String("my-class")},
			bySelector(map[string]any{"runtimeClassName": "my-class"}),
		},
		{
			"pods that name their node get nothing", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeName: pulumi.String("win22-0")},
			map[string]any{"nodeName": "win22-0"},
		},
		{
			"an empty nodeName counts as unset", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeName: pulumi.String("")},
			bySelector(map[string]any{"nodeName": ""}),
		},
		{
			"entries of the node selector beside a RuntimeClass", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				"disk":             pulumi.String("ssd"),
				"kubernetes.io/os": pulumi.String("windows"),
			}},
			byClass(map[string]any{"nodeSelector": map[string]any{"disk": "ssd", "kubernetes.io/os": "windows"}}),
		},
		{
			"entries of the node selector are merged", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				"disk":               pulumi.String("ssd"),
				"kubernetes.io/arch": pulumi.String("amd64"),
			}},
			bySelector(map[string]any{"nodeSelector": own}),
		},
		{
			"an entry without a value counts as left out", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				"disk":             pulumi.String("ssd"),
				"kubernetes.io/os": nil,
			}},
			bySelector(map[string]any{"nodeSelector": own}),
		},
		{
			"tolerations come before those that are added", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{gpuArgs}},
			bySelector(map[string]any{"tolerations": []any{gpu, windowsToleration()}}),
		},
		{
			"tolerations beside a RuntimeClass", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{gpuArgs}},
			byClass(map[string]any{"tolerations": []any{gpu}}),
		},
		{
			"the needed toleration is not doubled", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{
				osArgs(pulumi.String("Equal")),
				gpuArgs,
			}},
			bySelector(map[string]any{"tolerations": []any{windowsToleration(), gpu}}),
		},
		{
			"nor where its operator is left out, which means the same", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{osArgs(nil)}},
			bySelector(map[string]any{"tolerations": []any{map[string]any{
				"key": "os", "value": "windows",
				"effect": "NoSchedule",
			}}}),
		},
		{
			"one whose seconds make no difference is the needed one", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{&pulumicorev1.TolerationArgs{
				Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
				Effect: pulumi.String("NoSchedule"), TolerationSeconds: pulumi.Int(60),
			}}},
			bySelector(map[string]any{"tolerations": []any{
				map[string]any{
					"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule",
					"tolerationSeconds": 60,
				},
			}}),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffPods(t, mocktest.MustRun(t, tt.program()), tt.want)
			diffPods(t, mocktest.MustRun(t, tt.program(), mocktest.Preview()), tt.want)
		})
	}
}
