package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"

	"github.com/mixedkube/mixedkube/components/guard"
)

// It needs the pulumi command, a backend (PULUMI_BACKEND_URL), and a cluster.
func TestWithTheAutomationAPI(t *testing.T) {
	t.Parallel()
	if os.Getenv("KUBECONFIG") == "" {
		t.Skip("only with KUBECONFIG, which says which cluster to ask")
	}
	var found guard.Report
	stack, err := auto.UpsertStackInlineSource(t.Context(), "automation", "tested-shop",
		guard.Program(program, guard.ReportTo(&found)))
	if err != nil {
		t.Fatal(err)
	}
	preview, err := stack.Preview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[apitype.OpType]int{apitype.OpCreate: 3} // the stack, the component and the Deployment
	if diff := cmp.Diff(want, preview.ChangeSummary); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	if len(found.Landings) != 1 {
		t.Errorf("%d workloads land, want 1", len(found.Landings))
	}
}
