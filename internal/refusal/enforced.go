package refusal

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type contextKey struct{}

// WithEnforcement returns a context that carries who enforces the rules.
func WithEnforcement(ctx *pulumi.Context, enforces func() bool) *pulumi.Context {
	return ctx.WithValue(contextKey{}, enforces)
}

// Enforced reports whether the resources of the program are checked already: then a component leaves
// the rules about objects to package guard, as one that failed on the first mistake would hide those
// of the rest of the program.
func Enforced(ctx *pulumi.Context) bool {
	enforces, ok := ctx.Value(contextKey{}).(func() bool)
	return ok && enforces()
}
