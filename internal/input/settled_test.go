package input_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/input"
)

func TestSettled(t *testing.T) {
	t.Parallel()
	ctx, err := pulumi.NewContext(t.Context(), pulumi.RunInfo{})
	if err != nil {
		t.Fatal(err)
	}
	never, _, _ := ctx.NewOutput()
	unknown := pulumi.UnsafeUnknownOutput(nil).ApplyT(func(any) string { return "" }).(pulumi.StringOutput)
	tests := []struct {
		name  string
		in    pulumi.StringInput
		want  string
		known bool
	}{
		{"a string", pulumi.String("text"), "text", true},
		{"an output", pulumi.String("text").ToStringOutput(), "text", true},
		{"a secret", pulumi.ToSecret("text").(pulumi.StringOutput), "text", true},
		{"the empty string", pulumi.String(""), "", true},
		{"nil", nil, "", false},
		{"an output that is not known", unknown, "", false},
		{"an output that takes its time", never.ApplyT(func(any) string { return "late" }).(pulumi.StringOutput), "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, known := input.Settled(t.Context(), tt.in)
			if got != tt.want || known != tt.known {
				t.Errorf("Settled = %q, %t, want %q, %t", got, known, tt.want, tt.known)
			}
		})
	}
}
