package input_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

func TestTolerations(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   []corev1.Toleration
		want pulumicorev1.TolerationArray
	}{
		{"none", nil, nil},
		{
			"several, in order, with every field",
			[]corev1.Toleration{
				{Key: "os", Operator: corev1.TolerationOpEqual, Value: "windows", Effect: corev1.TaintEffectNoSchedule},
				{
					Key: "gpu", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute,
					TolerationSeconds: new(int64(30)),
				},
			},
			pulumicorev1.TolerationArray{
				pulumicorev1.TolerationArgs{
					Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
					Effect: pulumi.String("NoSchedule"),
				},
				pulumicorev1.TolerationArgs{
					Key: pulumi.String("gpu"), Operator: pulumi.String("Exists"), Effect: pulumi.String("NoExecute"),
					TolerationSeconds: pulumi.Int(30),
				},
			},
		},
		{
			"empty fields are not set, and zero seconds are not missing seconds",
			[]corev1.Toleration{{}, {TolerationSeconds: new(int64)}},
			pulumicorev1.TolerationArray{
				pulumicorev1.TolerationArgs{},
				pulumicorev1.TolerationArgs{TolerationSeconds: pulumi.Int(0)},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, input.Tolerations(tt.in)); diff != "" {
				t.Errorf("Tolerations (-want +got):\n%s", diff)
			}
		})
	}
}
