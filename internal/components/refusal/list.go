package refusal

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
)

// CheckedList returns a list of texts that is checked when it is known, as [Checked] does with one text. A list that
// turns out to be empty is an error: to omit it would mean something else. The error does not show a secret.
func CheckedList(
	subject string, rules rule.Set, ignored []string, path *field.Path, list pulumi.StringArrayInput,
	check func([]string) []rule.Finding,
) pulumi.StringArrayOutput {
	out := list.ToStringArrayOutput()
	return out.ApplyT(func(texts []string) ([]string, error) {
		var errs field.ErrorList
		if len(texts) == 0 {
			errs = append(errs, field.Required(path, "turns out to be empty: leave it out if that is right"))
		}
		_, err := Sift(subject, rules, ignored, check(texts), errs)
		if err != nil && pulumi.IsSecret(out) && len(texts) > 0 {
			err = fmt.Errorf("%s: %s: is not valid; the values are secrets", subject, path)
		}
		return texts, err
	}).(pulumi.StringArrayOutput)
}
