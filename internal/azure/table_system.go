package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// systemRules are about pools of mode System.
var systemRules = []preflight.Rule{
	{
		ID: "MK704", Severity: preflight.Error, Title: "a cluster without a pool of mode System",
		Reason: "Azure makes a cluster together with its first pool, which must be a Linux pool of mode System.",
		Source: systemPoolsPage,
	},
	{
		ID: "MK705", Severity: preflight.Error, Title: "too few pods on the nodes of a system pool",
		Reason: "The system's own pods need room: at least 30 on a node.",
		Source: systemPoolsPage,
	},
	{
		ID: "MK706", Severity: preflight.Error, Title: "a B-series size for a system pool",
		Reason: "Machines of the B series run at full speed for a while only, and Azure refuses them for system pools.",
		Source: systemPoolsPage,
	},
	{
		ID: "MK707", Severity: preflight.Error, Title: "a taint that a system pool cannot have",
		Reason: "The system's own pods tolerate CriticalAddonsOnly=true:NoSchedule only. Taints with the effect PreferNoSchedule keep nothing off.",
		Source: systemPoolsPage,
	},
}
