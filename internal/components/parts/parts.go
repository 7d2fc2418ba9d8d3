// Package parts marks workloads that are parts of another component, which decides what they are for.
package parts

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type contextKey struct{}

// Of returns the context in which a component creates its parts. A preview does not report where each of them can land.
func Of(ctx *pulumi.Context) *pulumi.Context { return ctx.WithValue(contextKey{}, true) }

// In reports whether a context comes from [Of].
func In(ctx *pulumi.Context) bool { return ctx.Value(contextKey{}) != nil }
