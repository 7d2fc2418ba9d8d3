package plan

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
)

// LoginMode is a way to sign in to the API server.
type LoginMode string

// LoginAdmin is the client certificate of the cluster's local administrator. All other modes are the login modes of
// kubelogin, with its names (https://azure.github.io/kubelogin/concepts/login-modes.html).
const (
	LoginAdmin             LoginMode = "admin"
	LoginAzureCLI          LoginMode = "azurecli"
	LoginAzureDeveloperCLI LoginMode = "azd"
	LoginAzurePipelines    LoginMode = "azurepipelines"
	LoginDeviceCode        LoginMode = "devicecode"
	LoginInteractive       LoginMode = "interactive"
	LoginManagedIdentity   LoginMode = "msi"
	LoginServicePrincipal  LoginMode = "spn"
	LoginUsernamePassword  LoginMode = "ropc"
	LoginWorkloadIdentity  LoginMode = "workloadidentity"
)

// defaultLogin is what `az aks get-credentials` converts kubeconfigs to
// (https://github.com/Azure/azure-cli-extensions/pull/9288).
const defaultLogin = LoginAzureCLI

// The words of the command line of kubelogin get-token.
const (
	getToken     = "get-token"
	login        = "--login"
	serverID     = "--server-id"
	clientID     = "--client-id"
	tenantID     = "--tenant-id"
	environment  = "--environment"
	legacy       = "--legacy"
	identityID   = "--identity-resource-id"
	connectionID = "--azure-pipelines-service-connection-id"
	armVars      = "--use-azurerm-env-vars"
)

// Login describes how to sign in. Values that are not known yet are [Later].
type Login struct {
	// Mode is the login mode. Empty means [LoginAzureCLI] if the cluster has Microsoft Entra ID, and else the
	// certificate that every user gets.
	Mode LoginMode `json:"mode"`
	// ClientID and TenantID identify the principal that signs in.
	ClientID string `json:"clientID"`
	TenantID string `json:"tenantID"`
	// IdentityResourceID is a managed identity.
	IdentityResourceID string `json:"identityResourceID"`
	// ServiceConnectionID is a service connection of Azure Pipelines.
	ServiceConnectionID string `json:"serviceConnectionID"`
	// UseAzureRMEnvVars selects the environment variables ARM_… instead of AZURE_….
	UseAzureRMEnvVars bool `json:"useAzureRMEnvVars"`
}

// mode describes the flags of a login mode of kubelogin.
type mode struct {
	// browser means that a person has to sign in with a browser.
	browser bool
	// retained are the flags of Azure's kubeconfig that the conversion retains, and that the kubeconfig must have.
	retained []string
	// legacy and environment mean that the conversion retains --legacy and --environment.
	legacy, environment bool
	// settings are the flags of the settings of [Login] that the mode uses, in the order of the command line.
	settings []string
}

// modes maps the login modes of kubelogin to what convert-kubeconfig does for each mode
// (https://github.com/Azure/kubelogin/blob/main/pkg/internal/converter/convert.go). The client ID in Azure's kubeconfig
// is the ID of a public client, with which people sign in.
var modes = map[LoginMode]mode{
	LoginDeviceCode: {
		browser: true, retained: []string{clientID, tenantID}, environment: true, legacy: true,
		settings: []string{clientID, tenantID},
	},
	LoginInteractive: {
		browser: true, retained: []string{clientID, tenantID}, environment: true,
		settings: []string{clientID, tenantID},
	},
	LoginServicePrincipal: {
		retained: []string{clientID, tenantID}, environment: true, legacy: true,
		settings: []string{clientID, tenantID, armVars},
	},
	LoginUsernamePassword: {
		retained: []string{clientID, tenantID}, environment: true, legacy: true,
		settings: []string{clientID, tenantID},
	},
	LoginManagedIdentity:   {settings: []string{clientID, identityID}},
	LoginAzureCLI:          {settings: []string{tenantID}},
	LoginAzureDeveloperCLI: {settings: []string{tenantID}},
	LoginWorkloadIdentity:  {settings: []string{clientID, tenantID, armVars}},
	LoginAzurePipelines:    {settings: []string{clientID, tenantID, connectionID}},
}

// The modes that do not need a person, and all modes.
var (
	unattendedModes = []string{
		string(LoginAzureCLI), string(LoginServicePrincipal), string(LoginManagedIdentity),
		string(LoginWorkloadIdentity), string(LoginAzurePipelines), string(LoginAzureDeveloperCLI),
		string(LoginUsernamePassword),
	}
	loginModes = append(slices.Clone(unattendedModes), string(LoginDeviceCode), string(LoginInteractive),
		string(LoginAdmin))
)

