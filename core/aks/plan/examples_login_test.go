package plan_test

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// inEntraID returns a change that adds Microsoft Entra ID and a login.
func inEntraID(l plan.Login) func(c *plan.Cluster) {
	return both(options(obj{"aadProfile": obj{"managed": true}}), func(c *plan.Cluster) { c.Login = l })
}

func disableLocalAccounts(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true }

const unattended = "azurecli, spn, msi, workloadidentity, azurepipelines, azd or ropc"

var loginExamples = []example{
	{
		"a browser", inEntraID(plan.Login{Mode: plan.LoginDeviceCode}),
		inEntraID(plan.Login{Mode: plan.LoginWorkloadIdentity, ClientID: "c", TenantID: "t", UseAzureRMEnvVars: true}),
		[]string{
			`warning: login.mode: "devicecode": someone has to sign in with a browser during each update: use ` +
				unattended + `, or admin (MK764)`,
		},
	},
	{
		"a browser, and no local accounts", both(inEntraID(plan.Login{Mode: plan.LoginInteractive}),
			disableLocalAccounts),
		// The default is azurecli.
		both(inEntraID(plan.Login{}), disableLocalAccounts),
		[]string{
			`warning: login.mode: "interactive": someone has to sign in with a browser during each update: use ` +
				unattended + ` (MK764)`,
		},
	},
	{
		"an administrator without local accounts", both(inEntraID(plan.Login{Mode: plan.LoginAdmin}),
			disableLocalAccounts),
		inEntraID(plan.Login{Mode: plan.LoginAdmin}),
		[]string{
			`error: login.mode: "admin": there is no local administrator, because apiServer.disableLocalAccounts is ` +
				`set: use ` + unattended + `, or remove apiServer.disableLocalAccounts (MK765)`,
		},
	},
	{
		"no Microsoft Entra ID", func(c *plan.Cluster) { c.Login.Mode = plan.LoginAzureCLI },
		// Each cluster has a certificate of the administrator.
		func(c *plan.Cluster) { c.Login.Mode = plan.LoginAdmin },
		[]string{
			`error: login.mode: "azurecli": the cluster does not accept tokens of Microsoft Entra ID: set ` +
				`options.aadProfile, or remove login to use the certificate of Azure's kubeconfig (MK766)`,
		},
	},
	{
		"a browser, and no Microsoft Entra ID", func(c *plan.Cluster) {
			c.Login.Mode = plan.LoginDeviceCode
		},
		both(func(c *plan.Cluster) { c.Login.Mode = plan.LoginAzureCLI }, options(obj{"aadProfile": tree.Unknown{}})),
		[]string{
			`error: login.mode: "devicecode": the cluster does not accept tokens of Microsoft Entra ID: set ` +
				`options.aadProfile, or remove login to use the certificate of Azure's kubeconfig (MK766)`,
		},
	},
	{
		"a misspelled mode", inEntraID(plan.Login{Mode: "azurecl", ServiceConnectionID: "c"}),
		inEntraID(plan.Login{Mode: plan.LoginAzurePipelines, ServiceConnectionID: "c"}),
		[]string{
			`error: login.mode: "azurecl": neither a login mode of kubelogin that this library knows nor admin: did ` +
				`you mean "azurecli"? use azurecli, spn, msi, workloadidentity, azurepipelines, azd, ropc or admin ` +
				`(MK767)`,
		},
	},
	{
		"an unknown mode", inEntraID(plan.Login{Mode: "certificate"}),
		inEntraID(plan.Login{Mode: plan.LoginAzureDeveloperCLI}),
		[]string{
			`error: login.mode: "certificate": neither a login mode of kubelogin that this library knows nor admin: ` +
				`use azurecli, spn, msi, workloadidentity, azurepipelines, azd, ropc or admin (MK767)`,
		},
	},
	{
		"settings of other modes", inEntraID(plan.Login{
			ClientID: "c", TenantID: "t", IdentityResourceID: plan.Later, ServiceConnectionID: "s",
			UseAzureRMEnvVars: true,
		}),
		inEntraID(plan.Login{
			Mode: plan.LoginServicePrincipal, ClientID: "c", TenantID: "t", UseAzureRMEnvVars: true,
		}),
		[]string{
			`error: login.clientID: "c": login mode azurecli does not use it: remove it, or use another mode (MK768)`,
			`error: login.identityResourceID: login mode azurecli does not use it: remove it, or use another mode ` +
				`(MK768)`,
			`error: login.serviceConnectionID: "s": login mode azurecli does not use it: remove it, or use another ` +
				`mode (MK768)`,
			`error: login.useAzureRMEnvVars: true: login mode azurecli does not use it: remove it, or use another ` +
				`mode (MK768)`,
		},
	},
	{
		"an identity named twice", inEntraID(plan.Login{
			Mode: plan.LoginManagedIdentity, ClientID: "c", IdentityResourceID: "/i",
		}),
		inEntraID(plan.Login{Mode: plan.LoginManagedIdentity, IdentityResourceID: "/i"}),
		[]string{
			`error: login.identityResourceID: "/i": clientID already identifies the managed identity: remove one of ` +
				`the two (MK768)`,
		},
	},
	{
		"settings of the administrator", func(c *plan.Cluster) {
			c.Login = plan.Login{Mode: plan.LoginAdmin, TenantID: "t"}
		},
		inEntraID(plan.Login{Mode: plan.LoginUsernamePassword, TenantID: "t", ClientID: "c"}),
		[]string{
			`error: login.tenantID: "t": login mode admin does not use it: remove it, or use another mode (MK768)`,
		},
	},
}
