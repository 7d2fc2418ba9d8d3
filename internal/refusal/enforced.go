package refusal

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type contextKey struct{}

// WithEnforcement returns a context that carries a function, which reports whether the program's resources are checked
// already.
func WithEnforcement(ctx *pulumi.Context, enforces func() bool) *pulumi.Context {
	return ctx.WithValue(contextKey{}, enforces)
}

// Enforced reports whether the resources of the program are checked already: then a component leaves the rules about
// objects to package guard, because failing on its first error would hide the errors of the rest of the program.
func Enforced(ctx *pulumi.Context) bool {
	enforces, ok := ctx.Value(contextKey{}).(func() bool)
	return ok && enforces()
}
