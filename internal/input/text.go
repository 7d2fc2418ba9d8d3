package input

import (
	"cmp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Text is an argument that another resource can bring, a [pulumi.StringPtrInput] or a
// [pulumi.StringInput]: what is given, or otherwise where nothing or "" is; nil if that is empty too.
//
// A plain text is checked at once, and stays plain. An output is checked when it is known: what is
// wrong with it fails the resources that it is given to, with the error of the subject that a plain
// text would get. The error does not show a secret.
func Text(
	subject string, in pulumi.Input, otherwise string, check func(text string) field.ErrorList,
) (pulumi.StringPtrInput, field.ErrorList) {
	text, plain := Plain[string](in)
	if plain || Missing(in) {
		text = cmp.Or(text, otherwise)
		return NonEmpty(text), check(text)
	}
	out := pointerOutput(in)
	return out.ApplyT(func(given *string) (*string, error) {
		text := otherwise
		if given != nil {
			text = cmp.Or(*given, otherwise)
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

// pointerOutput is the output of an input that holds a text.
func pointerOutput(in pulumi.Input) pulumi.StringPtrOutput {
	if text, required := in.(pulumi.StringInput); required {
		return text.ToStringOutput().ToStringPtrOutput()
	}
	return in.(pulumi.StringPtrInput).ToStringPtrOutput()
}

// hide takes a value out of errors about it.
func hide(errs field.ErrorList, value string) {
	for _, err := range errs {
		err.BadValue = field.OmitValueType{}
		if strings.Contains(err.Detail, value) {
			err.Detail = "is not valid; the value is a secret"
		}
	}
}

// Namespace is the argument namespace of a component, as [Text] has it: the name of a namespace, or
// otherwise, which is "" where the default is the provider's.
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
