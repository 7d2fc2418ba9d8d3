package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// inEntraID returns a change that adds Microsoft Entra ID and a login.
func inEntraID(l plan.Login) func(c *plan.Cluster) {
	return Both(Options(obj{"aadProfile": obj{"managed": true}}), func(c *plan.Cluster) { c.Login = l })
}

func disableLocalAccounts(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true }

var loginExamples = []Example{
	{
		"a browser", inEntraID(plan.Login{Mode: plan.LoginDeviceCode}),
		inEntraID(plan.Login{Mode: plan.LoginWorkloadIdentity, ClientID: "c", TenantID: "t", UseAzureRMEnvVars: true}),
		[]string{"warning: login.mode (MK764)"},
	},
	{
		"a browser, and no local accounts",
		Both(inEntraID(plan.Login{Mode: plan.LoginInteractive}), disableLocalAccounts),
		// The default is azurecli.
		Both(inEntraID(plan.Login{}), disableLocalAccounts),
		[]string{"warning: login.mode (MK764)"},
	},
	{
		"an administrator without local accounts",
		Both(inEntraID(plan.Login{Mode: plan.LoginAdmin}), disableLocalAccounts),
		inEntraID(plan.Login{Mode: plan.LoginAdmin}),
		[]string{"error: login.mode (MK765)"},
	},
	{
		"no Microsoft Entra ID", func(c *plan.Cluster) { c.Login.Mode = plan.LoginAzureCLI },
		// Each cluster has a certificate of the administrator.
		func(c *plan.Cluster) { c.Login.Mode = plan.LoginAdmin },
		[]string{"error: login.mode (MK766)"},
	},
	{
		"a browser, and no Microsoft Entra ID", func(c *plan.Cluster) { c.Login.Mode = plan.LoginDeviceCode },
		Both(func(c *plan.Cluster) { c.Login.Mode = plan.LoginAzureCLI }, Options(obj{"aadProfile": tree.Unknown{}})),
		[]string{"error: login.mode (MK766)"},
	},
	{
		"a misspelled mode", inEntraID(plan.Login{Mode: "azurecl", ServiceConnectionID: "c"}),
		inEntraID(plan.Login{Mode: plan.LoginAzurePipelines, ServiceConnectionID: "c"}),
		[]string{"error: login.mode (MK767)"},
	},
	{
		"an unknown mode", inEntraID(plan.Login{Mode: "certificate"}),
		inEntraID(plan.Login{Mode: plan.LoginAzureDeveloperCLI}),
		[]string{"error: login.mode (MK767)"},
	},
	{
		"settings of other modes", inEntraID(plan.Login{
			ClientID: "c", TenantID: "t", IdentityResourceID: plan.Later, ServiceConnectionID: "s",
			UseAzureRMEnvVars: true,
		}),
		inEntraID(plan.Login{Mode: plan.LoginServicePrincipal, ClientID: "c", TenantID: "t", UseAzureRMEnvVars: true}),
		[]string{
			"error: login.clientID (MK768)",
			"error: login.identityResourceID (MK768)",
			"error: login.serviceConnectionID (MK768)",
			"error: login.useAzureRMEnvVars (MK768)",
		},
	},
	{
		"an identity named twice",
		inEntraID(plan.Login{Mode: plan.LoginManagedIdentity, ClientID: "c", IdentityResourceID: "/i"}),
		inEntraID(plan.Login{Mode: plan.LoginManagedIdentity, IdentityResourceID: "/i"}),
		[]string{"error: login.identityResourceID (MK768)"},
	},
	{
		"settings of the administrator",
		func(c *plan.Cluster) { c.Login = plan.Login{Mode: plan.LoginAdmin, TenantID: "t"} },
		inEntraID(plan.Login{Mode: plan.LoginUsernamePassword, TenantID: "t", ClientID: "c"}),
		[]string{"error: login.tenantID (MK768)"},
	},
}
