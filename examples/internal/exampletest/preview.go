package exampletest

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// Preview runs the program of the example in the test's directory as `pulumi preview`
// does on the lab's cluster, with guard.Run instead of pulumi.Run. It compares all
// resources of the program, and where pods can land, with testdata/preview.golden.
func Preview(t *testing.T, program pulumi.RunFunc, options ...mocktest.Option) {
	t.Helper()
	golden.Equal(t, "testdata/preview.golden", preview(t, guarded(program, labTopology(t)), options...))
}

// PreviewWithCluster is [Preview] for an example that creates its cluster, and enforces the
// guard for that cluster itself.
func PreviewWithCluster(t *testing.T, program pulumi.RunFunc, options ...mocktest.Option) {
	t.Helper()
	golden.Equal(t, "testdata/preview.golden", preview(t, guard.Program(program), options...))
}

func preview(t *testing.T, program pulumi.RunFunc, options ...mocktest.Option) string {
	t.Helper()
	graph, err := mocktest.Run(program, mocktest.Preview(), mocktest.All(options...))
	for _, problem := range problems(graph.Logs(), mainFile(t)) {
		t.Error(problem)
	}
	if err != nil {
		t.Fatal(err)
	}
	return once(graph.String())
}

// Update runs the program without the guard, as the first `pulumi up` does, and compares
// all resources and exports with those of [Preview]: testdata/update.diff has the difference.
func Update(t *testing.T, program pulumi.RunFunc, options ...mocktest.Option) {
	t.Helper()
	golden.Changes(t, "testdata/update.diff", preview(t, guarded(program, labTopology(t))),
		once(mocktest.MustRun(t, program, options...).String()))
}

// Equal compares a text with a golden file.
func Equal(t *testing.T, path, got string) {
	t.Helper()
	golden.Equal(t, path, got)
}

func guarded(program pulumi.RunFunc, cluster topology.Topology) pulumi.RunFunc {
	return guard.Program(func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
			return err
		}
		return program(ctx)
	})
}
