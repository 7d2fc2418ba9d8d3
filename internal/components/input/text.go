package input

import (
	"cmp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Text returns an argument that can come from another resource, a [pulumi.StringPtrInput] or a
// [pulumi.StringInput]. The parameter otherwise is its default if it is nil or ""; the result is nil
// if the default is empty too.
//
// A plain text is checked at once, and stays plain. An output is checked when it is known: its
// errors fail the resources that use it, with the same message, beginning with the subject, as for a
// plain text. The error does not show a secret.
func Text(
	subject string, in pulumi.Input, otherwise string, check func(text string) field.ErrorList,
) (pulumi.StringPtrInput, field.ErrorList) {
	text, plain := Plain[string](in)
	if plain || Missing(in) {
		text = cmp.Or(text, otherwise)
		return NonEmpty(text), check(text)
	}
	out := pointerOutput(in)
	return out.ApplyT(func(value *string) (*string, error) {
		text := otherwise
		if value != nil {
			text = cmp.Or(*value, otherwise)
		}
		errs := check(text)
		if pulumi.IsSecret(out) {
			hide(errs, text)
		}
		if err := fielderrors.Join(subject, errs); err != nil || text == "" {
			return nil, err
		}
		return &text, nil
	}).(pulumi.StringPtrOutput), nil
}

// pointerOutput returns an input of a text as an output.
func pointerOutput(in pulumi.Input) pulumi.StringPtrOutput {
	if text, required := in.(pulumi.StringInput); required {
		return text.ToStringOutput().ToStringPtrOutput()
	}
	return in.(pulumi.StringPtrInput).ToStringPtrOutput()
}

// hide removes a value from errors about it.
func hide(errs field.ErrorList, value string) {
	for _, err := range errs {
		err.BadValue = field.OmitValueType{}
		if strings.Contains(err.Detail, value) {
			err.Detail = "is not valid; the value is a secret"
		}
	}
}

// Namespace returns the argument namespace of a component like [Text]. The parameter otherwise is its
// default, "" for the default namespace of the provider.
func Namespace(
	subject string, in pulumi.StringPtrInput, otherwise string,
) (pulumi.StringPtrInput, field.ErrorList) {
	return Text(subject, in, otherwise, func(name string) field.ErrorList {
		problems := validation.IsDNS1123Label(name)
		if name == "" || len(problems) == 0 {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("namespace"), name,
			strings.Join(problems, "; ")+": give the name of a namespace")}
	})
}
