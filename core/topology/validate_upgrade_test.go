package topology_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/topology"
)

func TestValidateUpgrade(t *testing.T) {
	t.Parallel()
	const (
		surge       = "pools[1].upgrade.maxSurge: Invalid value: "
		unavailable = "pools[1].upgrade.maxUnavailable: Invalid value: "
		malformed   = ": neither a number of nodes nor a percentage up to 100%: write 1 or 33%"
		stuck       = ": maxSurge is also 0, so no node can be replaced: set one of the two to at least 1"
		negative    = ": must not be negative: use 0 for the default"
	)
	tests := []struct {
		name string
		in   topology.Upgrade
		want []string
	}{
		{"nothing", topology.Upgrade{}, nil},
		{
			"everything", topology.Upgrade{
				MaxSurge: "33%", MaxUnavailable: "1", DrainTimeoutMinutes: 30,
				NodeSoakMinutes: 5, UndrainableNodes: topology.Cordon,
			}, nil,
		},
		{"nothing and everything as percentages", topology.Upgrade{MaxSurge: "0%", MaxUnavailable: "100%"}, nil},
		{"a large number", topology.Upgrade{MaxSurge: "5000"}, nil},
		{"no surge", topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"}, nil},
		{"no surge, and the other left to the cloud", topology.Upgrade{MaxSurge: "0"}, nil},
		{"none unavailable, and the other left to the cloud", topology.Upgrade{MaxUnavailable: "0%"}, nil},
		{
			"neither surge nor unavailable",
			topology.Upgrade{MaxSurge: "0", MaxUnavailable: "0"},
			[]string{unavailable + `"0"` + stuck},
		},
		{
			"the same as percentages",
			topology.Upgrade{MaxSurge: "0", MaxUnavailable: "00%"},
			[]string{unavailable + `"00%"` + stuck},
		},
		{
			"a malformed number is not none",
			topology.Upgrade{MaxSurge: "none", MaxUnavailable: "0"},
			[]string{surge + `"none"` + malformed},
		},
		{
			"both malformed",
			topology.Upgrade{MaxSurge: "a third", MaxUnavailable: "1.5"},
			[]string{surge + `"a third"` + malformed, unavailable + `"1.5"` + malformed},
		},
		{"more than all", topology.Upgrade{MaxSurge: "101%"}, []string{surge + `"101%"` + malformed}},
		{"a negative number", topology.Upgrade{MaxSurge: "-1"}, []string{surge + `"-1"` + malformed}},
		{"a sign", topology.Upgrade{MaxSurge: "+1"}, []string{surge + `"+1"` + malformed}},
		{"a fraction", topology.Upgrade{MaxSurge: "33.3%"}, []string{surge + `"33.3%"` + malformed}},
		{"a percentage alone", topology.Upgrade{MaxSurge: "%"}, []string{surge + `"%"` + malformed}},
		{"a percentage of a percentage", topology.Upgrade{MaxSurge: "5%%"}, []string{surge + `"5%%"` + malformed}},
		{"a space", topology.Upgrade{MaxSurge: "33 %"}, []string{surge + `"33 %"` + malformed}},
		{
			"a number that is too long",
			topology.Upgrade{MaxSurge: "99999999999999999999"},
			[]string{surge + `"99999999999999999999"` + malformed},
		},
		{
			"negative minutes",
			topology.Upgrade{DrainTimeoutMinutes: -30, NodeSoakMinutes: -1},
			[]string{
				"pools[1].upgrade.drainTimeoutMinutes: Invalid value: -30" + negative,
				"pools[1].upgrade.nodeSoakMinutes: Invalid value: -1" + negative,
			},
		},
		{"the default of AKS", topology.Upgrade{UndrainableNodes: topology.Schedule}, nil},
		{
			"undrainable nodes in the wrong case",
			topology.Upgrade{UndrainableNodes: "cordon"},
			[]string{
				`pools[1].upgrade.undrainableNodes: Invalid value: "cordon": did you mean "Cordon"? valid values are ` +
					`Schedule, Cordon`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantErrors(t, windows(func(p *topology.Pool) { p.Upgrade = tt.in }).Validate(nil), tt.want...)
		})
	}
}
