package stackprogram

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Input is a text of the configuration as an input: nil if the configuration leaves it out.
func Input(text string) pulumi.StringInput {
	if text == "" {
		return nil
	}
	return pulumi.String(text)
}
