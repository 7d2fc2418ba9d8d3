package workload_test

import (
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// The value of an output is checked when it is known. If it is a secret, the error must name the place of the mistake,
// and not show the value.
func TestASecretThatContradictsTheArgumentsIsNotShown(t *testing.T) {
	t.Parallel()
	const (
		at      = `spec.template.spec.`
		os      = ": [secret]: … (MK207)"
		release = ": [secret]: … (MK208)"
		windows = at + `securityContext.windowsOptions.`
		user    = windows + `runAsUserName: Invalid value: "[secret]": contradicts the argument User, which is ` +
			`"ContainerUser": remove one of the two`
		spec = windows + `gmsaCredentialSpecName: Invalid value: "[secret]": contradicts the argument ` +
			`CredentialSpec, whose name is "shop": remove one of the two`
		both = "\n  " + spec + "\n  " + user
	)
	hidden := func(s string) pulumi.StringOutput { return pulumi.ToSecret(pulumi.String(s)).(pulumi.StringOutput) }
	linux := pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")}
	others := corev1.WindowsSecurityContextOptionsArgs{
		RunAsUserName:          pulumi.String("web"),
		GmsaCredentialSpecName: pulumi.String("store"),
	}
	secretOthers := pulumi.ToSecret(
		others.ToWindowsSecurityContextOptionsPtrOutput(),
	).(corev1.WindowsSecurityContextOptionsPtrOutput)
	tests := []struct {
		name       string
		scheduling workload.Scheduling
		pods       corev1.PodSpecArgs
		want       string
	}{
		{
			"os", workload.ByRuntimeClass,
			corev1.PodSpecArgs{
				Os: pulumi.ToSecret(
					corev1.PodOSArgs{Name: pulumi.String("linux")}.ToPodOSPtrOutput(),
				).(corev1.PodOSPtrOutput),
			},
			" " + at + `os.name` + os,
		},
		{
			"os.name", workload.ByRuntimeClass,
			corev1.PodSpecArgs{Os: corev1.PodOSArgs{Name: hidden("linux")}},
			" " + at + `os.name` + os,
		},
		{
			"os with a secret in it", workload.ByRuntimeClass,
			corev1.PodSpecArgs{Os: corev1.PodOSArgs{Name: hidden("linux")}.ToPodOSPtrOutput()},
			" " + at + `os.name` + os,
		},
		{
			"runtimeClassName", workload.ByRuntimeClass,
			corev1.PodSpecArgs{RuntimeClassName: hidden("windows-2019")},
			" " + at + `runtimeClassName` + release,
		},
		{
			"nodeSelector", workload.BySelector,
			corev1.PodSpecArgs{NodeSelector: pulumi.ToSecret(linux.ToStringMapOutput()).(pulumi.StringMapOutput)},
			" " + at + `nodeSelector[kubernetes.io/os]` + os,
		},
		{
			"nodeSelector beside a RuntimeClass", workload.ByRuntimeClass,
			corev1.PodSpecArgs{NodeSelector: pulumi.ToSecret(linux.ToStringMapOutput()).(pulumi.StringMapOutput)},
			" " + at + `nodeSelector[kubernetes.io/os]` + os,
		},
		{
			"an entry of nodeSelector that is not an operating system", workload.BySelector,
			corev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/os": hidden("darwin")}},
			" " + at + `nodeSelector[kubernetes.io/os]: Invalid value: "[secret]": no node of the platform ` +
				`windows-2022 has it: write "windows", or remove it`,
		},
		{
			"an entry of nodeSelector", workload.BySelector,
			corev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/os": hidden("linux")}},
			" " + at + `nodeSelector[kubernetes.io/os]` + os,
		},
		{
			"the security context", workload.ByRuntimeClass,
			corev1.PodSpecArgs{
				SecurityContext: pulumi.ToSecret(
					options(others).ToPodSecurityContextPtrOutput(),
				).(corev1.PodSecurityContextPtrOutput),
			},
			both,
		},
		{"the options", workload.ByRuntimeClass, corev1.PodSpecArgs{SecurityContext: options(secretOthers)}, both},
		{
			"the user", workload.ByRuntimeClass,
			corev1.PodSpecArgs{
				SecurityContext: options(corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: hidden("web")}),
			},
			" " + user,
		},
		{
			"the spec", workload.ByRuntimeClass,
			corev1.PodSpecArgs{
				SecurityContext: options(
					corev1.WindowsSecurityContextOptionsArgs{GmsaCredentialSpecName: hidden("store")},
				),
			},
			" " + spec,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.pods.Containers = containers
			_, err := mocktest.Run(deploy(&workload.DeploymentArgs{
				Platform: platform.WindowsServer2022, Scheduling: tt.scheduling, Spec: withPods(tt.pods),
				User: workload.ContainerUser, CredentialSpec: named("shop"),
			}))
			golden.Error(t, err, fromSDK+`mixedkube:workload:Deployment "web":`+tt.want)
		})
	}
}
