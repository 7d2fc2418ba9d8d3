package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// everyone are ranges with the one that has all addresses.
var everyone = []string{"203.0.113.0/24", "0.0.0.0/0"}

func TestCheckReach(t *testing.T) {
	t.Parallel()
	const notSet = "info: apiServer.authorizedIPRanges (MK770)"
	access := func(value any) map[string]any { return map[string]any{"publicNetworkAccess": value} }
	for name, tt := range map[string]struct {
		server  plan.APIServer
		options map[string]any
		inAzure map[string]any
		want    []string
	}{
		"no ranges":         {want: []string{notSet}},
		"an empty list":     {server: plan.APIServer{AuthorizedIPRanges: []string{}}, want: []string{notSet}},
		"no local accounts": {server: plan.APIServer{DisableLocalAccounts: true}, want: []string{notSet}},
		"the range of everyone": {
			server: plan.APIServer{AuthorizedIPRanges: everyone},
			want:   []string{"info: apiServer.authorizedIPRanges[1] (MK770)"},
		},
		"ranges": {server: plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.0/24", "198.51.100.7"}}},
		// Azure's text for the outbound address of the cluster alone.
		"the cluster itself":        {server: plan.APIServer{AuthorizedIPRanges: []string{"0.0.0.0/32"}}},
		"private":                   {server: plan.APIServer{Private: true}},
		"public, as an option":      {options: access("Enabled"), want: []string{notSet}},
		"not public, as an option":  {options: access("Disabled")},
		"an option that is unknown": {options: access(tree.Unknown{})},
		"public in Azure":           {inAzure: access("Enabled"), want: []string{notSet}},
		"not public in Azure":       {inAzure: access("Disabled")},
		"an option that differs":    {options: access("Enabled"), inAzure: access("Disabled"), want: []string{notSet}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := good(func(c *plan.Cluster) { c.APIServer, c.Options = tt.server, tt.options })
			wantFindings(t, plan.CheckReach(c, plan.InAzure{Properties: tt.inAzure}), tt.want...)
		})
	}
}
