package input_test

import (
	"errors"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

func TestChecked(t *testing.T) {
	t.Parallel()
	errWrong := errors.New("windowsAdmin.password: too short: use another")
	check := func(text string) error {
		if text == "bad" {
			return errWrong
		}
		return nil
	}
	later := func(text string) pulumi.StringInput {
		ctx, err := pulumi.NewContext(t.Context(), pulumi.RunInfo{})
		if err != nil {
			t.Fatal(err)
		}
		out, resolve, _ := ctx.NewOutput()
		t.Cleanup(func() { resolve(nil) })
		go resolve(text)
		return out.ApplyT(func(v any) string { return v.(string) }).(pulumi.StringOutput)
	}
	tests := []struct {
		name          string
		in            pulumi.StringInput
		want          any
		known, secret bool
		err           error
	}{
		{"a string", pulumi.String("good"), "good", true, false, nil},
		{"a secret", pulumi.ToSecret("good").(pulumi.StringOutput), "good", true, true, nil},
		{"an output that takes its time", later("good"), "good", true, false, nil},
		{"a string that is wrong", pulumi.String("bad"), nil, true, false, errWrong},
		{"a secret that is wrong", pulumi.ToSecret("bad").(pulumi.StringOutput), nil, true, false, errWrong},
		{"an output that is wrong", later("bad"), nil, true, false, errWrong},
		{
			"an output that is not known",
			pulumi.UnsafeUnknownOutput(nil).ApplyT(func(any) string { return "bad" }).(pulumi.StringOutput), nil, false,
			false, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := internals.UnsafeAwaitOutput(t.Context(), input.Checked(tt.in, check))
			if got.Value != tt.want || got.Known != tt.known || !errors.Is(err, tt.err) {
				t.Errorf("Checked = %v (known: %t), %v, want %v (known: %t), %v", got.Value, got.Known, err, tt.want,
					tt.known, tt.err)
			}
			if got.Secret != tt.secret {
				t.Errorf("secret: %t, want %t", got.Secret, tt.secret)
			}
		})
	}
}
