package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
)

func TestCheckCreation(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCreation(good(nil)))
	for _, e := range examples.Creations() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			if e.Bad != nil {
				wantFindings(t, plan.CheckCreation(good(e.Bad)), e.Want...)
			}
			wantFindings(t, plan.CheckCreation(good(e.Fine)))
		})
	}
}

// An existing cluster keeps its version, however old it is.
func TestOlderVersionsOfExistingClusters(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckOlderVersion(good(version("1.22"))),
		"warning: kubernetesVersion (MK711)")
	for _, v := range []string{"1.32", "1.36.3", "1.38", ""} {
		wantFindings(t, plan.CheckOlderVersion(good(version(v))))
	}
	wantFindings(t, plan.CheckOlderVersion(good(on("2026-12-15", version("1.34")))),
		"warning: kubernetesVersion (MK884)")
	wantFindings(t, plan.CheckOlderVersion(good(on("2026-11-15", version("1.34"))))) // CheckCluster has an info
}
