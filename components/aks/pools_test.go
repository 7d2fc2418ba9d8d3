package aks_test

import (
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// A program can use each of its pools, whatever Azure made it with.
func TestAllPoolsOfAClusterAreThere(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*aks.ClusterArgs)
		there  []akstest.Cluster
		want   map[string]any
		inline []string
	}{
		"a new cluster": {
			want:   map[string]any{"sys": "sysvhv shop-cluster-id/agentPools/sysvhv", "win22": "win22d shop-win22d-id"},
			inline: []string{"sys"},
		},
		"a pool that is not the first any more": {
			change: func(a *aks.ClusterArgs) { a.Pools[0].Size = "Standard_D8s_v5" },
			there:  []akstest.Cluster{made(nil)},
			want:   map[string]any{"sys": "sysypx shop-sysypx-id", "win22": "win22d shop-win22d-id"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var cluster *aks.Cluster
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				c, err := aks.NewCluster(ctx, "shop", given(tt.change))
				if err != nil {
					return err
				}
				for name, pool := range c.Pools {
					ctx.Export(name, pulumi.Sprintf("%s %s", pool.Name, pool.ID))
				}
				cluster = c
				return nil
			}, akstest.Azure(tt.there...))
			equal(t, "pools", tt.want, mocktest.Plain(graph.Exports()))
			var inline []string
			for name, pool := range cluster.Pools {
				switch resource := pool.Resource.(type) {
				case *containerservice.AgentPool:
				case *containerservice.ManagedCluster:
					inline = append(inline, name)
					if resource != cluster.Cluster {
						t.Errorf("%s is part of another cluster", name)
					}
				default:
					t.Errorf("%s is a %T", name, resource)
				}
			}
			equal(t, "pools that are part of the cluster", tt.inline, inline)
		})
	}
}