// flags returns the settings with their flags, the names of their arguments and their values.
func (l Login) flags() []setting {
	return []setting{
		{clientID, "clientID", l.ClientID},
		{tenantID, "tenantID", l.TenantID},
		{identityID, "identityResourceID", l.IdentityResourceID},
		{connectionID, "serviceConnectionID", l.ServiceConnectionID},
	}
}

type setting struct{ flag, argument, value string }

var (
	loginNeedsBrowser = rule.Rule{
		ID: "MK764", Severity: rule.Warning, Title: "a login that needs a browser",
		Reason: "kubelogin waits until someone signs in with a browser. In CI no one does, and the update fails.",
		Source: kubeloginPage,
	}
	adminWithoutLocalAccounts = rule.Rule{
		ID: "MK765", Severity: rule.Error, Title: "the local administrator of a cluster without local accounts",
		Reason: "Azure does not return administrator credentials while local accounts are disabled.",
		Source: accountsPage,
	}
	loginWithoutEntraID = rule.Rule{
		ID: "MK766", Severity: rule.Error, Title: "a login with Microsoft Entra ID to a cluster without it",
		Reason: "kubelogin gets tokens from Microsoft Entra ID, which the API server accepts only if the cluster has " +
			"an aadProfile.",
		Source: entraPage,
	}
	loginModeUnknown = rule.Rule{
		ID: "MK767", Severity: rule.Error, Title: "an unknown login mode",
		Reason: "Each mode of kubelogin has its own flags, so the program can write the flags of known modes only.",
		Source: kubeloginPage,
	}
	loginSettingUnused = rule.Rule{
		ID: "MK768", Severity: rule.Error, Title: "a login setting that the mode does not use",
		Reason: "The setting would have no effect, so the login would differ from what the program describes.",
		Source: kubeloginPage,
	}
)

// login checks how the provider signs in.
func (c *check) login(l Login, a APIServer) {
	const at = "login.mode"
	m, ofKubelogin := modes[l.Mode]
	p := rule.Problem{Path: at, Value: string(l.Mode)}
	switch {
	case l.Mode == "":
		m = modes[defaultLogin]
	case l.Mode == LoginAdmin:
		if a.DisableLocalAccounts {
			p.Detail = "there is no local administrator, because apiServer.disableLocalAccounts is set"
			p.Fix = "use " + join(unattendedModes, "or") + ", or remove apiServer.disableLocalAccounts"
			if c.exists {
				p.Detail = "there is no local administrator, because the cluster has no local accounts"
				p.Fix = "use " + join(unattendedModes, "or")
			}
			c.Report(adminWithoutLocalAccounts, p)
		}
	case !ofKubelogin:
		p.Detail = "neither a login mode of kubelogin that this library knows nor admin"
		p.Fix, _ = suggestion(string(l.Mode), loginModes, append(slices.Clone(unattendedModes), string(LoginAdmin)))
		c.Report(loginModeUnknown, p)
		return
	case !c.hasEntraID():
		p.Detail = "the cluster does not accept tokens of Microsoft Entra ID"
		p.Fix = "remove login to use the certificate of Azure's kubeconfig"
		if !c.exists {
			p.Fix = "set options.aadProfile, or " + p.Fix
		}
		c.Report(loginWithoutEntraID, p)
	case m.browser:
		p.Detail = "someone has to sign in with a browser during each update"
		p.Fix = "use " + join(unattendedModes, "or")
		if !a.DisableLocalAccounts {
			p.Fix += ", or admin"
		}
		c.Report(loginNeedsBrowser, p)
	}
	c.loginSettings(l, m)
}

// loginSettings reports settings that the mode does not use.
func (c *check) loginSettings(l Login, m mode) {
	notUsed := "login mode " + string(cmp.Or(l.Mode, defaultLogin)) + " does not use it"
	for _, s := range l.flags() {
		p := rule.Problem{Path: "login." + s.argument, Value: s.value, Fix: "remove it, or use another mode"}
		if s.value == Later {
			p.Value = nil
		}
		switch {
		case s.value == "":
			continue
		case !slices.Contains(m.settings, s.flag):
			p.Detail = notUsed
		case s.flag == identityID && l.ClientID != "":
			p.Detail, p.Fix = "clientID already identifies the managed identity", "remove one of the two"
		default:
			continue
		}
		c.Report(loginSettingUnused, p)
	}
	if l.UseAzureRMEnvVars && !slices.Contains(m.settings, armVars) {
		c.Report(loginSettingUnused, rule.Problem{
			Path: "login.useAzureRMEnvVars", Value: true, Detail: notUsed, Fix: "remove it, or use another mode",
		})
	}
}
