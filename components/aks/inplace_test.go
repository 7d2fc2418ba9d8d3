package aks_test

import (
	"slices"
	"strings"
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	policyv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/policy/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// changesAfter returns the changes of a program after another one, except those of components. Azure has all properties
// of the pools.
func changesAfter(t *testing.T, before, after func(*aks.ClusterArgs)) ([]string, *mocktest.Graph) {
	t.Helper()
	earlier := mocktest.MustRun(t, withObject(before), akstest.Azure())
	graph := mocktest.MustRun(t, withObject(after), mocktest.Preview(), mocktest.After(earlier),
		akstest.Azure(inAzureAfter(earlier)...))
	var got []string
	for _, c := range graph.Changes() {
		if c.Op != mocktest.OpSame && !strings.HasPrefix(c.Type, "mixedkube:") {
			got = append(got, c.String())
		}
	}
	return got, graph
}

// inAzureAfter returns the cluster in Azure, with all properties of its pools.
func inAzureAfter(earlier *mocktest.Graph) []akstest.Cluster {
	made := akstest.Made(earlier)
	made[0].Properties["agentPoolProfiles"] = []any{
		map[string]any{"name": "sysypx", "mode": "System", "osType": "Linux", "osSKU": "Ubuntu", "count": 3},
		map[string]any{
			"name": "win22d", "mode": "User", "osType": "Windows", "osSKU": "Windows2022", "count": 2,
			"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4", "maxPods": 250, "osDiskSizeGB": 300,
			"osDiskType": "Managed", "nodeTaints": []any{"os=windows:NoSchedule"}, "upgradeSettings": map[string]any{
				"maxSurge": "33%", "drainTimeoutInMinutes": 60, "undrainableNodeBehavior": "Cordon",
			},
		},
	}
	return made
}

// named gives the Windows pool the name that it has.
func named(a *aks.ClusterArgs) {
	a.PoolOptions = map[string]aks.PoolOptions{"win22": {NameInAzure: "win22d"}}
}

func inPlace(a *aks.ClusterArgs) {
	a.AzureCLI = true
	a.PoolOptions = map[string]aks.PoolOptions{"win22": {
		NameInAzure: "win22d", Change: aks.InPlace, Previews: []aks.Preview{aks.VMSSResize},
	}}
}

func TestTheNameAloneChangesNothing(t *testing.T) {
	t.Parallel()
	surge := func(a *aks.ClusterArgs) { a.Pools[1].Upgrade.MaxSurge = "33%" }
	for _, before := range []func(*aks.ClusterArgs){func(*aks.ClusterArgs) {}, surge} {
		_, graph := changesAfter(t, before, func(a *aks.ClusterArgs) { before(a); named(a) })
		equal(t, "changes", "", graph.Changes().String())
	}
}

// Earlier versions of this library sent the values in Azure of the properties that a program leaves out. They are in the
// states of stacks.
func TestStatesWithTheValuesInAzureStayTheSame(t *testing.T) {
	t.Parallel()
	before := func(a *aks.ClusterArgs) {
		named(a)
		p := &a.Pools[1]
		p.MaxPods, p.OSDiskSizeGB, p.OSDiskType = 250, 300, topology.ManagedDisk
		p.Upgrade = topology.Upgrade{MaxSurge: "33%", DrainTimeoutMinutes: 60, UndrainableNodes: topology.Cordon}
	}
	_, graph := changesAfter(t, before, named)
	equal(t, "changes", "", graph.Changes().String())
}

// The same for a pool in a cluster of another program.
func TestTheNameAloneChangesNothingInAnExistingCluster(t *testing.T) {
	t.Parallel()
	args := aks.PoolArgs{Pool: win22}
	args.Pool.Upgrade.MaxSurge = "33%"
	earlier := mocktest.MustRun(t, joiningWith(args), akstest.Azure(unmanaged(nil)))
	in := earlier.MustGet(t, poolType, "win22-win22d").Plain()
	cluster := withPool("win22d", in["tags"])
	pools := cluster.Properties["agentPoolProfiles"].([]any)
	pools[len(pools)-1].(map[string]any)["nodeTaints"] = in["nodeTaints"]
	args.NameInAzure = "win22d"
	graph := mocktest.MustRun(t, joiningWith(args), mocktest.Preview(), mocktest.After(earlier),
		akstest.Azure(cluster))
	equal(t, "changes", "", graph.Changes().String())
}

// The command comes last, and azure-native, which would replace the pool, ignores the size.
func TestAPoolGetsAnotherSizeInPlace(t *testing.T) {
	t.Parallel()
	larger := func(a *aks.ClusterArgs) {
		inPlace(a)
		a.Pools[1].Size = "Standard_D8s_v5"
	}
	got, graph := changesAfter(t, inPlace, larger)
	equal(t, "changes", []string{
		`~ command:local:Command "shop-win22-size": update`,
	}, got)
	command := graph.MustGet(t, "command:local:Command", "shop-win22-size")
	equal(t, "the size", "Standard_D8s_v5", command.Plain()["environment"].(map[string]any)["MIXEDKUBE_SIZE"])
	equal(t, "log", []string{"info: pools[1].size: … (MK815)"}, onlyRules(brief(messages(graph)...), "MK815"))

	// The first run of the command makes the change too.
	first, graph := changesAfter(t, func(a *aks.ClusterArgs) { named(a); a.AzureCLI = true }, larger)
	equal(t, "the first changes", []string{`+ command:local:Command "shop-win22-size": create`}, first)
	create := textOf(t, graph.MustGet(t, "command:local:Command", "shop-win22-size"), "create")
	if !strings.HasPrefix(create, "az aks nodepool update") {
		t.Errorf("the command runs %s at first", create)
	}
}

// A pool that has changed in place stays the same without Change and without a refresh, although the state has the value
// before. Azure has it with another case.
func TestAPoolThatHasChangedInPlaceIsNotReplaced(t *testing.T) {
	t.Parallel()
	earlier := mocktest.MustRun(t, withObject(named), akstest.Azure())
	azure := inAzureAfter(earlier)
	pool := azure[0].Properties["agentPoolProfiles"].([]any)[1].(map[string]any)
	pool["vmSize"], pool["osSKU"], pool["enableFIPS"] = "standard_d8s_v5", "Windows2025", true
	graph := mocktest.MustRun(t, withObject(func(a *aks.ClusterArgs) {
		named(a)
		a.Pools[1].Size, a.Pools[1].Platform, a.Pools[1].FIPS = "Standard_D8s_v5", platform.WindowsServer2025, true
	}), mocktest.Preview(), mocktest.After(earlier), akstest.Azure(azure...))
	for _, c := range graph.Changes() {
		if c.Op != mocktest.OpSame && c.Type == poolType {
			t.Errorf("%v", c)
		}
	}
}

// A command whose last run has failed runs again, even if the program has its old size again, and only then: the
// variable that runs it keeps its value afterwards.
func TestAPoolReturnsToItsSizeInPlace(t *testing.T) {
	t.Parallel()
	larger := func(a *aks.ClusterArgs) {
		inPlace(a)
		a.Pools[1].Size = "Standard_D8s_v5"
	}
	earlier := mocktest.MustRun(t, withObject(inPlace), akstest.Azure())
	stopped := inAzureAfter(earlier)
	pool := stopped[0].Properties["agentPoolProfiles"].([]any)[1].(map[string]any)
	pool["vmSize"], pool["provisioningState"], pool["eTag"] = "Standard_D8s_v5", "Failed", "7"
	after := func(before *mocktest.Graph, azure []akstest.Cluster, program func(*aks.ClusterArgs)) *mocktest.Graph {
		return mocktest.MustRun(t, withObject(program), mocktest.After(before), akstest.Azure(azure...))
	}
	const update = `~ command:local:Command "shop-win22-size": update` + "\n    environment.MIXEDKUBE_"
	returned := after(earlier, stopped, inPlace)
	equal(t, "changes back", update+`AFTER: nothing → "vmSize=Standard_D8s_v5 osSKU=Windows2022 `+
		`provisioningState=Failed eTag=7"`+"\n", returned.Changes().String())
	again := after(returned, inAzureAfter(earlier), inPlace)
	equal(t, "changes of a pool that has returned", "", again.Changes().String())
	again = after(again, inAzureAfter(earlier), larger)
	equal(t, "commands later", 1, strings.Count(again.Changes().String(), update))
}

// The resource of the pool ignores its release, and FIPS, which all images of Windows Server 2025 have.
func TestAPoolGetsAnotherReleaseInPlace(t *testing.T) {
	t.Parallel()
	before := func(a *aks.ClusterArgs) { inPlace(a); a.PoolOptions["win22"] = upgradingWindows }
	got, graph := changesAfter(t, before, func(a *aks.ClusterArgs) {
		before(a)
		a.Pools[1].Platform, a.Pools[1].FIPS = platform.WindowsServer2025, true
	})
	equal(t, "changes", []string{`+ command:local:Command "shop-win22-os": create`}, got)
	command := graph.MustGet(t, "command:local:Command", "shop-win22-os")
	equal(t, "the release", "Windows2025", command.Plain()["environment"].(map[string]any)["MIXEDKUBE_OS_SKU"])
	equal(t, "log", []string{"info: pools[1].platform: … (MK815)"}, onlyRules(brief(messages(graph)...), "MK815"))
}

var upgradingWindows = aks.PoolOptions{
	NameInAzure: "win22d", Change: aks.InPlace, Previews: []aks.Preview{aks.WindowsOSUpgrade},
}

// withWorkload returns a program with a cluster and the pods of a Deployment on its Windows nodes, none of which may be
// evicted. It runs under the guard.
func withWorkload(change func(*aks.ClusterArgs), image string, nodes pulumi.StringMap) pulumi.RunFunc {
	return guard.Program(func(ctx *pulumi.Context) error {
		cluster, err := aks.NewCluster(ctx, "shop", small(change))
		if err != nil {
			return err
		}
		if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology, Place: true}); err != nil {
			return err
		}
		labels := pulumi.StringMap{"app": pulumi.String("iis")}
		selector := metav1.LabelSelectorArgs{MatchLabels: labels}
		_, err = policyv1.NewPodDisruptionBudget(ctx, "iis", &policyv1.PodDisruptionBudgetArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("iis"), Namespace: pulumi.String("shop")},
			Spec:     policyv1.PodDisruptionBudgetSpecArgs{MaxUnavailable: pulumi.Int(0), Selector: selector},
		}, pulumi.Provider(cluster.Provider))
		if err != nil {
			return err
		}
		_, err = appsv1.NewDeployment(ctx, "iis", &appsv1.DeploymentArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("iis"), Namespace: pulumi.String("shop")},
			Spec: appsv1.DeploymentSpecArgs{Selector: selector, Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{NodeSelector: nodes, Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("iis"), Image: pulumi.String(image),
				}}},
			}},
		}, pulumi.Provider(cluster.Provider))
		return err
	})
}

