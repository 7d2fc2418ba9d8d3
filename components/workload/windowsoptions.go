package workload

import (
	"fmt"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/input"
)

// windowsOptions are the options for Windows that the arguments decide on, with ""
// for those that they leave alone. What a user's name may look like, package
// preflight knows.
type windowsOptions struct {
	user           User
	credentialSpec string
}

func windowsOptionsOf(args common) windowsOptions {
	options := windowsOptions{user: args.user}
	if args.credentialSpec != nil {
		options.credentialSpec = args.credentialSpec.SpecName()
	}
	return options
}

// validateWindowsOnly refuses what no Linux pod has. What is wrong with the platform
// itself is said elsewhere.
func validateWindowsOnly(args common) field.ErrorList {
	if args.platform != platform.Linux {
		return nil
	}
	var errs field.ErrorList
	if args.user != "" {
		errs = append(errs, field.Invalid(field.NewPath("user"), string(args.user),
			"is a user of Windows, and the platform is linux: remove it, and give the number of a user in the pods' securityContext.runAsUser"))
	}
	if args.credentialSpec != nil {
		errs = append(errs, field.Invalid(field.NewPath("credentialSpec"), args.credentialSpec.SpecName(),
			"group managed service accounts are for Windows, and the platform is linux: remove it, or change the platform"))
	}
	return errs
}

func (c completion) completeSecurityContext(in corev1.PodSecurityContextPtrInput, path *field.Path, errs field.ErrorList) (corev1.PodSecurityContextPtrInput, field.ErrorList) {
	if c.windowsOptions == (windowsOptions{}) {
		return in, errs
	}
	path = path.Child("windowsOptions")
	if input.Missing(in) {
		in = corev1.PodSecurityContextArgs{}
	}
	security, plain := input.Plain[corev1.PodSecurityContextArgs](in)
	if plain {
		security.WindowsOptions, errs = c.completeWindowsOptions(security.WindowsOptions, path, errs)
		return security, errs
	}
	out := in.ToPodSecurityContextPtrOutput()
	return out.ApplyT(func(in *corev1.PodSecurityContext) (*corev1.PodSecurityContext, error) {
		var security corev1.PodSecurityContext
		if in != nil {
			security = *in
		}
		var err error
		security.WindowsOptions, err = c.knownWindowsOptions(out, security.WindowsOptions, path)
		return &security, err
	}).(corev1.PodSecurityContextPtrOutput), errs
}

func (c completion) completeWindowsOptions(
	in corev1.WindowsSecurityContextOptionsPtrInput, path *field.Path, errs field.ErrorList,
) (corev1.WindowsSecurityContextOptionsPtrInput, field.ErrorList) {
	if input.Missing(in) {
		in = corev1.WindowsSecurityContextOptionsArgs{}
	}
	options, plain := input.Plain[corev1.WindowsSecurityContextOptionsArgs](in)
	if !plain {
		out := in.ToWindowsSecurityContextOptionsPtrOutput()
		return out.ApplyT(func(in *corev1.WindowsSecurityContextOptions) (*corev1.WindowsSecurityContextOptions, error) {
			return c.knownWindowsOptions(out, in, path)
		}).(corev1.WindowsSecurityContextOptionsPtrOutput), errs
	}
	var userErrs, specErrs field.ErrorList
	options.RunAsUserName, userErrs = c.completeText(options.RunAsUserName, c.userOption(path))
	options.GmsaCredentialSpecName, specErrs = c.completeText(options.GmsaCredentialSpecName, c.credentialSpecOption(path))
	return options, append(append(errs, userErrs...), specErrs...)
}

// knownWindowsOptions completes options that an output has.
func (c completion) knownWindowsOptions(out pulumi.Output, in *corev1.WindowsSecurityContextOptions, path *field.Path) (*corev1.WindowsSecurityContextOptions, error) {
	var options corev1.WindowsSecurityContextOptions
	if in != nil {
		options = *in
	}
	var userErrs, specErrs field.ErrorList
	options.RunAsUserName, userErrs = c.userOption(path).known(options.RunAsUserName)
	options.GmsaCredentialSpecName, specErrs = c.credentialSpecOption(path).known(options.GmsaCredentialSpecName)
	return &options, c.failure(out, append(userErrs, specErrs...))
}

// option is one of the options: its value, "" to leave it alone, and what is wrong
// with another value.
type option struct {
	want  string
	check func(have string) field.ErrorList
}

func (o windowsOptions) userOption(path *field.Path) option {
	return option{string(o.user), func(have string) field.ErrorList {
		if strings.EqualFold(have, string(o.user)) {
			return nil
		}
		return field.ErrorList{field.Invalid(path.Child("runAsUserName"), have,
			fmt.Sprintf("contradicts the argument User, which is %q: remove one of the two", o.user))}
	}}
}

func (o windowsOptions) credentialSpecOption(path *field.Path) option {
	return option{o.credentialSpec, func(have string) field.ErrorList {
		if have == o.credentialSpec {
			return nil
		}
		return field.ErrorList{field.Invalid(path.Child("gmsaCredentialSpecName"), have,
			fmt.Sprintf("contradicts the argument CredentialSpec, whose name is %q: remove one of the two", o.credentialSpec))}
	}}
}

// known is the value of an option, of what the program has set.
func (o option) known(have *string) (*string, field.ErrorList) {
	switch {
	case o.want == "":
		return have, nil
	case have == nil:
		return &o.want, nil
	default:
		return have, o.check(*have)
	}
}

func (c completion) completeText(in pulumi.StringPtrInput, o option) (pulumi.StringPtrInput, field.ErrorList) {
	if o.want == "" {
		return in, nil
	}
	if input.Missing(in) {
		return pulumi.String(o.want), nil
	}
	if have, plain := input.Plain[string](in); plain {
		return in, o.check(have)
	}
	out := in.ToStringPtrOutput()
	return out.ApplyT(func(have *string) (*string, error) {
		value, errs := o.known(have)
		return value, c.failure(out, errs)
	}).(pulumi.StringPtrOutput), nil
}
