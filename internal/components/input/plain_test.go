package input_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

func TestPlainText(t *testing.T) {
	t.Parallel()
	text := "windows"
	wrapped := pulumi.String(text)
	var missing *pulumi.String
	tests := []struct {
		name   string
		in     any
		want   string
		wantOK bool
	}{
		{"a string", text, text, true},
		{"a pointer to a string", &text, text, true},
		{"an input", wrapped, text, true},
		{"a pointer to an input", &wrapped, text, true},
		{"the SDK's pointer to an input", pulumi.StringPtr(text), text, true},
		{"an empty input is plain", pulumi.String(""), "", true},
		{"nil", nil, "", false},
		{"a nil pointer", missing, "", false},
		{"an output", wrapped.ToStringOutput(), "", false},
		{"an output of a pointer", wrapped.ToStringPtrOutput(), "", false},
		{"a pointer to an output", new(wrapped.ToStringOutput()), "", false},
		{"an output that is secret", pulumi.ToSecret(text), "", false},
		// Go converts an integer to a string: to the character of that number.
		{"an integer", pulumi.Int(65), "", false},
		{"a boolean", pulumi.Bool(true), "", false},
		{"bytes", []byte(text), "", false},
		{"a struct", pulumicorev1.PodOSArgs{Name: wrapped}, "", false},
		{"a pointer to a pointer", new(&text), "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := input.Plain[string](tt.in)
			if got != tt.want || ok != tt.wantOK {
				t.Errorf("Plain[string] = %q, %t, want %q, %t", got, ok, tt.want, tt.wantOK)
			}
		})
	}
}

func TestPlainArguments(t *testing.T) {
	t.Parallel()
	args := pulumicorev1.PodSpecArgs{NodeName: pulumi.String("win22-0")}
	var missing *pulumicorev1.PodSpecArgs
	tests := []struct {
		name   string
		in     pulumicorev1.PodSpecPtrInput
		wantOK bool
	}{
		{"arguments", args, true},
		{"a pointer to arguments", &args, true},
		{"the SDK's pointer to arguments", pulumicorev1.PodSpecPtr(&args), true},
		{"nil", nil, false},
		{"a nil pointer", missing, false},
		{"the SDK's nil pointer", pulumicorev1.PodSpecPtr(nil), false},
		{"an output", args.ToPodSpecOutput(), false},
		{"an output of a pointer", args.ToPodSpecPtrOutput(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := input.Plain[pulumicorev1.PodSpecArgs](tt.in)
			if ok != tt.wantOK {
				t.Fatalf("Plain[PodSpecArgs] = _, %t, want %t", ok, tt.wantOK)
			}
			want := pulumicorev1.PodSpecArgs{}
			if tt.wantOK {
				want = args
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Plain[PodSpecArgs] (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("arguments of another resource", func(t *testing.T) {
		t.Parallel()
		if got, ok := input.Plain[pulumicorev1.PodSpecArgs](pulumicorev1.ContainerArgs{}); ok {
			t.Errorf("Plain[PodSpecArgs] of a container = %v", got)
		}
	})
}

// A map or a list is plain even if its elements are outputs.
func TestPlainCollections(t *testing.T) {
	t.Parallel()
	output := pulumi.String("b").ToStringOutput()
	t.Run("a map", func(t *testing.T) {
		t.Parallel()
		got, ok := input.Plain[pulumi.StringMap](pulumi.StringMap{"a": output})
		if !ok || len(got) != 1 || got["a"] != pulumi.StringInput(output) {
			t.Errorf("Plain[StringMap] = %v, %t", got, ok)
		}
	})
	t.Run("a list", func(t *testing.T) {
		t.Parallel()
		got, ok := input.Plain[pulumi.StringArray](pulumi.StringArray{output})
		if !ok || len(got) != 1 || got[0] != pulumi.StringInput(output) {
			t.Errorf("Plain[StringArray] = %v, %t", got, ok)
		}
	})
	t.Run("a map that is an output", func(t *testing.T) {
		t.Parallel()
		if got, ok := input.Plain[pulumi.StringMap](pulumi.StringMap{}.ToStringMapOutput()); ok || got != nil {
			t.Errorf("Plain[StringMap] = %v, %t", got, ok)
		}
	})
	t.Run("an output, even if the type is an output", func(t *testing.T) {
		t.Parallel()
		if _, ok := input.Plain[pulumi.StringOutput](output); ok {
			t.Error("Plain[StringOutput] takes an output as plain")
		}
	})
	t.Run("a map of other elements", func(t *testing.T) {
		t.Parallel()
		if got, ok := input.Plain[pulumi.StringMap](pulumi.IntMap{"a": pulumi.Int(1)}); ok || got != nil {
			t.Errorf("Plain[StringMap] = %v, %t", got, ok)
		}
	})
}
