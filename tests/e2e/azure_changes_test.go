package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// azureStep is a step in the life of a cluster with all its expected effects. Lists are texts with a line for each
// element.
type azureStep struct {
	name    string
	version string
	pools   []string
	// password is the administrator's new password, or empty if it does not change.
	password string
	// restarted is the app whose pods are recreated after the deployment.
	restarted string

	// operations are the operations of Pulumi, commands the commands of az.
	operations, commands string
	// nodes are lines of name, version, size, taints and the label team. pods are lines of the app and its Windows
	// pool, or linux.
	nodes, pods string
}

// updateAdmin is the command that sets the administrator's password of the cluster.
const updateAdmin = "az aks update --resource-group lab-rg --name lab --windows-admin-password @- " +
	"--disable-ahub --disable-windows-gmsa --yes --output none"

// azureSteps returns the steps. The names of pools in Azure end with a hash of their immutable properties.
func azureSteps() []azureStep {
	const (
		sys      = "name: sys, platform: linux, mode: System, size: Standard_D4s_v5, count: 1"
		sys2     = "name: sys, platform: linux, mode: System, size: Standard_D4s_v5, count: 2"
		sys2D8   = "name: sys, platform: linux, mode: System, size: Standard_D8s_v5, count: 2"
		apps     = "name: apps, platform: linux, size: Standard_D4s_v5"
		win      = "name: win, platform: windows-2022, size: Standard_D4s_v5, count: 1"
		win2     = "name: win, platform: windows-2022, size: Standard_D4s_v5, count: 2"
		win2Blue = win2 + `, labels: {team: blue}, taints: ["team=blue:NoSchedule"]`
		win2025  = "name: win, platform: windows-2025, fips: true, size: Standard_D4s_v5, count: 2"

		appsVM    = "aks-appsvhv-77193511-vmss%06d %s Standard_D4s_v5"
		sysVM     = "aks-sysvhv-62242410-vmss%06d %s Standard_D4s_v5"
		sysD8VM   = "aks-sysypx-94445021-vmss%06d %s Standard_D8s_v5"
		winVM     = "akswind2x%06d %s Standard_D4s_v5 os=windows:NoSchedule"
		winBlueVM = "akswind2x%06d %s Standard_D4s_v5 team=blue:NoSchedule team=blue"
		win2025VM = "akswinhzm%06d %s Standard_D4s_v5 os=windows:NoSchedule"

		pods2022 = "iis-2022 wind2x\niis-2022 wind2x\nlinux-web linux\nlinux-web linux"
		pods2025 = "iis-2025 winhzm\niis-2025 winhzm\nlinux-web linux\nlinux-web linux"
	)
	return []azureStep{
		{
			name: "create", version: "1.34", pools: []string{sys, win, apps}, password: `First-"pass\word"&1`,
			operations: `
				create azure-native:containerservice:AgentPool lab-appsvhv
				create azure-native:containerservice:AgentPool lab-wind2x
				create azure-native:containerservice:ManagedCluster lab-cluster
				create azure-native:resources:ResourceGroup lab-rg
				create command:local:Command lab-first-pool-removal
				create command:local:Command lab-first-pool-upgrade
				create command:local:Command lab-windows-admin-update
				create kubernetes:apps/v1:Deployment iis-2022-deployment
				create kubernetes:apps/v1:Deployment linux-web
				create kubernetes:core/v1:Service iis-2022
				create kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2022
				create mixedkube:aks:Cluster lab
				create mixedkube:runtimeclass:Set windows
				create mixedkube:workload:Deployment iis-2022
				create pulumi:index:Stash lab-windows-admin
				create pulumi:providers:azure-native default_3_23_0
				create pulumi:providers:command default_1_1_0
				create pulumi:providers:kubernetes lab-kubernetes
				create pulumi:providers:pulumi default
				create pulumi:pulumi:Stack mixedkube-lab
			`,
			nodes: nodeLines("v1.34.10", appsVM, sysVM, winVM),
			pods:  pods2022,
		},
		{
			name: "scale the first pool and another one", version: "1.34", pools: []string{sys2, win2, apps},
			operations: `
				update azure-native:containerservice:AgentPool lab-wind2x
				update azure-native:containerservice:ManagedCluster lab-cluster
			`,
			nodes: nodeLines("v1.34.10", appsVM, sysVM, sysVM, winVM, winVM),
			pods:  pods2022,
		},
		{
			name: "rotate the password", version: "1.34", pools: []string{sys2, win2, apps},
			password:   `Second-<pass>'word'$2`,
			operations: "update command:local:Command lab-windows-admin-update",
			commands:   updateAdmin,
			nodes:      nodeLines("v1.34.10", appsVM, sysVM, sysVM, winVM, winVM),
			pods:       pods2022,
		},
		{
			// Only new pods get the tolerations of the RuntimeClass. Running pods may stay, because the taint is
			// NoSchedule.
			name: "add a taint and a label", version: "1.34", pools: []string{sys2, win2Blue, apps},
			restarted: "iis-2022",
			operations: `
				update azure-native:containerservice:AgentPool lab-wind2x
				update kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2022
			`,
			nodes: nodeLines("v1.34.10", appsVM, sysVM, sysVM, winBlueVM, winBlueVM),
			pods:  pods2022,
		},
		{
			name: "upgrade", version: "1.35", pools: []string{sys2, win2Blue, apps},
			operations: `
				update azure-native:containerservice:AgentPool lab-appsvhv
				update azure-native:containerservice:AgentPool lab-wind2x
				update azure-native:containerservice:ManagedCluster lab-cluster
				update command:local:Command lab-first-pool-upgrade
				update command:local:Command lab-windows-admin-update
			`,
			commands: `
				` + updateAdmin + `
				az aks nodepool upgrade --resource-group lab-rg --cluster-name lab --name sysvhv ` +
				`--kubernetes-version 1.35 --yes --output none
			`,
			nodes: nodeLines("v1.35.7", appsVM, sysVM, sysVM, winBlueVM, winBlueVM),
			pods:  pods2022,
		},
		{
			name: "another release of Windows", version: "1.35", pools: []string{sys2, win2025, apps},
			operations: `
				create azure-native:containerservice:AgentPool lab-winhzm
				create kubernetes:apps/v1:Deployment iis-2025-deployment
				create kubernetes:core/v1:Service iis-2025
				create kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2025
				create mixedkube:workload:Deployment iis-2025
				delete azure-native:containerservice:AgentPool lab-wind2x
				delete kubernetes:apps/v1:Deployment iis-2022-deployment
				delete kubernetes:core/v1:Service iis-2022
				delete kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2022
				delete mixedkube:workload:Deployment iis-2022
			`,
			nodes: nodeLines("v1.35.7", appsVM, sysVM, sysVM, win2025VM, win2025VM),
			pods:  pods2025,
		},
		{
			name: "another size of the first pool", version: "1.35", pools: []string{sys2D8, win2025, apps},
			operations: `
				create azure-native:containerservice:AgentPool lab-sysypx
				delete command:local:Command lab-first-pool-upgrade
				update azure-native:containerservice:ManagedCluster lab-cluster
				update command:local:Command lab-first-pool-removal
				update command:local:Command lab-windows-admin-update
			`,
			commands: `
				` + updateAdmin + `
				az resource delete --ids /subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/lab-rg` +
				`/providers/Microsoft.ContainerService/managedClusters/lab/agentPools/sysvhv --output none
			`,
			nodes: nodeLines("v1.35.7", appsVM, sysD8VM, sysD8VM, win2025VM, win2025VM),
			pods:  pods2025,
		},
		{
			name: "back to the first size", version: "1.35", pools: []string{sys2, win2025, apps},
			operations: `
				create azure-native:containerservice:AgentPool lab-sysvhv
				delete azure-native:containerservice:AgentPool lab-sysypx
				update azure-native:containerservice:ManagedCluster lab-cluster
				update command:local:Command lab-first-pool-removal
				update command:local:Command lab-windows-admin-update
			`,
			commands: updateAdmin,
			nodes:    nodeLines("v1.35.7", appsVM, sysVM, sysVM, win2025VM, win2025VM),
			pods:     pods2025,
		},
		{
			name: "remove a pool", version: "1.35", pools: []string{sys2, win2025},
			operations: "delete azure-native:containerservice:AgentPool lab-appsvhv",
			nodes:      nodeLines("v1.35.7", sysVM, sysVM, win2025VM, win2025VM),
			pods:       pods2025,
		},
		{
			name: "upgrade without a first pool", version: "1.36", pools: []string{sys2, win2025},
			operations: `
				update azure-native:containerservice:AgentPool lab-sysvhv
				update azure-native:containerservice:AgentPool lab-winhzm
				update azure-native:containerservice:ManagedCluster lab-cluster
				update command:local:Command lab-windows-admin-update
			`,
			commands: updateAdmin,
			nodes:    nodeLines("v1.36.3", sysVM, sysVM, win2025VM, win2025VM),
			pods:     pods2025,
		},
	}
}

