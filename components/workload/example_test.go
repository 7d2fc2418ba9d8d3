package workload_test

import (
	"errors"
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
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
	//       timeouts: create 30m, update 30m
	//       alias: type kubernetes:extensions/v1beta1:Deployment
	//       inputs:
	//         apiVersion: apps/v1
	//         kind: Deployment
	//         spec:
	//           selector: {matchLabels: {app: iis}}
	//           template:
	//             metadata: {labels: {app: iis}}
	//             spec:
	//               containers: [{image: 'mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022', name: iis}]
	//               os: {name: windows}
	//               runtimeClassName: windows-2022
}

// A contradiction to the platform stops the preview, with path, value and fix.
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
	//   spec.template.spec.nodeSelector[kubernetes.io/arch]: "arm64": is not an architecture of Windows nodes: write amd64, or remove it (MK316)
	//   spec.template.spec.os.name: "linux": says Linux, but the platform windows-2022 says Windows: remove it, or change the platform (MK207)
}

// The DaemonSet controller ignores the scheduling of a RuntimeClass, so the pods have node selector and tolerations of
// their own.
func ExampleNewDaemonSet() {
	program := func(ctx *pulumi.Context) error {
		labels := pulumi.StringMap{"app": pulumi.String("exporter")}
		_, err := workload.NewDaemonSet(ctx, "exporter", &workload.DaemonSetArgs{
			Platform: platform.WindowsServer2025,
			Spec: appsv1.DaemonSetSpecArgs{
				Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
				Template: corev1.PodTemplateSpecArgs{
					Metadata: metav1.ObjectMetaArgs{Labels: labels},
					Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name: pulumi.String("exporter"), Image: pulumi.String("example.com/exporter:ltsc2025"),
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
	//   mixedkube:workload:DaemonSet "exporter" (component)
	//     outputs:
	//       name: [unknown]
	//     kubernetes:apps/v1:DaemonSet "exporter-daemonset"
	//       timeouts: create 30m, update 30m
	//       alias: type kubernetes:extensions/v1beta1:DaemonSet
	//       inputs:
	//         apiVersion: apps/v1
	//         kind: DaemonSet
	//         spec:
	//           selector: {matchLabels: {app: exporter}}
	//           template:
	//             metadata: {labels: {app: exporter}}
	//             spec:
	//               containers: [{image: 'example.com/exporter:ltsc2025', name: exporter}]
	//               nodeSelector:
	//                 kubernetes.io/arch: amd64
	//                 kubernetes.io/os: windows
	//                 node.kubernetes.io/windows-build: 10.0.26100
	//               os: {name: windows}
	//               tolerations: [{effect: NoSchedule, key: os, operator: Equal, value: windows}]
}

// The platform's fields go where a CronJob has its pods.
func ExampleNewCronJob() {
	program := func(ctx *pulumi.Context) error {
		_, err := workload.NewCronJob(ctx, "report", &workload.CronJobArgs{
			Platform: platform.WindowsServer2022,
			Spec: batchv1.CronJobSpecArgs{
				Schedule: pulumi.String("0 3 * * *"),
				JobTemplate: batchv1.JobTemplateSpecArgs{Spec: batchv1.JobSpecArgs{
					Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
						RestartPolicy: pulumi.String("Never"),
						Containers: corev1.ContainerArray{corev1.ContainerArgs{
							Name: pulumi.String("report"), Image: pulumi.String("example.com/report:ltsc2022"),
						}},
					}},
				}},
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
	//   mixedkube:workload:CronJob "report" (component)
	//     outputs:
	//       name: [unknown]
	//     kubernetes:batch/v1:CronJob "report-cronjob"
	//       timeouts: create 30m, update 30m
	//       inputs:
	//         apiVersion: batch/v1
	//         kind: CronJob
	//         spec:
	//           jobTemplate:
	//             spec:
	//               template:
	//                 spec:
	//                   containers: [{image: 'example.com/report:ltsc2022', name: report}]
	//                   os: {name: windows}
	//                   restartPolicy: Never
	//                   runtimeClassName: windows-2022
	//           schedule: 0 3 * * *
}

// A user belongs to the image or to a domain; Kubernetes' rules for its name are checked.
func ExampleUser() {
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("tool"), Image: pulumi.String("example.com/tool:ltsc2022"),
	}}}
	for _, user := range []workload.User{workload.ContainerUser, `SHOP\tool`, "tool@shop.example.com"} {
		graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
			_, err := workload.NewPod(ctx, "tool", &workload.PodArgs{Platform: platform.WindowsServer2022, User: user, Spec: pods})
			return err
		}, mocktest.Preview())
		if finding, wrong := errors.AsType[*preflight.FindingError](err); wrong {
			fmt.Println(finding.Path, finding.Rule)
			continue
		}
		pod, err := graph.Get("kubernetes:core/v1:Pod", "tool-pod")
		fmt.Println(pod.Plain()["spec"].(map[string]any)["securityContext"], err)
	}
	// Output:
	// map[windowsOptions:map[runAsUserName:ContainerUser]] <nil>
	// map[windowsOptions:map[runAsUserName:SHOP\tool]] <nil>
	// spec.securityContext.windowsOptions.runAsUserName MK151
}

// Other fields of a probe can be changed in the result.
func ExamplePowerShellProbe() {
	running := workload.PowerShellProbe(`if ((Get-Service w3svc).Status -ne "Running") { exit 1 }`)
	running.FailureThreshold = pulumi.Int(5)

	program := func(ctx *pulumi.Context) error {
		_, err := workload.NewPod(ctx, "iis", &workload.PodArgs{
			Platform: platform.WindowsServer2022,
			Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name:           pulumi.String("iis"),
				Image:          pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
				StartupProbe:   workload.TCPProbe(80),
				ReadinessProbe: workload.HTTPProbe("/", 80),
				LivenessProbe:  running,
			}}},
		})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	fmt.Print(graph)
	// Output:
	// <nil>
	// project-stack (preview)
	//   mixedkube:workload:Pod "iis" (component)
	//     outputs:
	//       name: [unknown]
	//     kubernetes:core/v1:Pod "iis-pod"
	//       timeouts: create 30m, update 30m
	//       inputs:
	//         apiVersion: v1
	//         kind: Pod
	//         spec:
	//           containers:
	//             - image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022
	//               livenessProbe:
	//                 exec:
	//                   command:
	//                     - powershell.exe
	//                     - -NoProfile
	//                     - -NonInteractive
	//                     - -Command
	//                     - |-
	//                       $$ErrorActionPreference = 'Stop'
	//                       if ((Get-Service w3svc).Status -ne "Running") { exit 1 }
	//                       exit $$LASTEXITCODE
	//                 failureThreshold: 5
	//                 periodSeconds: 30
	//                 timeoutSeconds: 30
	//               name: iis
	//               readinessProbe: {httpGet: {path: /, port: 80}, timeoutSeconds: 10}
	//               startupProbe: {tcpSocket: {port: 80}}
	//           os: {name: windows}
	//           runtimeClassName: windows-2022
}

