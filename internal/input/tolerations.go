package input

import (
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
)

// Tolerations wraps tolerations as inputs.
func Tolerations(tolerations []corev1.Toleration) pulumicorev1.TolerationArray {
	var out pulumicorev1.TolerationArray
	for _, t := range tolerations {
		out = append(out, pulumicorev1.TolerationArgs{
			Key:      pulumi.String(t.Key),
			Operator: pulumi.String(string(t.Operator)),
			Value:    pulumi.String(t.Value),
			Effect:   pulumi.String(string(t.Effect)),
		})
	}
	return out
}
