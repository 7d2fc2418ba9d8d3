package aks_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// hooked returns the resources that have error hooks, with the hooks.
func hooked(graph *mocktest.Graph) []string {
	var found []string
	for _, r := range graph.Resources() {
		if len(r.ErrorHooks) > 0 {
			found = append(found, fmt.Sprint(r.Name, " ", r.ErrorHooks))
		}
	}
	slices.Sort(found)
	return found
}

// busyProgram registers two clusters and a pool of another one.
func busyProgram(ctx *pulumi.Context) error {
	for _, name := range []string{"shop", "bank"} {
		args := inGroup(nil)
		args.AzureCLI = name == "shop"
		if _, err := aks.NewCluster(ctx, name, args); err != nil {
			return err
		}
	}
	_, err := aks.NewNodePool(ctx, "shop", &aks.NodePoolArgs{
		ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("other"), KubernetesVersion: "1.36",
		Pool: topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 2},
	})
	return err
}

// All resources that change a cluster in Azure, including commands of az, have the hook of their component, in a
// preview too. Components never share a hook, even if they have the same name.
func TestChangesOfAClusterAreRetried(t *testing.T) {
	t.Parallel()
	const (
		shop = " [urn:pulumi:stack::project::mixedkube:aks:Cluster::shop]"
		bank = " [urn:pulumi:stack::project::mixedkube:aks:Cluster::bank]"
		pool = " [urn:pulumi:stack::project::mixedkube:aks:NodePool::shop]"
	)
	for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		graph := mocktest.MustRun(t, busyProgram, append(options, akstest.Azure())...)
		equal(t, "resources with hooks", []string{
			"bank-cluster" + bank, "bank-win22d" + bank,
			"shop-cluster" + shop, "shop-first-pool-removal" + shop, "shop-first-pool-upgrade" + shop,
			"shop-win22d" + shop, "shop-win22d" + pool, "shop-windows-admin-update" + shop,
		}, hooked(graph))
	}
}

// A component of the same type and name can be below another parent.
func TestHooksOfClustersBelowOtherParents(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		for _, kind := range []string{"One", "Two"} {
			parent := &pulumi.ResourceState{}
			if err := ctx.RegisterComponentResource("my:index:"+kind, "parent", parent); err != nil {
				return err
			}
			if _, err := aks.NewCluster(ctx, "shop", inGroup(nil), pulumi.Parent(parent)); err != nil {
				return err
			}
		}
		return nil
	}, akstest.Azure())
	equal(t, "resources with hooks", 4, len(hooked(graph)))
}

// threePools adds a pool, so that the cluster has an inline pool and two others.
func threePools(a *aks.ClusterArgs) {
	a.Pools = append(a.Pools, topology.Pool{Name: "apps", Platform: platform.Linux, Size: "Standard_D4s_v5"})
}

// waitsFor reports whether the pool apps waits for the other pool that is a resource.
func waitsFor(t *testing.T, graph *mocktest.Graph) bool {
	t.Helper()
	return slices.Contains(graph.MustGet(t, poolType, "shop-appsvhv").Dependencies,
		graph.MustGet(t, poolType, "shop-win22d").URN)
}

