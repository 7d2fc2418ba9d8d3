package input

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Checked returns a text that is checked when it becomes known. An error of the check fails
// only the resources that use the text.
//
// Constructors check plain values (see [Plain]) with the other arguments. They do not wait
// for outputs: an output that is known at once, such as a secret of the configuration, looks the
// same as one that waits for another resource.
func Checked(in pulumi.StringInput, check func(text string) error) pulumi.StringOutput {
	return in.ToStringOutput().ApplyT(func(text string) (string, error) {
		return text, check(text)
	}).(pulumi.StringOutput)
}
