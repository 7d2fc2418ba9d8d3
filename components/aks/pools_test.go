package aks_test

import (
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A program can use each of its pools, whether or not the pool is inline.
func TestAClusterHasAllItsPools(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*aks.ClusterArgs)
		azure  []akstest.Cluster
		want   map[string]any
		inline []string
	}{
		"a new cluster": {
			want:   map[string]any{"sys": "sysvhv shop-cluster-id/agentPools/sysvhv", "win22": "win22d shop-win22d-id"},
			inline: []string{"sys"},
		},
		"a pool that is no longer the first one": {
			change: func(a *aks.ClusterArgs) { a.Pools[0].Size = "Standard_D8s_v5" },
			azure:  []akstest.Cluster{made(nil)},
			want:   map[string]any{"sys": "sysypx shop-sysypx-id", "win22": "win22d shop-win22d-id"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var cluster *aks.Cluster
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				c, err := aks.NewCluster(ctx, "shop", inGroup(tt.change))
				if err != nil {
					return err
				}
				for name, pool := range c.Pools {
					ctx.Export(name, pulumi.Sprintf("%s %s", pool.Name, pool.ID))
				}
				cluster = c
				return nil
			}, akstest.Azure(tt.azure...))
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

// Windows pools that scale from zero have the label that a RuntimeClass can select, in Azure and in the topology.
func TestAWindowsPoolThatScalesFromZeroHasTheLabelOfItsPlatform(t *testing.T) {
	t.Parallel()
	const label = topology.LabelPlatform
	for name, tt := range map[string]struct {
		scaling topology.Autoscaling
		want    any
	}{
		"from zero": {topology.Autoscaling{Min: 0, Max: 3}, "windows-2022"},
		"from one":  {topology.Autoscaling{Min: 1, Max: 3}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registered := map[string]any{}
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				c, err := aks.NewCluster(ctx, "shop", small(func(a *aks.ClusterArgs) {
					a.Pools[1].Count, a.Pools[1].Autoscaling = 0, tt.scaling
				}))
				if err != nil {
					return err
				}
				for _, pool := range c.Topology.Pools {
					if value, ok := pool.Labels[label]; ok {
						registered[pool.Name] = value
					}
				}
				return nil
			}, akstest.Azure())
			labels, _ := graph.MustGet(t, poolType, "shop-win22d").Plain()["nodeLabels"].(map[string]any)
			equal(t, "label in Azure", tt.want, labels[label])
			want := map[string]any{}
			if tt.want != nil {
				want["win22"] = tt.want
			}
			equal(t, "labels of the topology", want, registered)
		})
	}
}
