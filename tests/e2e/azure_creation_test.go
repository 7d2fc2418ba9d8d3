package e2e

import (
	"net/http"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// TestAzureCreationThatFailed changes the version and the password after the creation of the cluster has failed: the
// existing resources in Azure have the old values. No file has a secret, neither after the failure nor at the end.
func TestAzureCreationThatFailed(t *testing.T) {
	t.Parallel()
	const (
		sys = "name: sys, platform: linux, mode: System, size: Standard_D4s_v5, count: 1"
		win = "name: win, platform: windows-2022, size: Standard_D4s_v5, count: 1"
	)
	l := newAzureLab(t)
	l.configure(t, "1.35", []string{sys, win})
	stack := l.start(t)
	az := recordAz(t, stack)
	records := t.TempDir()
	secrets := append(leaks.OfKubeconfig(t, l.Kubeconfig()),
		leaks.Secret{Name: "first password", Text: "First-Password-1"},
		leaks.Secret{Name: "second password", Text: "Second-Password-2"})
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, "First-Password-1"))
	check(t, arm.WriteFaults(l.AzureDir(), []arm.Fault{
		{Method: http.MethodPut, ID: "/managedClusters/[^/]*$", Kind: arm.FailedProvisioning},
	}))
	r := newRunRecord(t, stack, records)
	if err := stack.Up(t.Context(), append(r.eventLog(), "--skip-preview", "--diff", "--logtostderr",
		"-v=8")...); err == nil {
		t.Fatal("the creation does not fail")
	}
	contains(t, r.output(t), "InternalOperationError")
	checkNoLeaks(t, l.testLab, records, l.exemptions(), secrets)

	l.configure(t, "1.36", []string{sys, win})
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, "Second-Password-2"))
	r = newRunRecord(t, stack, records)
	check(t, stack.Up(t.Context(), append(r.eventLog(), "--skip-preview")...))
	commands, stdin := az.take(t)
	labtest.SameLines(t, "commands", `
		`+updateAdmin+`
		az aks nodepool upgrade --resource-group lab-rg --cluster-name lab --name sysvhv `+
		`--kubernetes-version 1.36 --yes --output none
	`, commands)
	if stdin != "Second-Password-2" {
		t.Errorf("az has read %q", stdin)
	}
	labtest.SameLines(t, "nodes", `
		aks-sysvhv-62242410-vmss000000 v1.36.3 Standard_D4s_v5
		akswind2x000000 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
	`, labtest.NodeLines(t, l.client(t)))
	check(t, stack.Preview(t.Context(), "--expect-no-changes"))
	check(t, stack.Destroy(t.Context(), "--skip-preview"))
	checkNoLeaks(t, l.testLab, records, l.exemptions(), secrets)
}
