package aks_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// withRanges returns a program with a cluster whose API server some ranges can reach.
func withRanges(ranges pulumi.StringArrayInput) pulumi.RunFunc {
	return newCluster(small(func(a *aks.ClusterArgs) { a.APIServer.AuthorizedIPRanges = ranges }))
}

func TestAuthorizedRangesCanBeOutputs(t *testing.T) {
	t.Parallel()
	address := pulumi.String("203.0.113.7").ToStringOutput()
	for name, tt := range map[string]struct {
		in   pulumi.StringArrayInput
		want any
	}{
		"plain":     {pulumi.ToStringArray([]string{"203.0.113.7"}), []any{"203.0.113.7"}},
		"an output": {pulumi.StringArray{address}.ToStringArrayOutput(), []any{"203.0.113.7"}},
		"one among them": {
			pulumi.StringArray{pulumi.String("10.0.0.0/8"), address}, []any{"10.0.0.0/8", "203.0.113.7"},
		},
		"one not known": {
			pulumi.StringArray{pulumi.String("10.0.0.0/8"), mocktest.Unknown[pulumi.StringOutput]()},
			mocktest.UnknownValue,
		},
		"nothing is known": {mocktest.Unknown[pulumi.StringArrayOutput](), mocktest.UnknownValue},
		"nothing":          {nil, []any{}},
	} {
		graph := mocktest.MustRun(t, withRanges(tt.in), mocktest.Preview(), akstest.Azure())
		profile := graph.MustGet(t, clusterType, "shop-cluster").Plain()["apiServerAccessProfile"].(map[string]any)
		equal(t, name, tt.want, profile["authorizedIPRanges"])
	}
}

func TestInvalidAuthorizedRangesFromOutputs(t *testing.T) {
	t.Parallel()
	const subject = `mixedkube:aks:Cluster "shop": apiServer.authorizedIPRanges`
	office := pulumi.String("office").ToStringOutput()
	for want, ranges := range map[string]pulumi.StringArrayInput{
		"[1]: … (MK762)": pulumi.StringArray{pulumi.String("10.0.0.0/8"), office},
		": Required value: turns out to be empty: leave it out if that is " +
			"right": pulumi.StringArray{}.ToStringArrayOutput(),
	} {
		_, err := mocktest.Run(withRanges(ranges), akstest.Azure())
		if err == nil || !strings.Contains(brief(err.Error()), subject+want) {
			t.Errorf("%v\nwant %s%s", err, subject, want)
		}
	}
	// A plain element in a list with an output is checked at once.
	graph, err := mocktest.Run(withRanges(pulumi.StringArray{office, pulumi.String("home")}), akstest.Azure())
	if err == nil || brief(err.Error()) != subject+"[1]: … (MK762)" || len(graph.Resources()) > 0 {
		t.Errorf("%v, %v", err, graph.Resources())
	}
}