// The preview names budgets of pods on the pools that an update drains: those that change in place, and those that a
// new pool replaces. An image that does not run on the release that the nodes get stops it.
func TestThePreviewNamesWhatStopsADrain(t *testing.T) {
	t.Parallel()
	const (
		of2022  = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
		of2025  = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025"
		never   = "no pod may ever be evicted, so no node with one of them can be drained"
		drained = never +
			"; this update drains the nodes of win22, where pods of Deployment/iis run, and would stop there"
	)
	larger := func(a *aks.ClusterArgs) { a.Pools[1].Size = "Standard_D8s_v5" }
	newer := func(a *aks.ClusterArgs) {
		inPlace(a)
		a.PoolOptions["win22"] = upgradingWindows
		a.Pools[1].Platform, a.Pools[1].FIPS = platform.WindowsServer2025, true
	}
	for name, tt := range map[string]struct {
		change func(*aks.ClusterArgs)
		image  string
		want   string
		stops  bool
	}{
		"nothing changes":       {nil, of2022, never, false},
		"in place":              {func(a *aks.ClusterArgs) { inPlace(a); larger(a) }, of2022, drained, false},
		"a new pool":            {larger, of2022, drained, false},
		"another release":       {newer, of2025, drained, false},
		"without a new variant": {newer, of2022, drained, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, withObject(nil), akstest.Azure())
			graph, err := mocktest.Run(
				withWorkload(tt.change, tt.image, nil),
				mocktest.Preview(),
				mocktest.After(earlier),
				akstest.Azure(inAzureAfter(earlier)...),
			)
			all := strings.Join(messages(graph), "\n")
			if wrong := onlyRules(all, "MK305"); (err != nil) != tt.stops || (len(wrong) == 1) != tt.stops {
				t.Errorf("the error is %v, with %q, want one: %t", err, wrong, tt.stops)
			}
			found := onlyRules(all, "MK570")
			if len(found) != 1 || !strings.Contains(found[0], tt.want+": ") {
				t.Errorf("%q, want %s", found, tt.want)
			}
		})
	}
}

