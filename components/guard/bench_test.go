package guard_test

import (
	"fmt"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// BenchmarkGuard runs a program of 10,000 Pods in a preview, without the guard and with it.
func BenchmarkGuard(b *testing.B) {
	const objects = 10_000
	program := func(ctx *pulumi.Context) error {
		for i := range objects {
			if _, err := pod(ctx, fmt.Sprintf("pod-%d", i), windows(nil)); err != nil {
				return err
			}
		}
		return nil
	}
	for name, program := range map[string]pulumi.RunFunc{
		"without": program, "with": guarded(guard.Args{Topology: mixed}, program),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				graph, err := mocktest.Run(program, mocktest.Preview())
				if err != nil || len(names(graph)) != objects {
					b.Fatalf("%d Pods: %v", len(names(graph)), err)
				}
			}
		})
	}
}
