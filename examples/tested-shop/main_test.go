package main

import (
	"slices"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/guardtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestTheShopLandsOnWindowsServer2022(t *testing.T) {
	t.Parallel()
	found, err := guardtest.Preview(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range found.Landings {
		if !slices.Equal(l.Pools, []string{"win22"}) {
			t.Errorf("%s can land on %v: %v", l.Workload, l.Pools, l.Refused)
		}
	}
	if len(found.Landings) != 1 {
		t.Errorf("%d workloads land, want 1", len(found.Landings))
	}
}

func TestMoreReplicasReplaceNothing(t *testing.T) {
	t.Parallel()
	earlier := mocktest.MustRun(t, guard.Program(program))
	graph := mocktest.MustRun(t, guard.Program(func(ctx *pulumi.Context) error { return shop(ctx, 5) }),
		mocktest.Preview(), mocktest.After(earlier))
	if removed := graph.Changes().Removed(); len(removed) > 0 {
		t.Errorf("these are removed:\n%s", removed)
	}
	const want = "~ kubernetes:apps/v1:Deployment \"web-deployment\": update\n    spec.replicas: 2 → 5\n"
	if got := graph.Changes().String(); got != want {
		t.Errorf("the changes are\n%s", got)
	}
}
