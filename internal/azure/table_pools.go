package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// poolRules are about the names of clusters and pools.
var poolRules = []preflight.Rule{
	{
		ID: "MK701", Severity: preflight.Error, Title: "characters that a pool's name cannot have",
		Reason: "The name becomes part of the names of machines: lower-case letters and digits, a letter first.",
		Source: createPoolsPage,
	},
	{
		ID: "MK702", Severity: preflight.Error, Title: "a pool's name is too long",
		Reason: "A Linux pool's name has at most 12 characters. The computer name of a Windows node has 15, of which AKS needs 9, so that 6 are left.",
		Source: createPoolsPage,
	},
	{
		ID: "MK703", Severity: preflight.Warning, Title: "a pool's name leaves no room for a suffix",
		Reason: "What Azure cannot change on a pool makes a new pool, which needs a name of its own to stand beside the old one: this library appends a hash of those fields.",
		Source: createPoolsPage,
	},
	{
		ID: "MK708", Severity: preflight.Error, Title: "two pools have the same name in Azure",
		Reason: "The name in Azure is the pool's own with a suffix, so that the names of two pools can meet by chance.",
		Source: createPoolsPage,
	},
	{
		ID: "MK709", Severity: preflight.Error, Title: "no name for a cluster",
		Reason: "It has 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at both ends.",
		Source: clusterAPI,
	},
}