func TestPoolsAreCreatedInParallelIfPossible(t *testing.T) {
	t.Parallel()
	ownSubnet := func(a *aks.ClusterArgs) {
		threePools(a)
		a.Network.NodeSubnetID = pulumi.String(subnets + "nodes")
	}
	for name, tt := range map[string]struct {
		change  func(*aks.ClusterArgs)
		version string
		waits   bool
		hooks   int
		logs    []string
	}{
		"hooks retry them": {change: threePools, hooks: 3},
		"in a network of the user, where Azure fails a pool that has begun": {
			change: ownSubnet, hooks: 3, waits: true,
		},
		"no hooks": {change: threePools, version: "3.216.0", waits: true, logs: []string{
			`info: this version of Pulumi cannot retry what Azure refuses while it is busy, so the pools of a ` +
				`cluster are made one by one: ` +
				`Pulumi CLI version 3.216.0 does not satisfy the version range ">=3.244.0"`,
		}},
		"hooks of deletions only": {change: threePools, version: "3.243.0", waits: true, hooks: 3, logs: []string{
			`info: this version of Pulumi cannot retry what Azure refuses while it is busy, so the pools of a ` +
				`cluster are made one by one: ` +
				`Pulumi CLI version 3.243.0 does not satisfy the version range ">=3.244.0"`,
		}},
		"the first version with hooks after each failure": {change: threePools, version: "3.244.0", hooks: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, newCluster(inGroup(tt.change)), akstest.Azure(),
				mocktest.PulumiVersion(tt.version))
			equal(t, "one pool waits for the other", tt.waits, waitsFor(t, graph))
			equal(t, "number of resources with hooks", tt.hooks, len(hooked(graph)))
			equal(t, "pools", []string{"shop-appsvhv", "shop-win22d"}, names(graph, poolType))
			equal(t, "log", tt.logs, messages(graph))
		})
	}
}

// The commands come last: no other operation of the program runs in parallel with them.
func TestCommandsOfTheFirstPoolWaitForThePools(t *testing.T) {
	t.Parallel()
	args := inGroup(threePools)
	args.AzureCLI = true
	graph := mocktest.MustRun(t, newCluster(args), akstest.Azure(made(nil)))
	upgrade := graph.MustGet(t, commandType, "shop-first-pool-upgrade")
	waitsForAll := slices.Concat(graph.ByType(clusterType), graph.ByType(poolType),
		[]mocktest.Resource{graph.MustGet(t, commandType, "shop-windows-admin-update")})
	for _, r := range waitsForAll {
		if !slices.Contains(upgrade.Dependencies, r.URN) {
			t.Errorf("the upgrade does not wait for %s", r)
		}
	}
}

// The SDK's mocks panic if an error hook is registered.
func TestTheMocksOfTheSDKHaveNoHooks(t *testing.T) {
	t.Parallel()
	var got []any
	program := func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "more", &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("other"), KubernetesVersion: "1.36",
			Pool: topology.Pool{Name: "apps", Platform: platform.Linux, Size: "Standard_D4s_v5"},
		})
		if err != nil {
			return err
		}
		c, err := aks.NewCluster(ctx, "shop", small(nil))
		if err != nil {
			return err
		}
		ctx.Export("known", pulumi.All(c.Kubeconfig, c.OIDCIssuerURL).ApplyT(func(known []any) any {
			got = known
			return nil
		}))
		return nil
	}
	azure := mocktest.Mocks(akstest.Azure())
	if err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", azure)); err != nil {
		t.Fatal(err)
	}
	equal(t, "the kubeconfig and the issuer", []any{akstest.Kubeconfig, "https://oidc.example.com/shop"}, got)
}

func TestRetryIsNotNegative(t *testing.T) {
	t.Parallel()
	const message = `retry.backoff: Invalid value: "-1s": must not be negative`
	retry := aks.Retry{Backoff: -time.Second}
	_, err := mocktest.Run(newCluster(inGroup(func(a *aks.ClusterArgs) { a.Retry = retry })), akstest.Azure())
	equal(t, "the error of a cluster", `mixedkube:aks:Cluster "shop": `+message, fmt.Sprint(err))
	_, err = mocktest.Run(newPool(&aks.NodePoolArgs{
		ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("other"),
		Retry: aks.Retry{Timeout: -1},
		Pool:  topology.Pool{Name: "apps", Platform: platform.Linux, Size: "Standard_D4s_v5"},
	}))
	equal(t, "the error of a pool",
		`mixedkube:aks:NodePool "more": retry.timeout: Invalid value: "-1ns": must not be negative`, fmt.Sprint(err))
}
