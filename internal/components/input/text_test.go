package input_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/input"
)

// checkShort refuses a text with more than four characters.
func checkShort(text string) field.ErrorList {
	if len(text) > 4 {
		return field.ErrorList{field.Invalid(field.NewPath("domain"), text, "is long: shorten it")}
	}
	return nil
}

const (
	isLong  = `domain: Invalid value: "longer": is long: shorten it`
	tooLong = `C "c": ` + isLong
)

// pointerTo returns an output of a pointer, like the outputs of names of resources.
func pointerTo(text string) pulumi.StringPtrOutput {
	return pulumi.String(text).ToStringOutput().ToStringPtrOutput()
}

func TestTextThatIsPlain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in        pulumi.Input
		otherwise string
		want      pulumi.StringPtrInput
		wrong     string
	}{
		"nothing":                   {nil, "else", pulumi.String("else"), ""},
		"a nil pointer":             {pulumi.StringPtrFromPtr(nil), "else", pulumi.String("else"), ""},
		"an empty text":             {pulumi.String(""), "else", pulumi.String("else"), ""},
		"a text":                    {pulumi.String("web"), "else", pulumi.String("web"), ""},
		"a pointer to a text":       {pulumi.StringPtr("web"), "else", pulumi.String("web"), ""},
		"nothing, and no default":   {nil, "", nil, ""},
		"a wrong text":              {pulumi.String("longer"), "else", pulumi.String("longer"), isLong},
		"a pointer to a wrong text": {pulumi.StringPtr("longer"), "", pulumi.String("longer"), isLong},
		"a default that fits":       {nil, "long", pulumi.String("long"), ""},
	} {
		got, errs := input.Text(`C "c"`, tt.in, tt.otherwise, checkShort)
		if got != tt.want {
			t.Errorf("%s: %#v, want %#v", name, got, tt.want)
		}
		var wrong string
		if err := errs.ToAggregate(); err != nil {
			wrong = err.Error()
		}
		if wrong != tt.wrong {
			t.Errorf("%s: %q, want %q", name, wrong, tt.wrong)
		}
	}
}

func TestTextThatIsAnOutput(t *testing.T) {
	t.Parallel()
	secret := func(text string) pulumi.Input { return pulumi.ToSecret(pulumi.String(text)).(pulumi.StringOutput) }
	none := pointerTo("web").ApplyT(func(*string) *string { return nil }).(pulumi.StringPtrOutput)
	for name, tt := range map[string]struct {
		in    pulumi.Input
		want  string // "" if there is none
		wrong string
		known bool
	}{
		"of a text":              {pulumi.String("web").ToStringOutput(), "web", "", true},
		"of a pointer":           {pointerTo("web"), "web", "", true},
		"of an empty text":       {pulumi.String("").ToStringOutput(), "else", "", true},
		"of no text":             {none, "else", "", true},
		"not known":              {mocktest.Unknown[pulumi.StringOutput](), "", "", false},
		"a secret":               {secret("web"), "web", "", true},
		"of a wrong text":        {pulumi.String("longer").ToStringOutput(), "", tooLong, true},
		"of a wrong pointer":     {pointerTo("longer"), "", tooLong, true},
		"a secret that is wrong": {secret("longer"), "", `C "c": domain: Invalid value: is long: shorten it`, true},
		"a secret in the details": {
			secret("is long"), "", `C "c": domain: Invalid value: is not valid; the value is a secret`, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, errs := input.Text(`C "c"`, tt.in, "else", checkShort)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			result, err := internals.UnsafeAwaitOutput(t.Context(), text.ToStringPtrOutput())
			if tt.wrong != "" {
				if err == nil || err.Error() != tt.wrong {
					t.Errorf("%v, want %s", err, tt.wrong)
				}
				return
			}
			var got string
			if value, _ := result.Value.(*string); value != nil {
				got = *value
			}
			if got != tt.want || result.Known != tt.known || err != nil {
				t.Errorf("%q (known: %t), %v, want %q (known: %t)", got, result.Known, err, tt.want, tt.known)
			}
			if isSecret := strings.HasPrefix(name, "a secret"); result.Secret != isSecret {
				t.Errorf("secret: %t, want %t", result.Secret, isSecret)
			}
		})
	}
}

func TestNamespace(t *testing.T) {
	t.Parallel()
	if got, errs := input.Namespace("C", nil, ""); got != nil || len(errs) > 0 {
		t.Errorf("without a default, the namespace is %v, %v, want nil", got, errs)
	}
	if got, errs := input.Namespace("C", nil, "kube-system"); got != pulumi.String("kube-system") || len(errs) > 0 {
		t.Errorf("the default is %v, %v", got, errs)
	}
	want := `namespace: Invalid value: "Shop": ` + strings.Join(validation.IsDNS1123Label("Shop"), "; ") +
		": give the name of a namespace"
	if _, errs := input.Namespace("C", pulumi.String("Shop"), ""); errs.ToAggregate().Error() != want {
		t.Errorf("%v\nwant %s", errs, want)
	}
	out, _ := input.Namespace("C", pointerTo("Shop"), "")
	_, err := internals.UnsafeAwaitOutput(t.Context(), out.ToStringPtrOutput())
	if err == nil || err.Error() != "C: "+want {
		t.Errorf("%v\nwant C: %s", err, want)
	}
}
