package input

import (
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
)

// Tolerations wraps tolerations as inputs. Empty fields are not set in the
// resource, like in Kubernetes' own JSON.
func Tolerations(tolerations []corev1.Toleration) pulumicorev1.TolerationArray {
	var out pulumicorev1.TolerationArray
	for _, t := range tolerations {
		args := pulumicorev1.TolerationArgs{
			Key:      NonEmpty(t.Key),
			Operator: NonEmpty(t.Operator),
			Value:    NonEmpty(t.Value),
			Effect:   NonEmpty(t.Effect),
		}
		if t.TolerationSeconds != nil {
			args.TolerationSeconds = pulumi.Int(*t.TolerationSeconds)
		}
		out = append(out, args)
	}
	return out
}
