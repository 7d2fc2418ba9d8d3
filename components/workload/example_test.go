package workload_test

import (
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/workload"
)

// The arguments are those of pulumi-kubernetes; the platform adds the rest.
func ExampleNewDeployment() {
	program := func(ctx *pulumi.Context) error {
		labels := pulumi.StringMap{"app": pulumi.String("iis")}
		_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022,
			Spec: appsv1.DeploymentSpecArgs{
				Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
				Template: corev1.PodTemplateSpecArgs{
					Metadata: metav1.ObjectMetaArgs{Labels: labels},
					Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name:  pulumi.String("iis"),
						Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
					}}},
				},
			},
		})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	fmt.Print(graph)
	// Output:
	// <nil>
	// project-stack (preview)
	//   mixedkube:workload:Deployment "iis" (component)
	//     outputs:
	//       name: [unknown]
	//     kubernetes:apps/v1:Deployment "iis-deployment"
	//       alias: type kubernetes:extensions/v1beta1:Deployment
	//       inputs:
	//         apiVersion: apps/v1
	//         kind: Deployment
	//         spec:
	//           selector:
	//             matchLabels:
	//               app: iis
	//           template:
	//             metadata:
	//               labels:
	//                 app: iis
	//             spec:
	//               containers:
	//                 - image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022
	//                   name: iis
	//               os:
	//                 name: windows
	//               runtimeClassName: windows-2022
}

// What contradicts the platform stops the preview, with path, value and fix.
func ExampleNewDeployment_contradiction() {
	program := func(ctx *pulumi.Context) error {
		_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022,
			Spec: appsv1.DeploymentSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
				Os:           corev1.PodOSArgs{Name: pulumi.String("linux")},
				NodeSelector: pulumi.StringMap{"kubernetes.io/arch": pulumi.String("arm64")},
			}}},
		})
		return err
	}

	_, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	// Output:
	// mixedkube:workload:Deployment "iis":
	//   spec.template.spec.nodeSelector[kubernetes.io/arch]: Invalid value: "arm64": contradicts the platform windows-2022, which needs "amd64": remove it, or change the platform
	//   spec.template.spec.os.name: Invalid value: "linux": contradicts the platform windows-2022, which needs "windows": remove it, or change the platform
}
