package kubeadm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Another program, or another stack, reads the topology that the component registers. It equals the
// topology in Go.
func TestTheTopologyIsAnOutput(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*kubeadm.ClusterArgs{"small": small(nil), "full": full()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want topology.Topology
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				c, err := kubeadm.NewCluster(ctx, "shop", args)
				if err != nil {
					return err
				}
				want = c.Topology
				return nil
			}, azure(), mocktest.Preview())
			output := graph.MustGet(t, "mixedkube:kubeadm:Cluster", "shop").Outputs["topology"]
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
