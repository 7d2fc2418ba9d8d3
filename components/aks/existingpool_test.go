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
	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// shopOwner is the owner of the pools of [joining].
const shopOwner = "organization/project/stack/shop"

// withPool is the cluster of [foreign] with another Windows pool.
func withPool(name string, tags any) akstest.Cluster {
	return foreign(func(p map[string]any) {
		p["agentPoolProfiles"] = append(p["agentPoolProfiles"].([]any), map[string]any{
			"name": name, "mode": "User", "osType": "Windows", "osSKU": "Windows2022", "count": 1, "tags": tags,
			"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4", "maxPods": 250,
		})
	})
}

// The tag of the owner is what the next run knows the pool by.
func TestAPoolWithTagsOfItsOwnStaysThePrograms(t *testing.T) {
	t.Parallel()
	own := pulumi.StringMap{"team": pulumi.String("web")}
	for name, args := range map[string]aks.PoolArgs{
		"tags": {Pool: win22, Tags: own},
		"tags among the options": {
			Pool: win22, Tags: pulumi.StringMap{"team": pulumi.String("nobody")},
			PoolOptions: aks.PoolOptions{Options: &containerservice.AgentPoolArgs{Tags: own}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := any(map[string]any{"team": "web", "mixedkube-pool-of": shopOwner})
			there := foreign(nil)
			for run := range 2 {
				graph := mocktest.MustRun(t, joining(args), akstest.Azure(there))
				tags := get(t, graph, poolType, "win22-win22d").Plain()["tags"]
				equal(t, fmt.Sprintf("tags of run %d", run+1), want, tags)
				there = withPool("win22d", tags)
			}
			if tags := args.Options; tags != nil && tags.Tags == nil {
				t.Error("the arguments of the program are changed")
			}
		})
	}
}

// joiningWith is a program that has the pool win22 in an existing cluster.
func joiningWith(args aks.PoolArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return inExisting(func(ctx *pulumi.Context, cluster *aks.ExistingCluster) error {
		_, err := cluster.NewNodePool(ctx, "win22", &args, opts...)
		return err
	})
}

// A program begins with aks.NewNodePool, and looks its cluster up later.
func TestAPoolOfNewNodePoolMovesToAnExistingCluster(t *testing.T) {
	t.Parallel()
	before := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "win22", &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("shop-group"), ClusterName: pulumi.String("shop"),
			KubernetesVersion: "1.35", Pool: win22, Tags: pulumi.StringMap{"team": pulumi.String("shop")},
		})
		return err
	}, akstest.Azure())
	old := get(t, before, poolType, "win22-win22d")
	in := old.Plain()
	there := akstest.Azure(withPool(in["agentPoolName"].(string), in["tags"]))

	graph := mocktest.MustRun(t, joiningWith(aks.PoolArgs{Pool: win22},
		pulumi.Aliases([]pulumi.Alias{{NoParent: pulumi.Bool(true)}})), there)
	component := get(t, graph, "mixedkube:aks:NodePool", "win22")
	equal(t, "aliases", []mocktest.Alias{{NoParent: true}}, component.Aliases)
	// Pulumi resolves the alias to the component that was there, and finds the pool below it.
	formerly := resource.NewURN("stack", "project", "", component.URN.Type(), component.Name)
	equal(t, "the component that the alias means", old.Parent, formerly)
	moved := get(t, graph, poolType, old.Name)
	equal(t, "the parent", component.URN, moved.Parent)
	in["tags"] = map[string]any{"team": "shop", "mixedkube-pool-of": shopOwner}
	equal(t, "the pool", in, moved.Plain())

	_, err := mocktest.Run(joining(aks.PoolArgs{Pool: win22}), there)
	const want = `mixedkube:aks:NodePool "win22": pool.name: "win22": the cluster has a pool "win22d", without the ` +
		`tag mixedkube-pool-of that pools of aks.Existing have: add the alias {NoParent: pulumi.Bool(true)} to this ` +
		`one if aks.NewNodePool created it in this stack; or set nameInAzure to "win22d" and importID to its ` +
		`resource ID to take it over, or use another name (MK798)`
	equal(t, "the error without the alias", want, fmt.Sprint(err))
}

// A pool that exists in Azure is not a resource of the program unless it has an import or an alias.
func TestAPoolThatIsThereNeedsAnImportOrAnAlias(t *testing.T) {
	t.Parallel()
	const (
		id       = existingID + "/agentPools/win"
		other    = "organization/project/prod/shop"
		ofOther  = `which belongs to another program: its tag mixedkube-pool-of is "` + other + `": `
		noImport = `mixedkube:aks:NodePool "win22": nameInAzure: "win": the pool already exists in Azure, without ` +
			`the tag mixedkube-pool-of that pools of aks.Existing have: set importID to its resource ID; or add an ` +
			`alias to the pool, if this stack has it under another name (MK779)`
		foreignPool = `mixedkube:aks:NodePool "win22": pool.name: "win22": the cluster has a pool "win22d", ` +
			ofOther + `use another name; or, if that is a former name of this stack or component, add its former ` +
			`name to the ExistingCluster as an alias, or ignore this rule for one update, which rewrites the tag ` +
			`(MK798)`
	)
	kept := aks.PoolArgs{Pool: win22, PoolOptions: aks.PoolOptions{NameInAzure: "win"}}
	imported := kept
	imported.ImportID = pulumi.String(id)
	ofAnother := withPool("win22d", map[string]any{"mixedkube-pool-of": other})
	formerly := pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("bank")}})
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		there   akstest.Cluster
		want    string
	}{
		"nothing says so": {joiningWith(kept), foreign(nil), noImport},
		"an ID":           {joiningWith(imported), foreign(nil), ""},
		"an import":       {joiningWith(kept, pulumi.Import(pulumi.ID(id))), foreign(nil), ""},
		"an alias of its type": {joiningWith(kept, pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String(poolType), Name: pulumi.String("win")},
		})), foreign(nil), ""},
		"another program": {joiningWith(aks.PoolArgs{Pool: win22}), ofAnother, foreignPool},
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
			graph, err := mocktest.Run(tt.program, mocktest.Preview(), akstest.Azure(tt.there))
			if tt.want != "" {
				equal(t, "the error", tt.want, fmt.Sprint(err))
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

// Other answers of Azure's that end in the same words say nothing of the cluster.
func TestWhatAzureSaysOfAClusterThatIsNotThere(t *testing.T) {
	t.Parallel()
	const none = `mixedkube:aks:ExistingCluster "shop": clusterName: Not found: "shop": the resource group ` +
		`"shop-group" has no such cluster: NewCluster of this package makes one`
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

// Programs in other languages have no method that makes a pool.
func TestPoolsOfTheArgumentsAreThoseOfNewNodePool(t *testing.T) {
	t.Parallel()
	in := akstest.Azure(foreign(nil))
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
	equal(t, "what is registered", want.String(), got.String())

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
		t.Errorf("registered in spite of the errors: %v", made)
	}
}
