package aks_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// shopOwner is the owner of the pools of [joining].
const shopOwner = "organization/project/stack/shop"

// withPool returns the cluster of [unmanaged] with another Windows pool.
func withPool(name string, tags any) akstest.Cluster {
	return unmanaged(func(p map[string]any) {
		p["agentPoolProfiles"] = append(p["agentPoolProfiles"].([]any), map[string]any{
			"name": name, "mode": "User", "osType": "Windows", "osSKU": "Windows2022", "count": 1, "tags": tags,
			"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4", "maxPods": 250,
		})
	})
}

// The next run recognizes the pool by the tag of its owner.
func TestAPoolWithItsOwnTagsStaysInTheProgram(t *testing.T) {
	t.Parallel()
	own := pulumi.StringMap{"team": pulumi.String("web")}
	for name, args := range map[string]aks.PoolArgs{
		"tags": {Pool: win22, Tags: own},
		"tags among the options": {
			Pool: win22, Tags: pulumi.StringMap{"team": pulumi.String("overridden")},
			PoolOptions: aks.PoolOptions{Options: &containerservice.AgentPoolArgs{Tags: own}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := any(map[string]any{"team": "web", "mixedkube-pool-of": shopOwner})
			cluster := unmanaged(nil)
			for run := range 2 {
				graph := mocktest.MustRun(t, joining(args), akstest.Azure(cluster))
				tags := graph.MustGet(t, poolType, "win22-win22d").Plain()["tags"]
				equal(t, fmt.Sprintf("tags of run %d", run+1), want, tags)
				cluster = withPool("win22d", tags)
			}
			if tags := args.Options; tags != nil && tags.Tags == nil {
				t.Error("the arguments of the program are changed")
			}
		})
	}
}

// joiningWith returns a program that has the pool win22 in an existing cluster.
func joiningWith(args aks.PoolArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return inExisting(func(ctx *pulumi.Context, cluster *aks.ExistingCluster) error {
		_, err := cluster.NewNodePool(ctx, "win22", &args, opts...)
		return err
	})
}

// A program first uses aks.NewNodePool, and later looks its cluster up.
func TestAPoolOfNewNodePoolMovesToAnExistingCluster(t *testing.T) {
	t.Parallel()
	before := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "win22", &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("shop-group"), ClusterName: pulumi.String("shop"),
			KubernetesVersion: "1.35", Pool: win22, Tags: pulumi.StringMap{"team": pulumi.String("shop")},
		})
		return err
	}, akstest.Azure())
	old := before.MustGet(t, poolType, "win22-win22d")
	in := old.Plain()
	azure := akstest.Azure(withPool(in["agentPoolName"].(string), in["tags"]))

	graph := mocktest.MustRun(t, joiningWith(aks.PoolArgs{Pool: win22},
		pulumi.Aliases([]pulumi.Alias{{NoParent: pulumi.Bool(true)}})), azure)
	component := graph.MustGet(t, "mixedkube:aks:NodePool", "win22")
	equal(t, "aliases", []mocktest.Alias{{NoParent: true}}, component.Aliases)
	// Pulumi resolves the alias to the earlier component, and finds the pool below it.
	formerly := resource.NewURN("stack", "project", "", component.URN.Type(), component.Name)
	equal(t, "the component that the alias means", old.Parent, formerly)
	moved := graph.MustGet(t, poolType, old.Name)
	equal(t, "the parent", component.URN, moved.Parent)
	in["tags"] = map[string]any{"team": "shop", "mixedkube-pool-of": shopOwner}
	equal(t, "the pool", in, moved.Plain())

	_, err := mocktest.Run(joining(aks.PoolArgs{Pool: win22}), azure)
	const want = `mixedkube:aks:NodePool "win22": pool.name: … (MK798)`
	wantError(t, err, want)
}

