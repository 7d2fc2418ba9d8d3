package aks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Other programs and stacks read the topology that the component registers: it equals the component's topology in Go.
func TestTheTopologyIsAnOutput(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*aks.ClusterArgs{"small": small(nil), "full": full()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want topology.Topology
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				c, err := aks.NewCluster(ctx, "shop", args)
				if err != nil {
					return err
				}
				want = c.Topology
				return nil
			}, akstest.Azure(), mocktest.Preview())
			output := graph.MustGet(t, "mixedkube:aks:Cluster", "shop").Outputs["topology"]
			got, errs := topology.Decode(output.Mappable(), nil)
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the output (-want +got):\n%s", diff)
			}
		})
	}
}
