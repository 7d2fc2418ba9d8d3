package landings

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type partsKey struct{}

// Parts is a context for workloads that are parts of a component: nobody asks where each of these can land.
func Parts(ctx *pulumi.Context) *pulumi.Context { return ctx.WithValue(partsKey{}, true) }

// AreParts says whether a context is of [Parts].
func AreParts(ctx *pulumi.Context) bool { return ctx.Value(partsKey{}) != nil }