// A budget can stop a drain because of pods that are on the nodes which leave, even if they do not fit the new nodes, and
// because of pods that are for the new nodes only: those of an earlier revision are on the old ones.
func TestTheOldAndTheNewNodesOfAPoolLeave(t *testing.T) {
	t.Parallel()
	const size = "node.kubernetes.io/instance-type"
	for _, of := range []string{"Standard_D4s_v5", "Standard_D8s_v5", "Standard_D2s_v5"} {
		t.Run(of, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, withObject(nil), akstest.Azure())
			change := func(a *aks.ClusterArgs) { inPlace(a); a.Pools[1].Size = "Standard_D8s_v5" }
			image := "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
			nodes := pulumi.StringMap{size: pulumi.String(of), "agentpool": pulumi.String("win22d")}
			graph, _ := mocktest.Run(withWorkload(change, image, nodes), mocktest.Preview(), mocktest.After(earlier),
				akstest.Azure(inAzureAfter(earlier)...))
			found := onlyRules(strings.Join(messages(graph), "\n"), "MK570")
			const drained = "; this update drains the nodes of win22, where pods of Deployment/iis run"
			if len(found) != 1 || strings.Contains(found[0], drained) != (of != "Standard_D2s_v5") {
				t.Errorf("%q", found)
			}
		})
	}
}

