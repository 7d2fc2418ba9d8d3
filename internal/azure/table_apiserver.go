package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// apiServerRules are about the access to the API server.
var apiServerRules = []preflight.Rule{
	{
		ID: "MK761", Severity: preflight.Error, Title: "authorized IP ranges of a private API server",
		Reason: "A private API server has no public address to protect.",
		Source: authorizedPage,
	},
	{
		ID: "MK762", Severity: preflight.Error, Title: "an authorized IP range that is not one",
		Reason: "It is an address, or a range in CIDR notation.",
		Source: authorizedPage,
	},
	{
		ID: "MK763", Severity: preflight.Error, Title: "no accounts at all",
		Reason: "Without local accounts and without Microsoft Entra ID nobody can log in, and Azure refuses it.",
		Source: accountsPage,
	},
}
