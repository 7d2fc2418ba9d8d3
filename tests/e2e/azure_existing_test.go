package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// The cluster of the programs in components/aks/testdata/takeover.
const (
	shopGroup   = "/subscriptions/" + armclient.SubscriptionID + "/resourceGroups/shop-group"
	shopCluster = shopGroup + "/providers/Microsoft.ContainerService/managedClusters/shop"
)

// takeoverStep is a program, and all that it does. Lists are texts of a line each.
type takeoverStep struct {
	program string
	// operations are those of Pulumi, nodes those of the cluster after them.
	operations, nodes string
	// says is in the output of the preview.
	says []string
}

// plainSteps are the steps of a cluster that plain azure-native code has made.
var plainSteps = []takeoverStep{
	{
		program: "plain",
		operations: `
		`,
		nodes: `
		`,
	},
	{program: "adopted"},
	{program: "changed"},
}

// foreignSteps are those of a cluster that no program has made.
var foreignSteps = []takeoverStep{
	{program: "existing"},
	{program: "joined"},
}

var importedSteps = []takeoverStep{
	{program: "imported"},
	{program: "settled"},
}

// TestClustersThatExist goes through docs/existing-clusters.md: no preview of a takeover replaces or
// deletes something, and none leaves something to do.
func TestClustersThatExist(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab")
	t.Run("made by plain azure-native code", func(t *testing.T) { l.takeover(t, "plain", plainSteps) })
	check(t, os.RemoveAll(l.AzureDir()))
	check(t, l.Start(t.Context(), lab.Options{Stack: "lab"}))
	makeShop(t, l.AzureDir())
	t.Run("made by nobody's program", func(t *testing.T) {
		stack := l.takeover(t, "foreign", foreignSteps)
		check(t, stack.Destroy(t.Context(), "--skip-preview"))
		sameLines(t, "nodes", "", nodeLines(t, l.client(t)))
	})
	t.Run("imported", func(t *testing.T) { l.takeover(t, "imported", importedSteps) })
}

// takeover runs programs in a stack, one after the other.
func (l testLab) takeover(t *testing.T, name string, steps []takeoverStep) *deploy.Stack {
	t.Helper()
	config := filepath.Join(t.TempDir(), "Pulumi."+name+".yaml")
	records := t.TempDir()
	stack := l.project(t, "components/aks/testdata/takeover", name, config)
	configure := func(program string) {
		text := fmt.Sprintf("config:\n  azure-native:location: westeurope\n  takeover:program: %s\n"+
			"  takeover:clusterID: %s\n", program, strings.Replace(shopCluster, "resourceGroups", "resourcegroups", 1))
		check(t, os.WriteFile(config, []byte(text), 0o600))
	}
	configure(steps[0].program)
	check(t, stack.SetSecret(t.Context(), "takeover:windowsPassword", "Correct-Horse-Battery-9"))
	for _, step := range steps {
		if !t.Run(step.program, func(t *testing.T) {
			configure(step.program)
			r := newRunRecord(t, stack, records)
			if err := stack.Preview(t.Context(), "--diff"); err != nil {
				t.Fatalf("%v\n%s", err, r.output(t))
			}
			t.Log(r.output(t))
			contains(t, r.output(t), step.says...)
			r = newRunRecord(t, stack, records)
			err := stack.Up(t.Context(), append(r.eventLog(), "--skip-preview", "--diff")...)
			if err != nil && strings.Contains(r.output(t), "OperationNotAllowed") && step.program == "plain" {
				// Without this library nothing is retried.
				err = stack.Up(t.Context(), "--skip-preview")
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, r.output(t))
			}
			sameLines(t, "operations", step.operations, operations(t, r.events))
			sameLines(t, "nodes", step.nodes, nodeLines(t, l.client(t)))
			r = newRunRecord(t, stack, records)
			if err := stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
				t.Errorf("%v\n%s", err, r.output(t))
			}
		}) {
			_ = 0
		}
	}
	return stack
}

// makeShop makes a cluster with a Windows pool, as the portal would.
func makeShop(t *testing.T, dir string) {
	t.Helper()
	cloud, err := arm.Open(dir, arm.Options{})
	check(t, err)
	for _, resource := range []struct {
		id   string
		body arm.Body
	}{
		{shopGroup, arm.Body{"location": "westeurope"}},
		{shopCluster, arm.Body{
			"location": "westeurope", "tags": map[string]any{"team": "shop"},
			"identity": map[string]any{"type": "SystemAssigned"},
			"properties": map[string]any{
				"kubernetesVersion": "1.35", "dnsPrefix": "shop-dns",
				"windowsProfile": map[string]any{
					"adminUsername": "shopadmin", "adminPassword": "Made-By-The-Portal-1",
				},
				"autoUpgradeProfile": map[string]any{"upgradeChannel": "patch"},
				"agentPoolProfiles": []any{map[string]any{
					"name": "nodepool1", "mode": "System", "count": 1, "vmSize": "Standard_D4s_v5",
				}},
			},
		}},
		{shopCluster + "/agentPools/win", arm.Body{"properties": map[string]any{
			"osType": "Windows", "osSKU": "Windows2022", "count": 1, "vmSize": "Standard_D4s_v5",
			"nodeTaints": []any{"os=windows:NoSchedule"},
		}}},
	} {
		_, err := cloud.Put(t.Context(), resource.id, resource.body)
		check(t, err)
	}
}
