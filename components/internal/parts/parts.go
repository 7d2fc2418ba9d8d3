// Package parts marks the workloads that are parts of another component, which says what they are for.
package parts

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type contextKey struct{}

// Of is the context in which a component makes its parts. A preview does not say where each of them can land.
func Of(ctx *pulumi.Context) *pulumi.Context { return ctx.WithValue(contextKey{}, true) }

// In reports whether a context is of [Of].
func In(ctx *pulumi.Context) bool { return ctx.Value(contextKey{}) != nil }
