package refusal

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Sift combines the findings about the arguments of a component that stop the program, and other errors about them, in
// one error. It returns the other findings. The arguments ignore some of the rules: the ID of a rule that cannot be
// ignored is an error too. The subject is the component.
func Sift(
	subject string, rules rule.Set, ignored []string, findings rule.Findings, errs field.ErrorList,
) ([]rule.Finding, error) {
	errs = append(errs, rules.CheckIgnored(field.NewPath("ignore"), ignored)...)
	findings.Suppress(ignored)
	refused, rest := split(findings)
	return rest, fielderrors.Join(subject, errs, refused...)
}

// Checked returns a text that is checked when it is known. Findings that stop the program fail the resource that uses
// the text, with the error of [Sift] for a plain text.
func Checked(
	subject string, rules rule.Set, ignored []string, text pulumi.StringInput, check func(string) []rule.Finding,
) pulumi.StringOutput {
	return input.Checked(text, func(text string) error {
		_, err := Sift(subject, rules, ignored, check(text), nil)
		return err
	})
}

// Log logs findings that do not stop the program for the component.
func Log(ctx *pulumi.Context, about pulumi.Resource, findings []rule.Finding) error {
	if g, ok := ctx.Value(contextKey{}).(Guard); ok {
		g.Logged(findings)
	}
	args := &pulumi.LogArgs{Resource: about}
	for _, f := range findings {
		var err error
		switch {
		case f.Suppressed:
			err = ctx.Log.Info(escape.Lines("ignored: "+f.String()), args)
		case f.Severity == rule.Warning:
			err = ctx.Log.Warn(escape.Lines(f.String()), args)
		default:
			err = ctx.Log.Info(escape.Lines(f.String()), args)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
