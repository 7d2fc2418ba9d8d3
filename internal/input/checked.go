package input

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Checked is a text that is checked when it becomes known. The error of the check fails
// the resources that the text is given to, and nothing else.
//
// Constructors check what is plain (see [Plain]) with the other arguments. They do not wait
// for outputs: there is no telling one that is there at once, as a secret of the
// configuration is, from one that another resource has yet to make.
func Checked(in pulumi.StringInput, check func(text string) error) pulumi.StringOutput {
	return in.ToStringOutput().ApplyT(func(text string) (string, error) {
		return text, check(text)
	}).(pulumi.StringOutput)
}
