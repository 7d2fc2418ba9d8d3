package workload

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// validateWindowsOnly refuses arguments that no Linux pod can have. Mistakes in the platform itself are reported
// elsewhere.
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

// These are the options for Windows that the arguments set.
var (
	userOption           = []string{"securityContext", "windowsOptions", "runAsUserName"}
	credentialSpecOption = []string{"securityContext", "windowsOptions", "gmsaCredentialSpecName"}
)

// windowsOptions returns the options that the arguments set. Package preflight checks the name of the user.
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

// contradictions returns an error for each option of the pods that differs from the arguments. An unknown value may
// still be the same.
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