// A pool that exists in Azure is not a resource of the program unless it has an import or an alias.
func TestAnExistingPoolNeedsAnImportOrAnAlias(t *testing.T) {
	t.Parallel()
	const (
		id          = existingID + "/agentPools/win"
		other       = "organization/project/prod/shop"
		noImport    = `mixedkube:aks:NodePool "win22": nameInAzure: … (MK779)`
		poolOfOther = `mixedkube:aks:NodePool "win22": pool.name: … (MK798)`
	)
	existing := aks.PoolArgs{Pool: win22, PoolOptions: aks.PoolOptions{NameInAzure: "win"}}
	imported := existing
	imported.ImportID = pulumi.String(id)
	ofAnother := withPool("win22d", map[string]any{"mixedkube-pool-of": other})
	formerly := pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("bank")}})
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		cluster akstest.Cluster
		want    string
	}{
		"neither of them": {joiningWith(existing), unmanaged(nil), noImport},
		"an ID":           {joiningWith(imported), unmanaged(nil), ""},
		"an import":       {joiningWith(existing, pulumi.Import(pulumi.ID(id))), unmanaged(nil), ""},
		"an alias of its type": {joiningWith(existing, pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String(poolType), Name: pulumi.String("win")},
		})), unmanaged(nil), ""},
		"another program": {joiningWith(aks.PoolArgs{Pool: win22}), ofAnother, poolOfOther},
		"another name of the stack": {
			joiningWith(aks.PoolArgs{Pool: win22, Ignore: []string{"MK798"}}), ofAnother, "",
		},
		"another name of the component": {func(ctx *pulumi.Context) error {
			cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: "shop-group"}, formerly)
			if err == nil {
				_, err = cluster.NewNodePool(ctx, "win22", &aks.PoolArgs{Pool: win22})
			}
			return err
		}, ofAnother, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(tt.program, mocktest.Preview(), akstest.Azure(tt.cluster))
			if tt.want != "" {
				wantError(t, err, tt.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tags, _ := graph.ByType(poolType)[0].Plain()["tags"].(map[string]any)
			equal(t, "the owner", any(shopOwner), tags[plan.OwnerTag])
		})
	}
}

// Other errors of Azure that end in the same words do not mean that the cluster does not exist.
func TestErrorsOfAzureForAClusterThatDoesNotExist(t *testing.T) {
	t.Parallel()
	const none = `mixedkube:aks:ExistingCluster "shop": clusterName: Not found: "shop": the resource group ` +
		`"shop-group" has no such cluster: to create one, use NewCluster of this package`
	failed := func(answer string) string {
		return `mixedkube:aks:ExistingCluster "shop": looking for the cluster "shop" in Azure: rpc error: code = ` +
			`Unknown desc = ` + answer
	}
	for answer, want := range map[string]string{
		`Status=404 Code="ResourceNotFound" Message="The Resource was not found."`:                  none,
		`Status=404 Code="ResourceGroupNotFound" Message="Resource group could not be found."`:      none,
		`Status=404 Code="SubscriptionNotFound" Message="The subscription 's' could not be found."`: "",
		`Status=404 Code="ParentResourceNotFound" Message="Can not perform operation."`:             "",
		`Status=404 Code="InvalidResourceType" Message="https://aka.ms/ARMResourceNotFoundFix"`:     "",
	} {
		if want == "" {
			want = failed(answer)
		}
		_, err := mocktest.Run(inExisting(nil), akstest.Azure(),
			mocktest.Calls(func(mocktest.Call) (resource.PropertyMap, error) { return nil, errors.New(answer) }))
		equal(t, "the error for "+answer, want, fmt.Sprint(err))
	}
}

// Programs in other languages have no method that creates a pool.
func TestPoolsOfTheArgumentsEqualThoseOfNewNodePool(t *testing.T) {
	t.Parallel()
	in := akstest.Azure(unmanaged(nil))
	linux := aks.PoolArgs{Pool: topology.Pool{Name: "lin", Platform: platform.Linux, Size: "Standard_D4s_v5"}}
	with := func(pools map[string]aks.PoolArgs) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: "shop-group", Pools: pools})
			if err == nil {
				ctx.Export("pools", pulumi.ToStringArray(poolNames(cluster.Topology())))
			}
			return err
		}
	}
	want := mocktest.MustRun(t, joining(linux, aks.PoolArgs{Pool: win22}), in)
	got := mocktest.MustRun(t, with(map[string]aks.PoolArgs{"lin": linux, "win22": {Pool: win22}}), in)
	equal(t, "registered resources", want.String(), got.String())

	graph, err := mocktest.Run(with(map[string]aks.PoolArgs{
		"good": linux, "none": {}, "win": {Pool: topology.Pool{Name: "windows-2022", Platform: "windows-2022"}},
	}), in)
	for _, want := range []string{
		"mixedkube:aks:NodePool \"none\":\n", "pool.platform: Required value", "mixedkube:aks:NodePool \"win\":\n",
		`pool.name: "windows-2022": 12 characters`,
	} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("error:\n%v\nwithout:\n%s", err, want)
		}
	}
	if made := graph.ByType(poolType); len(made) > 0 {
		t.Errorf("registered despite the errors: %v", made)
	}
}
