package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// sizeRules are about the sizes of machines.
var sizeRules = []preflight.Rule{
	{
		ID: "MK791", Severity: preflight.Error, Title: "a pool without a size",
		Reason: "Azure needs it, and so does the room that preflight sees on the nodes.",
		Source: poolAPI,
	},
	{
		ID: "MK792", Severity: preflight.Error, Title: "a size that is too small for a node",
		Reason: "A node needs at least 2 CPUs and 2 GiB of memory.",
		Source: sizesPage,
	},
	{
		ID: "MK793", Severity: preflight.Warning, Title: "Windows Server 2022 on a size of generation 2 only",
		Reason: "AKS makes Windows Server 2022 nodes as generation 1, unless a request has a header that programs cannot set.",
		Source: aks + "generation-2-vms",
	},
}
