package logmonitor

import (
	"slices"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

// checkVolumes finds a volume with the name of the one that is added.
func checkVolumes(in corev1.VolumeArrayInput, path *field.Path) field.ErrorList {
	list, _ := input.Plain[corev1.VolumeArray](in)
	for i, element := range list {
		volume, _ := input.Plain[corev1.VolumeArgs](element)
		if name, ok := input.Plain[string](volume.Name); ok && name == volumeName {
			return field.ErrorList{field.Invalid(path.Index(i).Child("name"), name,
				"is the volume that is added for LogMonitor: use another name, and complete pods once only")}
		}
	}
	return nil
}

// checkMounts finds a mount at the path of the one that is added, and one that hides
// LogMonitor.
func checkMounts(in corev1.VolumeMountArrayInput, path *field.Path) field.ErrorList {
	list, _ := input.Plain[corev1.VolumeMountArray](in)
	var errs field.ErrorList
	for i, element := range list {
		mount, _ := input.Plain[corev1.VolumeMountArgs](element)
		at, _ := input.Plain[string](mount.MountPath)
		switch onWindows(at) {
		case onWindows(mountPath):
			errs = append(errs, field.Invalid(path.Index(i).Child("mountPath"), at,
				"is where the configuration of LogMonitor is mounted: use another path, and complete pods once only"))
		case `c:\logmonitor`:
			errs = append(errs, field.Invalid(path.Index(i).Child("mountPath"), at,
				"hides LogMonitor.exe in the image: mount it elsewhere"))
		}
	}
	return errs
}

// onWindows returns a path as Windows compares it.
func onWindows(path string) string {
	path = strings.TrimRight(strings.ToLower(strings.ReplaceAll(path, "/", `\`)), `\`)
	if strings.HasPrefix(path, `\`) {
		return "c:" + path
	}
	return path
}

func (c *Config) withVolume(in corev1.VolumeArrayInput) corev1.VolumeArrayInput {
	added := corev1.VolumeArgs{
		Name:      pulumi.String(volumeName),
		ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: c.Name.ToStringPtrOutput()},
	}
	if have, ok := input.Plain[corev1.VolumeArray](in); ok || in == nil {
		return append(slices.Clip(have), added)
	}
	return pulumi.All(in, added).ApplyT(func(all []any) []corev1.Volume {
		have, _ := all[0].([]corev1.Volume)
		return append(slices.Clone(have), all[1].(corev1.Volume))
	}).(corev1.VolumeArrayOutput)
}

func withMount(in corev1.VolumeMountArrayInput) corev1.VolumeMountArrayInput {
	added := corev1.VolumeMountArgs{Name: pulumi.String(volumeName), MountPath: pulumi.String(mountPath)}
	if have, ok := input.Plain[corev1.VolumeMountArray](in); ok || in == nil {
		return append(slices.Clip(have), added)
	}
	return pulumi.All(in, added).ApplyT(func(all []any) []corev1.VolumeMount {
		have, _ := all[0].([]corev1.VolumeMount)
		return append(slices.Clone(have), all[1].(corev1.VolumeMount))
	}).(corev1.VolumeMountArrayOutput)
}
