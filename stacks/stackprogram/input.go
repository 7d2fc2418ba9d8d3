package stackprogram

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Input returns a text of the configuration as an input: nil if it is not set.
func Input(text string) pulumi.StringInput {
	if text == "" {
		return nil
	}
	return pulumi.String(text)
}
