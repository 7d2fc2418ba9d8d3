package input_test

import (
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   any
		want bool
	}{
		{"nil", nil, true},
		{"the SDK's nil pointer to arguments", corev1.PodOSPtr(nil), true},
		{"a nil pointer to a text", (*pulumi.String)(nil), true},
		{"a nil map", pulumi.StringMap(nil), true},
		{"a nil list", corev1.ContainerArray(nil), true},
		{"empty arguments", corev1.PodOSArgs{}, false},
		{"a pointer to empty arguments", corev1.PodOSPtr(&corev1.PodOSArgs{}), false},
		{"an empty text", pulumi.String(""), false},
		{"an empty map", pulumi.StringMap{}, false},
		{"an empty list", corev1.ContainerArray{}, false},
		{"an output, even of nil", corev1.PodOSPtr(nil).ToPodOSPtrOutput(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := input.Missing(tt.in); got != tt.want {
				t.Errorf("Missing = %t, want %t", got, tt.want)
			}
		})
	}
}
