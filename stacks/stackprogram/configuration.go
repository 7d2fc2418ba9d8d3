package stackprogram

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// deploySecret deploys a Pod that reads a Secret in its environment and in a volume.
func deploySecret(ctx *pulumi.Context, on windows) error {
	secret, err := corev1.NewSecret(ctx, on.name, &corev1.SecretArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(on.name)},
		StringData: pulumi.ToSecret(pulumi.StringMap{
			"username": pulumi.String("admin"),
			"password": pulumi.String("1f2d1e2e67df"),
		}).(pulumi.StringMapOutput),
	}, on.cluster...)
	if err != nil {
		return err
	}
	container := idler(on.platform)
	name := secret.Metadata.Name().Elem()
	key := func(key string) corev1.EnvVarSourceArgs {
		return corev1.EnvVarSourceArgs{SecretKeyRef: corev1.SecretKeySelectorArgs{Name: name, Key: pulumi.String(key)}}
	}
	container.Env = corev1.EnvVarArray{
		corev1.EnvVarArgs{Name: pulumi.String("USERNAME"), ValueFrom: key("username")},
		corev1.EnvVarArgs{Name: pulumi.String("PASSWORD"), ValueFrom: key("password")},
	}
	container.VolumeMounts = mounts("secret", "C:/secret")
	volume := corev1.VolumeArgs{Name: pulumi.String("secret"), Secret: corev1.SecretVolumeSourceArgs{SecretName: name}}
	// The disks of the nodes are taken to be encrypted.
	return deployPod(ctx, on, called(on.name, "MK520"), container, volume)
}

// deployConfigMap deploys a Pod that reads a ConfigMap in its environment and in a
// volume.
func deployConfigMap(ctx *pulumi.Context, on windows) error {
	config, err := corev1.NewConfigMap(ctx, on.name, &corev1.ConfigMapArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(on.name)},
		Data: pulumi.StringMap{
			"example.property.1": pulumi.String("hello"),
			"example.property.2": pulumi.String("world"),
		},
	}, on.cluster...)
	if err != nil {
		return err
	}
	container := idler(on.platform)
	name := config.Metadata.Name().Elem()
	key := func(key string) corev1.EnvVarSourceArgs {
		return corev1.EnvVarSourceArgs{ConfigMapKeyRef: corev1.ConfigMapKeySelectorArgs{
			Name: name,
			Key:  pulumi.String(key),
		}}
	}
	container.Env = corev1.EnvVarArray{
		corev1.EnvVarArgs{Name: pulumi.String("EXAMPLE_PROPERTY_1"), ValueFrom: key("example.property.1")},
		corev1.EnvVarArgs{Name: pulumi.String("EXAMPLE_PROPERTY_2"), ValueFrom: key("example.property.2")},
	}
	container.VolumeMounts = mounts("config", "C:/config")
	return deployPod(ctx, on, called(on.name), container, corev1.VolumeArgs{
		Name: pulumi.String("config"), ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: name},
	})
}
