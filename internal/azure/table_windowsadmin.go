package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// windowsAdminRules are about the administrator of the Windows nodes, and gMSA.
var windowsAdminRules = []preflight.Rule{
	{
		ID: "MK750", Severity: preflight.Error, Title: "no address, or no name of a domain, for gMSA",
		Reason: "The DNS server is an IP address and the root domain a DNS name.",
		Source: gmsaPage,
	},
	{
		ID: "MK751", Severity: preflight.Error, Title: "no name for a Windows account",
		Reason: "It has 1 to 20 characters, the last of which is no period.",
		Source: clusterAPI,
	},
	{
		ID: "MK752", Severity: preflight.Error, Title: "a name that Azure refuses for the administrator",
		Reason: "Names that everybody would try first are refused. The name can never be changed.",
		Source: clusterAPI,
	},
	{
		ID: "MK753", Severity: preflight.Error, Title: "no password for the administrator",
		Reason: "The Windows profile of a cluster is given when it is created, or never: also a cluster that begins without Windows pools needs it.",
		Source: windowsFAQPage,
	},
	{
		ID: "MK754", Severity: preflight.Error, Title: "the password is too short or too long",
		Reason: "It has 14 to 123 characters.",
		Source: clusterAPI,
	},
	{
		ID: "MK755", Severity: preflight.Error, Title: "too few kinds of characters in the password",
		Reason: "It has three of: lower-case letters, upper-case letters, digits, special characters.",
		Source: clusterAPI,
	},
	{
		ID: "MK756", Severity: preflight.Error, Title: "a password that Azure refuses",
		Reason: "Passwords that everybody would try first are refused.",
		Source: clusterAPI,
	},
	{
		ID: "MK757", Severity: preflight.Error, Title: "a licence type that this library does not know",
		Reason: "What is nearly the name of one is misspelled. What is near nothing may be new in Azure: a warning.",
		Source: clusterAPI,
	},
	{
		ID: "MK758", Severity: preflight.Error, Title: "half of where the domain for gMSA is",
		Reason: "The DNS server and the name of the root domain are given together, or neither where the virtual network's own DNS server serves the domain.",
		Source: gmsaPage,
	},
	{
		ID: "MK759", Severity: preflight.Error, Title: "a domain for gMSA that is not enabled",
		Reason: "Azure looks at the DNS server and the root domain only where gMSA is enabled.",
		Source: gmsaPage,
	},
}

// refusedUsernames are compared without case.
var refusedUsernames = []string{
	"administrator", "admin", "user", "user1", "user2", "user3", "user4", "user5", "test", "test1", "test2", "test3",
	"admin1", "admin2", "1", "123", "a", "actuser", "adm", "aspnet", "backup", "console", "david", "guest", "john",
	"owner", "root", "server", "sql", "support", "support_388945a0", "sys",
}

var refusedPasswords = []string{
	"abc@123", "P@$$w0rd", "P@ssw0rd", "P@ssword123", "Pa$$word", "pass@word1", "Password!", "Password1", "Password22", "iloveyou!",
}

var licenceTypes = []string{"None", "Windows_Server"}
