package aks_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// changesAfter returns the changes of a program after another one, with the pools in Azure as they are, except those of
// components.
func changesAfter(t *testing.T, before, after func(*aks.ClusterArgs)) ([]string, *mocktest.Graph) {
	t.Helper()
	earlier := mocktest.MustRun(t, withObject(before), akstest.Azure())
	made := akstest.Made(earlier)
	made[0].Properties["agentPoolProfiles"] = []any{
		map[string]any{"name": "sysypx", "mode": "System", "osType": "Linux", "osSKU": "Ubuntu", "count": 3},
		map[string]any{
			"name": "win22d", "mode": "User", "osType": "Windows", "osSKU": "Windows2022", "count": 2,
			"vmSize": "Standard_D4s_v5", "currentOrchestratorVersion": "1.35.4", "maxPods": 30,
		},
	}
	graph := mocktest.MustRun(t, withObject(after), mocktest.Preview(), mocktest.After(earlier),
		akstest.Azure(made...))
	var got []string
	for _, c := range graph.Changes() {
		if c.Op != mocktest.OpSame && !strings.HasPrefix(c.Type, "mixedkube:") {
			got = append(got, c.String())
		}
	}
	return got, graph
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
	got, _ := changesAfter(t, nil, named)
	equal(t, "changes", []string(nil), got)
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
	equal(t, "the first changes", []string{
		`+ command:local:Command "shop-win22-os": create`, `+ command:local:Command "shop-win22-size": create`,
	}, first)
	for name, want := range map[string]string{"shop-win22-size": "az aks nodepool update", "shop-win22-os": "exit 0"} {
		create := textOf(t, graph.MustGet(t, "command:local:Command", name), "create")
		if !strings.HasPrefix(create, want) {
			t.Errorf("%s runs %s at first, want %s", name, create, want)
		}
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
