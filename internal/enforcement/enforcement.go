// Package enforcement lets components know whether package guard checks the
// resources of the program. Then they leave the rules about objects to it: a
// component that failed on the first mistake would hide those of the rest of the
// program. It also holds what transforms that enforce rules share.
package enforcement

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type contextKey struct{}

// With returns a context that carries who enforces the rules.
func With(ctx *pulumi.Context, enforces func() bool) *pulumi.Context {
	return ctx.WithValue(contextKey{}, enforces)
}

// On says whether the resources of the program are checked already.
func On(ctx *pulumi.Context) bool {
	enforces, ok := ctx.Value(contextKey{}).(func() bool)
	return ok && enforces()
}
