package guard_test

import (
	"fmt"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// BenchmarkGuard previews a program with 10,000 Pods: without the guard, with it, and with it when the engine has to
// show each of them.
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
	for _, bench := range []struct {
		name    string
		program pulumi.RunFunc
	}{
		{"without", program},
		{"with", guarded(guard.Args{Topology: mixed}, program)},
		{"shown", guarded(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			if err := ctx.RegisterRemoteComponentResource("shop:index:Remote", "remote", nil,
				&pulumi.ResourceState{}); err != nil {
				return err
			}
			return program(ctx)
		})},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				graph, err := mocktest.Run(bench.program, mocktest.Preview())
				if err != nil || len(names(graph)) != objects {
					b.Fatalf("%d Pods: %v", len(names(graph)), err)
				}
			}
		})
	}
}
