package aks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// takenFrom returns the aliases of a resource, without the SDK's own, which have only a type.
func takenFrom(r mocktest.Resource) []mocktest.Alias {
	var named []mocktest.Alias
	for _, alias := range r.Aliases {
		if alias.Name != "" {
			named = append(named, alias)
		}
	}
	return named
}

func TestOptionsReachTheResourcesOfACluster(t *testing.T) {
	t.Parallel()
	was := func(typ, name string) pulumi.Alias {
		return pulumi.Alias{Type: pulumi.String(typ), Name: pulumi.String(name)}
	}
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", small(nil),
			pulumi.Aliases([]pulumi.Alias{
				{Type: pulumi.String(clusterType)},
				was("azure-native:resources:ResourceGroup", "group"),
				was(poolType, "win22"), was("pulumi:providers:kubernetes", "k8s"),
			}),
			pulumi.Protect(false), pulumi.IgnoreChanges([]string{"sku"}),
			pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h"}), pulumi.Import(pulumi.ID("/subscriptions/a")))
		return err
	}, azure(nil))
	want := map[string][]mocktest.Alias{
		clusterType: {{Name: "shop", Type: clusterType, NoParent: true}},
		"azure-native:resources:ResourceGroup": {
			{Name: "group", Type: "azure-native:resources:ResourceGroup", NoParent: true},
		},
		poolType:                      {{Name: "win22", Type: poolType, NoParent: true}},
		"pulumi:providers:kubernetes": {{Name: "k8s", Type: "pulumi:providers:kubernetes", NoParent: true}},
	}
	got := map[string][]mocktest.Alias{}
	for _, r := range graph.Resources() {
		if aliases := takenFrom(r); len(aliases) > 0 {
			got[r.Type] = aliases
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
	cluster := graph.MustGet(t, clusterType, "shop-cluster")
	if cluster.Protect || cluster.CustomTimeouts.Create != "2h" || cluster.ImportID != "/subscriptions/a" {
		t.Errorf("the cluster is protected: %t, created within %q, and imports %q; want false, 2h and the ID",
			cluster.Protect, cluster.CustomTimeouts.Create, cluster.ImportID)
	}
	ignored := []string{
		"windowsProfile.adminPassword", "windowsProfile.gmsaProfile", "windowsProfile.licenseType", "sku",
	}
	if diff := cmp.Diff(ignored, cluster.IgnoreChanges); diff != "" {
		t.Errorf("changes that the cluster ignores (-want +got):\n%s", diff)
	}
}

func TestTheFirstPoolHasNoResourceForAnAlias(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", small(nil),
			pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String(poolType), Name: pulumi.String("sys")}}))
		return err
	}, azure(nil))
	const want = `mixedkube:aks:Cluster "shop": opts.aliases: "sys": the pool is inline in the cluster, and ` +
		`has no resource of its own for the alias: remove the alias`
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestOptionsReachTheResourceOfAPool(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "win22", &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("rg"), ClusterName: pulumi.String("shop"), KubernetesVersion: "1.35",
			Pool: topology.Pool{
				Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5",
				Autoscaling: topology.Autoscaling{Min: 1, Max: 3},
			},
		}, pulumi.DeleteBeforeReplace(true), pulumi.IgnoreChanges([]string{"tags"}),
			pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String(poolType)}}))
		return err
	}, azure(nil))
	pool := graph.ByType(poolType)[0]
	alias := mocktest.Alias{Name: "win22", Type: poolType, NoParent: true}
	if diff := cmp.Diff([]mocktest.Alias{alias}, takenFrom(pool)); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"count", "tags"}, pool.IgnoreChanges); diff != "" || !pool.DeleteBeforeReplace {
		t.Errorf("deleted before it is replaced: %t, want true; ignored (-want +got):\n%s",
			pool.DeleteBeforeReplace, diff)
	}
}

func TestErrorsOfOptionsAreReportedWithOtherErrors(t *testing.T) {
	t.Parallel()
	options := pulumi.URN_("urn:pulumi:stack::project::mixedkube:aks:Cluster::shop")
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		want    string
	}{
		"cluster": {
			func(ctx *pulumi.Context) error {
				args := small(func(a *aks.ClusterArgs) { a.KubernetesVersion = "1.x" })
				_, err := aks.NewCluster(ctx, "shop", args, options)
				return err
			},
			`mixedkube:aks:Cluster "shop":
  kubernetesVersion: Invalid value: "1.x": not a Kubernetes version: write 1.36 or 1.36.3
  opts.urn: Forbidden: has no effect on a component: remove it`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(tt.program, azure(nil))
			if err == nil || cmp.Diff(tt.want, err.Error()) != "" || len(graph.Resources()) != 0 {
				t.Errorf("the error is %v, want %s; registered: %v", err, tt.want, graph.Resources())
			}
		})
	}
}
