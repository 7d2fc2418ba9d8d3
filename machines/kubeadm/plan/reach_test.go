package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// reach returns the findings about who can connect to the API server.
func reach(a plan.APIServer) []rule.Finding {
	return good("", func(c *plan.Cluster) { c.APIServer = a }).CheckReach()
}

func TestCheckReach(t *testing.T) {
	t.Parallel()
	const everyone = "everyone on the internet can connect to the API server: set the addresses that need it, with " +
		"those of the machines that run Pulumi, or set apiServer.private (MK668)"
	for name, tt := range map[string]struct {
		server plan.APIServer
		want   []string
	}{
		"no ranges": {plan.APIServer{}, []string{"info apiServer.authorizedIPRanges: not set, so " + everyone}},
		"an empty list": {
			plan.APIServer{AuthorizedIPRanges: []string{}},
			[]string{"info apiServer.authorizedIPRanges: not set, so " + everyone},
		},
		"the range of everyone": {
			plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.0/24", "0.0.0.0/0"}},
			[]string{`info apiServer.authorizedIPRanges[1]: "0.0.0.0/0": ` + everyone},
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
				got = append(got, string(f.Severity)+" "+f.String())
			}
			equal(t, "findings", tt.want, got)
		})
	}
}
