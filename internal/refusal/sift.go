package refusal

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
)

// Sift makes one error of the findings about the arguments of a component that stop the
// program, and of other errors about them. It returns the findings that do not. The
// arguments ignore some of the rules: an ID among them that nobody can ignore is an
// error too. The subject is the component.
func Sift(
	subject string, rules rule.Set, ignored []string, findings rule.Findings, errs field.ErrorList,
) ([]rule.Finding, error) {
	errs = append(errs, rules.CheckIgnored(field.NewPath("ignore"), ignored)...)
	findings.Silence(ignored)
	refused, rest := split(findings)
	return rest, fielderrors.Join(subject, errs, refused...)
}

// Checked is a text that is checked when it is known. Findings that stop the program fail
// what the text is given to, with the error that [Sift] makes of those about a plain text.
func Checked(
	subject string, rules rule.Set, ignored []string, text pulumi.StringInput, check func(string) []rule.Finding,
) pulumi.StringOutput {
	return input.Checked(text, func(text string) error {
		_, err := Sift(subject, rules, ignored, check(text), nil)
		return err
	})
}

// Log shows findings that do not stop the program at the component.
func Log(ctx *pulumi.Context, about pulumi.Resource, findings []rule.Finding) error {
	args := &pulumi.LogArgs{Resource: about}
	for _, f := range findings {
		var err error
		switch {
		case f.Silenced:
			err = ctx.Log.Info("ignored: "+f.String(), args)
		case f.Severity == rule.Warning:
			err = ctx.Log.Warn(f.String(), args)
		default:
			err = ctx.Log.Info(f.String(), args)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