// nodeLines returns the lines of nodes of a version, with their numbers in the pool.
func nodeLines(version string, nodes ...string) string {
	var text strings.Builder
	numbers := map[string]int{}
	for _, node := range nodes {
		fmt.Fprintf(&text, node+"\n", numbers[node], version)
		numbers[node]++
	}
	return text.String()
}

// destroyOperations are the operations of the last step, destroy.
const destroyOperations = `
	delete azure-native:containerservice:AgentPool lab-sysvhv
	delete azure-native:containerservice:AgentPool lab-winhzm
	delete azure-native:containerservice:ManagedCluster lab-cluster
	delete azure-native:resources:ResourceGroup lab-rg
	delete command:local:Command lab-first-pool-removal
	delete command:local:Command lab-windows-admin-update
	delete kubernetes:apps/v1:Deployment iis-2025-deployment
	delete kubernetes:apps/v1:Deployment linux-web
	delete kubernetes:core/v1:Service iis-2025
	delete kubernetes:node.k8s.io/v1:RuntimeClass windows-windows-2025
	delete mixedkube:aks:Cluster lab
	delete mixedkube:runtimeclass:Set windows
	delete mixedkube:workload:Deployment iis-2025
	delete pulumi:index:Stash lab-windows-admin
	delete pulumi:providers:azure-native default_3_23_0
	delete pulumi:providers:command default_1_1_0
	delete pulumi:providers:kubernetes lab-kubernetes
	delete pulumi:providers:pulumi default
	delete pulumi:pulumi:Stack mixedkube-lab
`

