package input_test

import (
	"slices"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in    pulumi.StringArrayInput
		want  []string
		known bool
	}{
		"nothing":       {nil, nil, true},
		"a nil list":    {pulumi.StringArray(nil), nil, true},
		"an empty list": {pulumi.StringArray{}, nil, true},
		"texts":         {pulumi.ToStringArray([]string{"a", "b"}), []string{"a", "b"}, true},
		"an output among them": {
			pulumi.StringArray{pulumi.String("a"), pulumi.String("b").ToStringOutput()}, []string{"a", "-"}, false,
		},
		"an output": {pulumi.ToStringArray([]string{"a", "b"}).ToStringArrayOutput(), []string{"-"}, false},
	} {
		if got, known := input.Texts(tt.in, "-"); !slices.Equal(got, tt.want) || known != tt.known {
			t.Errorf("%s: %q (known: %t), want %q (known: %t)", name, got, known, tt.want, tt.known)
		}
	}
}
