package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// takeoverStep is a program with all its expected effects. Lists are texts with a line for each element.
type takeoverStep struct {
	program string
	// takesOver reports whether the preview must neither replace nor delete resources.
	takesOver bool
	// output is a part of the output of the preview.
	output string
	// operations are the operations of Pulumi, nodes the nodes of the cluster after them.
	operations, nodes string
}

// plainSteps are the steps for a cluster that plain azure-native code has created.
var plainSteps = []takeoverStep{
	{
		program: "plain",
		operations: `
			create azure-native:containerservice:AgentPool batch
			create azure-native:containerservice:ManagedCluster shop
			create azure-native:resources:ResourceGroup group
			create pulumi:providers:azure-native default_3_23_0
			create pulumi:pulumi:Stack takeover-plain
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			aks-nodepool1-92759582-vmss000001 v1.35.7 Standard_D4s_v5
			aksbatch000000 v1.35.7 Standard_D4s_v5 team=batch
			akswin000000 v1.35.7 Standard_D4s_v5
		`,
	},
	{
		program: "adopted", takesOver: true,
		operations: `
			create mixedkube:aks:Cluster shop
			create pulumi:index:Stash shop-windows-admin
			create pulumi:providers:kubernetes shop-kubernetes
			create pulumi:providers:pulumi default
			import azure-native:containerservice:AgentPool shop-win
			update azure-native:containerservice:AgentPool shop-batch
			update azure-native:containerservice:AgentPool shop-win
			update azure-native:containerservice:ManagedCluster shop-cluster
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			aks-nodepool1-92759582-vmss000001 v1.35.7 Standard_D4s_v5
			aksbatch000000 v1.35.7 Standard_D4s_v5 team=batch
			akswin000000 v1.35.7 Standard_D4s_v5
		`,
	},
	{
		program: "changed",
		operations: `
			create azure-native:containerservice:AgentPool shop-batch3
			create azure-native:containerservice:AgentPool shop-webd2x
			delete azure-native:containerservice:AgentPool shop-batch
			update azure-native:containerservice:AgentPool shop-win
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			aks-nodepool1-92759582-vmss000001 v1.35.7 Standard_D4s_v5
			aksbatch3000000 v1.35.7 Standard_D8s_v5 os=windows:NoSchedule
			akswebd2x000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
			akswin000000 v1.35.7 Standard_D4s_v5
			akswin000001 v1.35.7 Standard_D4s_v5
		`,
	},
}

// unmanagedSteps are the steps for a cluster that Pulumi has not created.
var unmanagedSteps = []takeoverStep{
	{
		program: "existing", takesOver: true,
		output: "iis → win (1 node), win22 (1 node)",
		operations: `
			create azure-native:containerservice:AgentPool win22-win22d
			create kubernetes:core/v1:Pod iis
			create mixedkube:aks:ExistingCluster shop
			create mixedkube:aks:NodePool win22
			create pulumi:providers:azure-native default_3_23_0
			create pulumi:providers:kubernetes shop-kubernetes
			create pulumi:pulumi:Stack takeover-foreign
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			akswin000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
			akswin22d000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
		`,
	},
	{
		// The pool that was removed from the program no longer counts, although it still exists.
		program: "joined",
		output:  "iis → win (2 nodes)\n",
		operations: `
			create mixedkube:aks:NodePool win
			delete azure-native:containerservice:AgentPool win22-win22d
			delete mixedkube:aks:NodePool win22
			import azure-native:containerservice:AgentPool win-win
			update azure-native:containerservice:AgentPool win-win
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			akswin000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
			akswin000001 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
		`,
	},
}