func TestAPoolThatIsNotLookedUpDoesNotChangeInPlace(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := aks.NewNodePool(ctx, "win22", &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("g"), ClusterName: pulumi.String("shop"), Pool: small(nil).Pools[1],
			PoolOptions: aks.PoolOptions{NameInAzure: "win22d", Change: aks.InPlace},
		})
		return err
	}, akstest.Azure())
	const want = "change: Forbidden: this component does not look the pool up"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// onlyRules returns the messages with the ID of a rule.
func onlyRules(messages string, id string) []string {
	var found []string
	for line := range strings.Lines(messages) {
		if strings.Contains(line, id) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// The cluster has its first pool inline, and sends the size that the pool has in Azure. A command changes it.
func TestTheFirstPoolChangesInPlace(t *testing.T) {
	t.Parallel()
	program := func(a *aks.ClusterArgs) {
		a.AzureCLI = true
		a.Pools[0].Size = "Standard_D8s_v5"
		a.PoolOptions["sys"] = aks.PoolOptions{
			NameInAzure: "nodepool1", Change: aks.InPlace, Previews: []aks.Preview{aks.VMSSResize},
		}
	}
	azure := unmanaged(nil)
	azure.Tags = map[string]string{"mixedkube-first-pool": "nodepool1"}
	graph := mocktest.MustRun(t, newCluster(takingOver(program)), akstest.Azure(azure))
	cluster := graph.MustGet(t, clusterType, "shop-cluster")
	profile := cluster.Plain()["agentPoolProfiles"].([]any)[0].(map[string]any)
	equal(t, "the size of the inline pool", any("Standard_D4s_v5"), profile["vmSize"])
	command := graph.MustGet(t, "command:local:Command", "shop-sys-size")
	equal(t, "the new size", any("Standard_D8s_v5"), command.Plain()["environment"].(map[string]any)["MIXEDKUBE_SIZE"])
	if create := textOf(t, command, "create"); !strings.HasPrefix(create, "az aks nodepool update") {
		t.Errorf("the command runs %s", create)
	}
	if !slices.Contains(command.Dependencies, cluster.URN) {
		t.Error("the command does not wait for the cluster")
	}
	equal(t, "log", []string{"info: pools[0].size: … (MK815)"}, onlyRules(brief(messages(graph)...), "MK815"))
}
