package input

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Optional converts an input that may be nil. A nil input in an interface of another
// type would not be nil.
func Optional(in pulumi.StringInput) pulumi.StringPtrInput {
	if in == nil {
		return nil
	}
	return in.ToStringOutput().ToStringPtrOutput()
}

// NonEmpty returns an input for a text, nil if it is empty.
func NonEmpty[T ~string](s T) pulumi.StringPtrInput {
	if s == "" {
		return nil
	}
	return pulumi.String(s)
}