// importedSteps are the steps for the same cluster in another stack.
var importedSteps = []takeoverStep{
	{
		program: "imported", takesOver: true,
		operations: `
			create mixedkube:aks:Cluster shop
			create pulumi:index:Stash shop-windows-admin
			create pulumi:providers:azure-native default_3_23_0
			create pulumi:providers:kubernetes shop-kubernetes
			create pulumi:providers:pulumi default
			create pulumi:pulumi:Stack takeover-imported
			import azure-native:containerservice:AgentPool shop-win
			import azure-native:containerservice:ManagedCluster shop-cluster
			update azure-native:containerservice:AgentPool shop-win
			update azure-native:containerservice:ManagedCluster shop-cluster
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			akswin000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
			akswin000001 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
		`,
	},
	{
		program: "settled", takesOver: true,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			akswin000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
			akswin000001 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
		`,
	},
}

// movedSteps are the steps after an upgrade by the auto-upgrade channel that is not in the program.
var movedSteps = []takeoverStep{{
	program: "settled", takesOver: true,
	output: `"1.35": the auto-upgrade channel stable has moved it to 1.36.3 in Azure, and that version is used: ` +
		`write 1.36 (MK778)`,
	operations: `
		update azure-native:containerservice:AgentPool shop-win
		update azure-native:containerservice:ManagedCluster shop-cluster
	`,
	nodes: `
		aks-nodepool1-92759582-vmss000000 v1.36.3 Standard_D4s_v5
		akswin000000 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
		akswin000001 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
	`,
}}

// TestClustersThatExist follows docs/existing-clusters.md: the preview of a takeover must not replace or delete
// anything, and the update must leave nothing to do.
func TestClustersThatExist(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab")
	t.Run("created by plain azure-native code", func(t *testing.T) { l.takeover(t, "plain", plainSteps) })
	check(t, os.RemoveAll(l.AzureDir()))
	check(t, l.Start(t.Context(), lab.Options{Stack: "lab"}))
	labtest.MakeShop(t, l.AzureDir())
	t.Run(existingExample, l.deployExistingExample)
	t.Run("created without Pulumi", func(t *testing.T) {
		stack := l.takeover(t, "foreign", unmanagedSteps)
		check(t, stack.Destroy(t.Context(), "--skip-preview"))
		// The imported pool stays: the program retains it.
		labtest.SameLines(t, "nodes", unmanagedSteps[1].nodes, labtest.NodeLines(t, l.client(t)))
	})
	t.Run("imported", func(t *testing.T) {
		stack := l.takeover(t, "imported", importedSteps)
		upgradeShop(t, l)
		l.runSteps(t, stack, movedSteps)
	})
}

// existingExample is the example that looks up the cluster of labtest.MakeShop.
const existingExample = "aks-existing-cluster"

// deployExistingExample deploys the example and destroys it.
func (l testLab) deployExistingExample(t *testing.T) {
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	check(t, os.WriteFile(config, []byte("config:\n  "+existingExample+":resourceGroup: shop-group\n"), 0o600))
	stack := l.project(t, "examples/"+existingExample, "dev", config)
	check(t, stack.Up(t.Context()))
	labtest.SameLines(t, "nodes", `
		aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
		akswin000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
		akswin22d000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
	`, labtest.NodeLines(t, l.client(t)))
	check(t, stack.Preview(t.Context(), "--expect-no-changes"))
	check(t, stack.Destroy(t.Context()))
}

// takeover runs the programs of the steps in a new stack, in order.
func (l testLab) takeover(t *testing.T, name string, steps []takeoverStep) *deploy.Stack {
	t.Helper()
	stack := l.project(t, "components/aks/testdata/takeover", name, filepath.Join(t.TempDir(), "Pulumi."+name+".yaml"))
	configureTakeover(t, stack, steps[0].program)
	check(t, stack.SetSecret(t.Context(), "takeover:windowsPassword", "Correct-Horse-Battery-9"))
	l.runSteps(t, stack, steps)
	return stack
}

// configureTakeover sets the program of a stack.
func configureTakeover(t *testing.T, stack *deploy.Stack, program string) {
	t.Helper()
	text := fmt.Sprintf("config:\n  azure-native:location: westeurope\n  takeover:program: %s\n"+
		"  takeover:clusterID: %s\n", program, labtest.ShopID)
	check(t, os.WriteFile(stack.Config, []byte(text), 0o600))
}

func (l testLab) runSteps(t *testing.T, stack *deploy.Stack, steps []takeoverStep) {
	t.Helper()
	records := t.TempDir()
	for _, step := range steps {
		if !t.Run(step.program, func(t *testing.T) {
			configureTakeover(t, stack, step.program)
			r := newRunRecord(t, stack, records)
			if err := stack.Preview(t.Context(), "--diff"); err != nil {
				t.Fatalf("%v\n%s", err, r.output(t))
			}
			contains(t, r.output(t), step.output)
			if found := labtest.Removals.FindAllString(r.output(t), -1); step.takesOver && found != nil {
				t.Errorf("the preview has %q:\n%s", found, r.output(t))
			}
			r = newRunRecord(t, stack, records)
			err := stack.Up(t.Context(), append(r.eventLog(), "--skip-preview", "--diff")...)
			done := labtest.Operations(t, r.events)
			if err != nil && strings.Contains(r.output(t), "OperationNotAllowed") && step.program == "plain" {
				// Plain azure-native code does not retry, and Azure may still be busy with the cluster.
				r = newRunRecord(t, stack, records)
				err = stack.Up(t.Context(), append(r.eventLog(), "--skip-preview")...)
				done = append(done, labtest.Operations(t, r.events)...)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, r.output(t))
			}
			slices.Sort(done)
			labtest.SameLines(t, "operations", step.operations, done)
			labtest.SameLines(t, "nodes", step.nodes, labtest.NodeLines(t, l.client(t)))
			r = newRunRecord(t, stack, records)
			if err := stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
				t.Errorf("%v\n%s", err, r.output(t))
			}
		}) {
			t.FailNow()
		}
	}
}

// upgradeShop upgrades the cluster, like its auto-upgrade channel.
func upgradeShop(t *testing.T, l testLab) {
	t.Helper()
	options := azurenodes.Options(l.Kubeconfig())
	options.Minute = minute
	cloud, err := arm.Open(l.AzureDir(), options)
	check(t, err)
	const id = labtest.ShopCluster
	for _, id := range []string{id, id + "/agentPools/nodepool1", id + "/agentPools/win"} {
		body, err := cloud.Get(t.Context(), id)
		check(t, err)
		properties := body["properties"].(map[string]any)
		if id == labtest.ShopCluster {
			properties["kubernetesVersion"] = "1.36"
			delete(properties, "agentPoolProfiles")
		} else {
			properties["orchestratorVersion"] = "1.36"
		}
		_, err = cloud.Put(t.Context(), id, body)
		check(t, err)
	}
}
