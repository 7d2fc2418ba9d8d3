package plan

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
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
	loginNeedsBrowser = engine.Rule{
		Rule: rule.Rule{
			ID: "MK764", Severity: rule.Warning, Title: "a login that needs a browser",
			Page:   rulepages.AKS,
			Reason: "kubelogin waits until someone signs in with a browser. In CI no one does, and the update fails.",
			Source: kubeloginPage,
		},
		Checks: onLogins(needsBrowser),
	}
	adminWithoutLocalAccounts = engine.Rule{
		Rule: rule.Rule{
			ID: "MK765", Severity: rule.Error, Title: "the local administrator of a cluster without local accounts",
			Page:   rulepages.AKS,
			Reason: "Azure does not return administrator credentials while local accounts are disabled.",
			Source: accountsPage,
		},
		Checks: onLogins(withoutLocalAccounts),
	}
	loginWithoutEntraID = engine.Rule{
		Rule: rule.Rule{
			ID: "MK766", Severity: rule.Error, Title: "a login with Microsoft Entra ID to a cluster without it",
			Page: rulepages.AKS,
			Reason: "kubelogin gets tokens from Microsoft Entra ID, which the API server accepts only if the cluster " +
				"has an aadProfile.",
			Source: entraPage,
		},
		Checks: onLogins(withoutEntraID),
	}
	loginModeUnknown = engine.Rule{
		Rule: rule.Rule{
			ID: "MK767", Severity: rule.Error, Title: "an unknown login mode",
			Page:   rulepages.AKS,
			Reason: "Each mode of kubelogin has its own flags, so the program can write the flags of known modes only.",
			Source: kubeloginPage,
		},
		Checks: onLogins(unknownMode),
	}
	loginSettingUnused = engine.Rule{
		Rule: rule.Rule{
			ID: "MK768", Severity: rule.Error, Title: "a login setting that the mode does not use",
			Page:   rulepages.AKS,
			Reason: "The setting would have no effect, so the login would differ from what the program describes.",
			Source: kubeloginPage,
		},
		Checks: onLogins(unusedSettings),
	}
)

// ofMode returns what the conversion of kubelogin does for the mode, and false for a mode that is not one of it.
func (l signIn) ofMode() (mode, bool) {
	if l.Mode == "" {
		return modes[defaultLogin], true
	}
	m, ok := modes[l.Mode]
	return m, ok
}

// onLogins returns the checks of a login to a cluster of the program, and of one to an existing cluster.
func onLogins(find func(l signIn, exists bool) []rule.Problem) []engine.Check {
	return []engine.Check{
		engine.On(logins, func(l signIn) []rule.Problem { return find(l, false) }),
		engine.On(otherLogins, func(l existingSignIn) []rule.Problem { return find(l.signIn, true) }),
	}
}

// problem completes a problem with the mode.
func (l signIn) problem(detail, fix string) []rule.Problem {
	return []rule.Problem{{Path: "login.mode", Value: string(l.Mode), Detail: detail, Fix: fix}}
}

func withoutLocalAccounts(l signIn, exists bool) []rule.Problem {
	switch unattended := "use " + join(unattendedModes, "or"); {
	case l.Mode != LoginAdmin || !l.server.DisableLocalAccounts:
		return nil
	case exists:
		return l.problem("there is no local administrator, because the cluster has no local accounts", unattended)
	default:
		return l.problem("there is no local administrator, because apiServer.disableLocalAccounts is set",
			unattended+", or remove apiServer.disableLocalAccounts")
	}
}

func unknownMode(l signIn, _ bool) []rule.Problem {
	if _, ok := l.ofMode(); ok || l.Mode == LoginAdmin {
		return nil
	}
	fix, _ := suggestion(string(l.Mode), loginModes, append(slices.Clone(unattendedModes), string(LoginAdmin)))
	return l.problem("neither a login mode of kubelogin that this library knows nor admin", fix)
}

func withoutEntraID(l signIn, exists bool) []rule.Problem {
	if _, ok := l.ofMode(); l.Mode == "" || !ok || l.of.hasEntraID() {
		return nil
	}
	fix := "remove login to use the certificate of Azure's kubeconfig"
	if !exists {
		fix = "set options.aadProfile, or " + fix
	}
	return l.problem("the cluster does not accept tokens of Microsoft Entra ID", fix)
}

func needsBrowser(l signIn, _ bool) []rule.Problem {
	m, _ := l.ofMode()
	if l.Mode == "" || !m.browser || !l.of.hasEntraID() {
		return nil
	}
	fix := "use " + join(unattendedModes, "or")
	if !l.server.DisableLocalAccounts {
		fix += ", or admin"
	}
	return l.problem("someone has to sign in with a browser during each update", fix)
}

// unusedSettings finds settings that the mode does not use.
func unusedSettings(l signIn, _ bool) []rule.Problem {
	m, ok := l.ofMode()
	if !ok && l.Mode != LoginAdmin {
		return nil
	}
	var found []rule.Problem
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
		found = append(found, p)
	}
	if l.UseAzureRMEnvVars && !slices.Contains(m.settings, armVars) {
		found = append(found, rule.Problem{
			Path: "login.useAzureRMEnvVars", Value: true, Detail: notUsed, Fix: "remove it, or use another mode",
		})
	}
	return found
}
