package kubeadm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// No resource represents a cluster of machines, or a pool of them, as a whole.
func TestOptionsThatReachNoResource(t *testing.T) {
	t.Parallel()
	options := []pulumi.ResourceOption{
		pulumi.Import(pulumi.ID("a")), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1h"}),
		pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("azure-native:compute:VirtualMachine")}}),
	}
	const (
		about = "Forbidden: applies to a single resource: set it for one of the children in a transform " +
			"(pulumi.Transforms)"
		want = `
  opts.aliases[0].type: Invalid value: "azure-native:compute:VirtualMachine": is not the type of a child, and the ` +
			`component would take over the state of that resource: set the alias in a transform (pulumi.Transforms)
  opts.customTimeouts: ` + about + `
  opts.import: ` + about
	)
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		subject string
	}{
		"cluster": {func(ctx *pulumi.Context) error {
			_, err := kubeadm.NewCluster(ctx, "shop", small(nil), options...)
			return err
		}, `mixedkube:kubeadm:Cluster "shop":`},
		"pool": {func(ctx *pulumi.Context) error {
			_, err := kubeadm.NewNodePool(ctx, "win", goodPool(nil), options...)
			return err
		}, `mixedkube:kubeadm:NodePool "win":`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(tt.program, azure())
			if err == nil || cmp.Diff(tt.subject+want, err.Error()) != "" || len(graph.Resources()) != 0 {
				t.Errorf("the error is %v, want %s%s; registered: %v", err, tt.subject, want, graph.Resources())
			}
		})
	}
}
