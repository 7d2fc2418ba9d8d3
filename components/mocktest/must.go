package mocktest

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// MustRun is [Run] for a program that must succeed: an error ends the test.
func MustRun(tb testing.TB, program pulumi.RunFunc, options ...Option) *Graph {
	tb.Helper()
	graph, err := Run(program, options...)
	if err != nil {
		tb.Fatalf("running the program: %v", err)
	}
	return graph
}

// MustGet is [Graph.Get] for a resource that must exist: an error ends the test.
func (g *Graph) MustGet(tb testing.TB, typ, name string) Resource {
	tb.Helper()
	r, err := g.Get(typ, name)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
