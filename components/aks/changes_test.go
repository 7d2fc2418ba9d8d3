package aks_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// withObject returns a program with a cluster and an object in it.
func withObject(change func(*aks.ClusterArgs)) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		cluster, err := aks.NewCluster(ctx, "shop", small(change))
		if err != nil {
			return err
		}
		return ctx.RegisterResource("kubernetes:core/v1:ConfigMap", "settings",
			pulumi.Map{"data": pulumi.StringMap{"a": pulumi.String("b")}}, &pulumi.CustomResourceState{},
			pulumi.Provider(cluster.Provider))
	}
}

// TestEffectsOfClusterChanges checks the section "What changes in place" of the package's documentation.
func TestEffectsOfClusterChanges(t *testing.T) {
	t.Parallel()
	size := func(i int) func(*aks.ClusterArgs) {
		return func(a *aks.ClusterArgs) { a.Pools[i].Size = "Standard_D8s_v5" }
	}
	for name, x := range map[string]struct {
		change func(*aks.ClusterArgs)
		want   []string
	}{
		"nothing": {nil, nil},
		"more nodes": {
			func(a *aks.ClusterArgs) { a.Pools[1].Count = 5 },
			[]string{`~ azure-native:containerservice:AgentPool "shop-win22d": update`},
		},
		"more nodes of the first pool, which is inline": {
			func(a *aks.ClusterArgs) { a.Pools[0].Count = 5 },
			[]string{`~ azure-native:containerservice:ManagedCluster "shop-cluster": update`},
		},
		"labels and taints": {
			func(a *aks.ClusterArgs) {
				a.Pools[1].Labels = map[string]string{"team": "shop"}
				a.Pools[1].Taints = []corev1.Taint{
					topology.WindowsTaint(), {Key: "a", Effect: corev1.TaintEffectNoExecute},
				}
			},
			[]string{`~ azure-native:containerservice:AgentPool "shop-win22d": update`},
		},
		"another size": {size(1), []string{
			`+ azure-native:containerservice:AgentPool "shop-win223": create`,
			`- azure-native:containerservice:AgentPool "shop-win22d": delete`,
		}},
		"another size of the first pool": {size(0), []string{
			`+ azure-native:containerservice:AgentPool "shop-sysypx": create`,
			`~ azure-native:containerservice:ManagedCluster "shop-cluster": update`,
		}},
		"another password": {
			func(a *aks.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("An-Other-Password-1") },
			nil, // The log says which command changes it.
		},
		"another name": {func(a *aks.ClusterArgs) { a.Pools[1].Name = "web" }, []string{
			`+ azure-native:containerservice:AgentPool "shop-webd2x": create`,
			`- azure-native:containerservice:AgentPool "shop-win22d": delete`,
		}},
		"one pool more": {
			func(a *aks.ClusterArgs) {
				a.Pools = append(a.Pools, topology.Pool{Name: "gpu", Platform: "linux", Size: "Standard_D4s_v5"})
			},
			[]string{`+ azure-native:containerservice:AgentPool "shop-gpuvhv": create`},
		},
		"one pool less": {
			func(a *aks.ClusterArgs) { a.Pools = a.Pools[:1] },
			[]string{`- azure-native:containerservice:AgentPool "shop-win22d": delete`},
		},
		"another version of Kubernetes": {func(a *aks.ClusterArgs) { a.KubernetesVersion = "1.36" }, []string{
			`~ azure-native:containerservice:AgentPool "shop-win22d": update`,
			`~ azure-native:containerservice:ManagedCluster "shop-cluster": update`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, withObject(nil), akstest.Azure())
			graph := mocktest.MustRun(t, withObject(x.change), mocktest.Preview(), mocktest.After(earlier),
				akstest.Azure(akstest.Made(earlier)...))
			var got []string
			for _, c := range graph.Changes() {
				if c.Op != mocktest.OpSame && !strings.HasPrefix(c.Type, "mixedkube:") {
					got = append(got, c.String())
				}
			}
			equal(t, "changes", x.want, got)
		})
	}
}

// The cluster is protected, so a change that replaces it stops the preview: it would delete everything in the cluster.
func TestAChangeThatReplacesTheClusterStops(t *testing.T) {
	t.Parallel()
	otherRegion := func(a *aks.ClusterArgs) { a.Location = pulumi.String("westus") }
	earlier := mocktest.MustRun(t, withObject(func(a *aks.ClusterArgs) { a.Location = pulumi.String("westeurope") }),
		akstest.Azure())
	graph, err := mocktest.Run(withObject(otherRegion), mocktest.Preview(), mocktest.After(earlier),
		akstest.Azure(akstest.Made(earlier)...))
	if err == nil || !strings.Contains(err.Error(), "unable to replace resource") {
		t.Errorf("the error is %v", err)
	}
	for _, c := range graph.Changes().OfType(clusterType, poolType, "kubernetes:core/v1:ConfigMap") {
		if c.Op != mocktest.OpReplace {
			t.Errorf("%s, want a replacement", c)
		}
	}
}

// A plain pool moves into a component, with and without a setting for FIPS: docs/moving.md.
func TestAPoolThatMovesIntoAComponent(t *testing.T) {
	t.Parallel()
	plainPool := func(fips pulumi.BoolPtrInput) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := containerservice.NewAgentPool(ctx, "more", &containerservice.AgentPoolArgs{
				ResourceGroupName: pulumi.String("shop-group"), ResourceName: pulumi.String("shop"),
				AgentPoolName: pulumi.String("win22d"), Mode: pulumi.String("User"), EnableFIPS: fips,
				Type: pulumi.String("VirtualMachineScaleSets"), OsType: pulumi.String("Windows"),
				OsSKU: pulumi.String("Windows2022"), VmSize: pulumi.String("Standard_D4s_v5"), Count: pulumi.Int(1),
			})
			return err
		}
	}
	component := func(options ...pulumi.ResourceOption) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := aks.NewNodePool(ctx, "more", &aks.NodePoolArgs{
				ResourceGroupName: pulumi.String("shop-group"), ClusterName: pulumi.String("shop"),
				KubernetesVersion: "1.35",
				Pool: topology.Pool{
					Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5",
				},
			}, options...)
			return err
		}
	}
	moved := pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String(poolType)}})
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          []mocktest.Op
	}{
		"FIPS is set":   {plainPool(pulumi.Bool(false)), component(moved), []mocktest.Op{mocktest.OpUpdate}},
		"FIPS is unset": {plainPool(nil), component(moved), []mocktest.Op{mocktest.OpReplace}},
		"without alias": {plainPool(nil), component(), []mocktest.Op{mocktest.OpDelete, mocktest.OpCreate}},
		"out again": {
			component(), plainPool(pulumi.Bool(false)), []mocktest.Op{mocktest.OpCreate, mocktest.OpDelete},
		},
		"the second time": {component(), component(moved), []mocktest.Op{mocktest.OpSame}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, x.before, akstest.Azure())
			graph := mocktest.MustRun(t, x.after, mocktest.Preview(), mocktest.After(earlier), akstest.Azure())
			pools := graph.Changes().OfType(poolType)
			var got []mocktest.Op
			for _, c := range pools {
				got = append(got, c.Op)
			}
			if !cmp.Equal(x.want, got) {
				t.Errorf("operations %v, want %v:\n%s", got, x.want, pools)
			}
		})
	}
}