// A container reads a directory of its node. Nodes without the directory get an empty one.
func ExampleNewPod() {
	program := func(ctx *pulumi.Context) error {
		volume := corev1.VolumeArgs{
			Name:     pulumi.String("content"),
			HostPath: corev1.HostPathVolumeSourceArgs{Path: pulumi.String(`C:\data\shop`), Type: pulumi.String("DirectoryOrCreate")},
		}
		mount := corev1.VolumeMountArgs{Name: volume.Name, MountPath: pulumi.String(`C:\shop`), ReadOnly: pulumi.Bool(true)}
		_, err := workload.NewPod(ctx, "shop", &workload.PodArgs{
			Platform: platform.WindowsServer2022,
			User:     workload.ContainerUser,
			Spec: corev1.PodSpecArgs{
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("shop"), Image: pulumi.String("example.com/shop:ltsc2022"),
					VolumeMounts: corev1.VolumeMountArray{mount},
				}},
				Volumes: corev1.VolumeArray{volume},
			},
		})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	pod, _ := graph.Get("kubernetes:core/v1:Pod", "shop-pod")
	spec := pod.Plain()["spec"].(map[string]any)
	fmt.Println(spec["securityContext"], spec["volumes"])
	// Output:
	// <nil>
	// map[windowsOptions:map[runAsUserName:ContainerUser]] [map[hostPath:map[path:C:\data\shop type:DirectoryOrCreate] name:content]]
}
