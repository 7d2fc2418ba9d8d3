package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// Answers in the formats of their sources, with other names.
func TestDrainFailures(t *testing.T) {
	t.Parallel()
	const again = ", or let them end, and run pulumi up again, which continues"
	for name, tt := range map[string]struct{ text, want string }{
		// https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure
		"an upgrade that a budget stops": {
			`(UpgradeFailed) Drain node aks-nodepool1-12345678-vmss000000 failed when evicting pod web-0 failed with ` +
				`Too Many Requests error. This is often caused by a restrictive Pod Disruption Budget (PDB) policy. ` +
				`See https://aka.ms/aks/debugdrainfailures. Original error: Cannot evict pod as it would violate the pod's ` +
				`disruption budget.. PDB debug info: shop/web-0 blocked by pdb web with 0 unready pods.`,
			"1 pod did not leave the node aks-nodepool1-12345678-vmss000000: web-0. Relax the PodDisruptionBudget web" +
				again,
		},
		// https://github.com/hashicorp/terraform-provider-azurerm/issues/10411
		"the deletion of a pool": {
			"Code=\"DeleteVMSSAgentPoolFailed\" Message=\"VMSSAgentPoolReconciler retry failed: {\n  \"code\": " +
				"\"PodDrainFailure\",\n  \"message\": \"Node 'aks-win22d-1-vmss000000' failed to be drained with " +
				"error: 'Drain did not complete pods [web-0, web-1] within 10m0s'\"\n }\"",
			"2 pods did not leave the node aks-win22d-1-vmss000000: web-0, web-1. Relax their PodDisruptionBudget if " +
				"they have one (kubectl get pdb --all-namespaces)" + again,
		},
		"another failure": {`Code="UpgradeFailed" Message="The nodes could not be provisioned"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if f, ok := plan.ReadDrainFailure(tt.text); ok {
				got = f.String()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}
