package mocktest

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// MustRun is [Run] for a program that has to succeed: an error ends the test.
func MustRun(t testing.TB, program pulumi.RunFunc, options ...Option) *Graph {
	t.Helper()
	graph, err := Run(program, options...)
	if err != nil {
		t.Fatalf("running the program: %v", err)
	}
	return graph
}
