package workload

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// validateWindowsOnly refuses what no Linux pod has. What is wrong with the platform
// itself is said elsewhere.
func validateWindowsOnly(args common) field.ErrorList {
	if args.platform != platform.Linux {
		return nil
	}
	var errs field.ErrorList
	if args.user != "" {
		errs = append(errs, field.Invalid(field.NewPath("user"), string(args.user),
			"is a user of Windows, and the platform is linux: remove it, and give the number of a user in the pods' "+
				"securityContext.runAsUser"))
	}
	if args.credentialSpec != nil {
		errs = append(errs, field.Invalid(field.NewPath("credentialSpec"), args.credentialSpec.SpecName(),
			"group managed service accounts are for Windows, and the platform is linux: remove it, or change the "+
				"platform"))
	}
	return errs
}

// The options for Windows that the arguments decide on.
var (
	userOption           = []string{"securityContext", "windowsOptions", "runAsUserName"}
	credentialSpecOption = []string{"securityContext", "windowsOptions", "gmsaCredentialSpecName"}
)

// windowsOptions are those that the arguments say. What a user's name may look like, package
// preflight knows.
func (args common) windowsOptions() []mutate.Want {
	var wants []mutate.Want
	if args.user != "" {
		wants = append(wants, mutate.Want{Path: userOption, Value: string(args.user), AnyCase: true})
	}
	if args.credentialSpec != nil {
		wants = append(wants, mutate.Want{Path: credentialSpecOption, Value: args.credentialSpec.SpecName()})
	}
	return wants
}

// contradictions says which options of the pods are not those of the arguments. What is not
// known yet may still be the same.
func contradictions(conflicts []mutate.Conflict) field.ErrorList {
	var errs field.ErrorList
	for _, c := range conflicts {
		if tree.IsUnknown(c.Have) {
			continue
		}
		detail := fmt.Sprintf("contradicts the argument User, which is %q: remove one of the two", c.Want.Value)
		if &c.Want.Path[0] == &credentialSpecOption[0] {
			detail = fmt.Sprintf("contradicts the argument CredentialSpec, whose name is %q: remove one of the two",
				c.Want.Value)
		}
		have := c.Have
		if secret, ok := have.(tree.Secret); ok {
			have = secret.String()
		}
		errs = append(errs, field.Invalid(field.NewPath(c.Path), have, detail))
	}
	return errs
}