// TestAzureChanges takes a cluster in Azure through its life. Each step depends on the previous ones: it must do what
// is expected and no more, which includes what an earlier step has left to do. No file that is written meanwhile has a
// secret.
func TestAzureChanges(t *testing.T) {
	t.Parallel()
	l := newAzureLab(t)
	steps := azureSteps()
	l.configure(t, steps[0].version, steps[0].pools)
	stack := l.start(t)
	client := l.client(t)
	az := recordAz(t, stack)
	records := t.TempDir()
	secrets := leaks.OfKubeconfig(t, l.Kubeconfig())
	password := ""

	for _, c := range steps {
		done := t.Run(c.name, func(t *testing.T) {
			l.configure(t, c.version, c.pools, "iis", "linux-web")
			args := []string{"--skip-preview", "--diff"}
			if c.password != "" {
				password = c.password
				secrets = append(secrets, leaks.Secret{Name: "password of the step " + c.name, Text: password})
				check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, password))
				// Use the highest level without secrets: from level 9, Pulumi itself logs every value that it sends,
				// including secrets.
				args = []string{"--diff", "--logtostderr", "-v=8"}
			}
			r := newRunRecord(t, stack, records)
			if err := stack.Up(t.Context(), append(args, r.eventLog()...)...); err != nil {
				t.Fatalf("%v\n%s", err, r.output(t))
			}
			labtest.SameLines(t, "operations", c.operations, labtest.Operations(t, r.events))
			commands, stdin := az.take(t)
			labtest.SameLines(t, "commands", c.commands, commands)
			if want := strings.Repeat(password,
				strings.Count(c.commands, "--windows-admin-password @-")); stdin != want {
				t.Errorf("az has read %q, want %q", stdin, want)
			}

			if c.restarted != "" {
				check(t, client.CoreV1().Pods(metav1.NamespaceDefault).DeleteCollection(t.Context(),
					metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=" + c.restarted}))
			}
			labtest.SameLines(t, "nodes", c.nodes, labtest.NodeLines(t, client))
			eventually(t, func(ctx context.Context) string {
				if err := l.Status(ctx); err != nil {
					return err.Error()
				}
				return cmp.Diff(labtest.Lines(c.pods), podLines(t, client))
			})
		})
		if !done {
			return
		}
	}

	t.Run("nothing is left to do", func(t *testing.T) {
		r := newRunRecord(t, stack, records)
		if err := stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
			t.Errorf("%v\n%s", err, r.output(t))
		}
	})
	t.Run("no secret is in any file", func(t *testing.T) {
		checkSearched(t, l, records)
		checkNoLeaks(t, l.testLab, records, l.exemptions(), secrets)
		checkExemptionsNeeded(t, l.testLab, l.exemptions(), secrets)
	})
	t.Run("destroy", func(t *testing.T) {
		r := newRunRecord(t, stack, records)
		if err := stack.Destroy(t.Context(), append(r.eventLog(), "--skip-preview", "--diff")...); err != nil {
			t.Fatalf("%v\n%s", err, r.output(t))
		}
		labtest.SameLines(t, "operations", destroyOperations, labtest.Operations(t, r.events))
		labtest.SameLines(t, "nodes", "", labtest.NodeLines(t, client))
		eventually(t, func(context.Context) string { return strings.Join(podLines(t, client), "\n") })
		var left struct{ Resources map[string]any }
		content, err := os.ReadFile(filepath.Join(l.AzureDir(), "state.json"))
		check(t, err)
		check(t, json.Unmarshal(content, &left))
		if len(left.Resources) > 0 {
			t.Errorf("Azure still has %v", left.Resources)
		}
	})
	t.Run("no secret is in any file after that", func(t *testing.T) {
		checkNoLeaks(t, l.testLab, records, l.exemptions(), secrets)
	})
}
