package workload_test

import (
	"testing"

	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
)

func TestOutputsAreCompletedOnceTheyAreKnown(t *testing.T) {
	t.Parallel()
	own := selector("10.0.20348")
	own["disk"] = "ssd"
	known := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	noName := known("").ApplyT(func(string) *string { return nil }).(pulumi.StringPtrOutput)
	gpu := pulumicorev1.TolerationArgs{Key: pulumi.String("gpu"), Operator: pulumi.String("Exists")}
	tests := []completionTest{
		{
			"os is kept", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: pulumi.String("windows")}.ToPodOSPtrOutput()},
			byClass(nil),
		},
		{
			"os that turns out to be nothing is filled in", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSPtr(nil).ToPodOSPtrOutput()},
			byClass(nil),
		},
		{
			"os.name is kept", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: known("windows")}},
			byClass(nil),
		},
		{
			"runtimeClassName is kept, with the selector beside it", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: known("my-class").ToStringPtrOutput()},
			bySelector(map[string]any{"runtimeClassName": "my-class"}),
		},
		{
			"runtimeClassName that turns out to be the platform's has the selector beside it as well",
			workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: known("windows-2022")},
			bySelector(map[string]any{"runtimeClassName": "windows-2022"}),
		},
		{
			"runtimeClassName that turns out to be nothing stays nothing, with the selector beside it",
			workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: noName},
			bySelector(nil),
		},
		{
			"runtimeClassName that turns out to be nothing stays nothing beside a selector", workload.BySelector,
			pulumicorev1.PodSpecArgs{RuntimeClassName: noName},
			bySelector(nil),
		},
		{
			"nodeName is kept, with the selector beside it", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeName: known("win22-0")},
			bySelector(map[string]any{"nodeName": "win22-0"}),
		},
		{
			"nodeSelector is merged", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"disk": pulumi.String("ssd")}.ToStringMapOutput()},
			bySelector(map[string]any{"nodeSelector": own}),
		},
		{
			"nodeSelector is kept beside a RuntimeClass", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"disk": pulumi.String("ssd")}.ToStringMapOutput()},
			byClass(map[string]any{"nodeSelector": map[string]any{"disk": "ssd"}}),
		},
		{
			"entries of nodeSelector are kept", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				"disk":             known("ssd"),
				"kubernetes.io/os": known("windows"),
			}},
			bySelector(map[string]any{"nodeSelector": own}),
		},
		{
			"a secret nodeSelector stays a secret", workload.BySelector,
			pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.ToSecret(pulumi.StringMap{"disk": pulumi.String("ssd")}).(pulumi.StringMapOutput),
			},
			bySelector(map[string]any{"nodeSelector": mocktest.SecretValue}),
		},
		{
			"tolerations are appended to", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{gpu}.ToTolerationArrayOutput()},
			bySelector(map[string]any{"tolerations": []any{
				map[string]any{"key": "gpu", "operator": "Exists"},
				windowsToleration(),
			}}),
		},
		{
			"the needed toleration is not doubled", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{gpu, pulumicorev1.TolerationArgs{
				Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
				Effect: pulumi.String("NoSchedule"),
			}}.ToTolerationArrayOutput()},
			bySelector(map[string]any{"tolerations": []any{
				map[string]any{"key": "gpu", "operator": "Exists"},
				windowsToleration(),
			}}),
		},
		{
			"one that is written differently stays", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{pulumicorev1.TolerationArgs{
				Key: pulumi.String("os"), Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
			}}.ToTolerationArrayOutput()},
			bySelector(map[string]any{"tolerations": []any{
				map[string]any{"key": "os", "value": "windows", "effect": "NoSchedule"}, windowsToleration(),
			}}),
		},
		{
			"one that ends after some time is not the needed one", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{pulumicorev1.TolerationArgs{
				Key: pulumi.String("os"), Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
				TolerationSeconds: pulumi.Int(60),
			}}.ToTolerationArrayOutput()},
			bySelector(map[string]any{"tolerations": []any{
				map[string]any{"key": "os", "value": "windows", "effect": "NoSchedule", "tolerationSeconds": 60},
				windowsToleration(),
			}}),
		},
		{
			"a toleration with an output in it is not looked into", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{
				pulumicorev1.TolerationArgs{
					Key: known("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
					Effect: pulumi.String("NoSchedule"),
				},
				gpu.ToTolerationOutput(),
			}},
			bySelector(map[string]any{"tolerations": []any{
				windowsToleration(), map[string]any{"key": "gpu", "operator": "Exists"}, windowsToleration(),
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

func TestUnknownValuesStayUnknownInAPreview(t *testing.T) {
	t.Parallel()
	text := mocktest.Unknown[pulumi.StringOutput]()
	partly := selector("10.0.20348")
	partly["kubernetes.io/os"], partly["disk"] = mocktest.UnknownValue, mocktest.UnknownValue
	tests := []completionTest{
		{
			"os", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: mocktest.Unknown[pulumicorev1.PodOSPtrOutput]()},
			byClass(map[string]any{"os": mocktest.UnknownValue}),
		},
		{
			"os.name", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: text}},
			byClass(map[string]any{"os": map[string]any{"name": mocktest.UnknownValue}}),
		},
		{
			"runtimeClassName, while the selector beside it is known", workload.ByRuntimeClass,
			pulumicorev1.PodSpecArgs{RuntimeClassName: text},
			bySelector(map[string]any{"runtimeClassName": mocktest.UnknownValue}),
		},
		{
			"nodeSelector", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeSelector: mocktest.Unknown[pulumi.StringMapOutput]()},
			bySelector(map[string]any{"nodeSelector": mocktest.UnknownValue}),
		},
		{
			"entries of nodeSelector, while the others are known", workload.BySelector,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/os": text, "disk": text}},
			bySelector(map[string]any{"nodeSelector": partly}),
		},
		{
			"tolerations", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: mocktest.Unknown[pulumicorev1.TolerationArrayOutput]()},
			bySelector(map[string]any{"tolerations": mocktest.UnknownValue}),
		},
		{
			"the value of a toleration, while the needed one is known", workload.BySelector,
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{pulumicorev1.TolerationArgs{Key: text}}},
			bySelector(map[string]any{"tolerations": []any{
				map[string]any{"key": mocktest.UnknownValue},
				windowsToleration(),
			}}),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffPods(t, mocktest.MustRun(t, tt.program(), mocktest.Preview()), tt.want)
		})
	}
}
