package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// reach returns the findings about who can connect to the API server.
func reach(a plan.APIServer) []rule.Finding {
	return good("", func(c *plan.Cluster) { c.APIServer = a }).CheckReach()
}

// everyone are ranges with the one that has all addresses.
var everyone = []string{"203.0.113.0/24", "0.0.0.0/0"}

func TestCheckReach(t *testing.T) {
	t.Parallel()
	const notSet = "info: apiServer.authorizedIPRanges (MK668)"
	for name, tt := range map[string]struct {
		server plan.APIServer
		want   []string
	}{
		"no ranges": {plan.APIServer{}, []string{notSet}},
		"an empty list": {
			plan.APIServer{AuthorizedIPRanges: []string{}},
			[]string{notSet},
		},
		"the range of everyone": {
			plan.APIServer{AuthorizedIPRanges: everyone},
			[]string{"info: apiServer.authorizedIPRanges[1] (MK668)"},
		},
		"ranges": {server: plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.0/24", "198.51.100.7", "0.0.0.0/1"}}},
		// The load balancer has an IPv4 address only.
		"all IPv6 addresses": {server: plan.APIServer{AuthorizedIPRanges: []string{"::/0"}}},
		"private":            {server: plan.APIServer{Private: true}},
		"private with the wide range": {
			server: plan.APIServer{Private: true, AuthorizedIPRanges: []string{"0.0.0.0/0"}},
		},
		"a range that is not valid":      {server: plan.APIServer{AuthorizedIPRanges: []string{"office"}}},
		"an address that is not a range": {server: plan.APIServer{AuthorizedIPRanges: []string{"0.0.0.0"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range reach(tt.server) {
				got = append(got, string(f.Severity)+": "+ruletest.Brief(f))
			}
			equal(t, "findings", tt.want, got)
		})
	}
}
