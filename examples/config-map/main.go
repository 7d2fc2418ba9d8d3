// Command config-map gives a Windows pod a ConfigMap, as environment variables and as files.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	config, err := corev1.NewConfigMap(ctx, "example-config", &corev1.ConfigMapArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("example-config")},
		Data: pulumi.StringMap{
			"example.property.1": pulumi.String("hello"), "example.property.2": pulumi.String("world"),
		},
	})
	if err != nil {
		return err
	}
	variable := func(name, key string) corev1.EnvVarArgs {
		from := corev1.ConfigMapKeySelectorArgs{Name: config.Metadata.Name(), Key: pulumi.String(key)}
		return corev1.EnvVarArgs{Name: pulumi.String(name), ValueFrom: corev1.EnvVarSourceArgs{ConfigMapKeyRef: from}}
	}
	files := corev1.ConfigMapVolumeSourceArgs{Name: config.Metadata.Name()}
	volume := corev1.VolumeArgs{Name: pulumi.String("config"), ConfigMap: files}
	container := corev1.ContainerArgs{
		Name: pulumi.String("configmap-redis"), Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{
			"cmd", "/c", `set EXAMPLE & type C:\config\* & ping -t localhost > nul`,
		}),
		Env: corev1.EnvVarArray{
			variable("EXAMPLE_PROPERTY_1", "example.property.1"),
			variable("EXAMPLE_PROPERTY_2", "example.property.2"),
		},
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name: volume.Name, MountPath: pulumi.String(`C:\config`),
		}},
	}
	_, err = workload.NewPod(ctx, "configmap-pod", &workload.PodArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("configmap-pod")},
		Spec:     corev1.PodSpecArgs{Containers: corev1.ContainerArray{container}, Volumes: corev1.VolumeArray{volume}},
	})
	return err
}
