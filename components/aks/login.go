package aks

import (
	"cmp"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// Login configures how [Cluster.Provider] and [Cluster.Kubeconfig] sign in. It has no secrets: kubelogin reads them
// from the environment of pulumi. See the package's documentation.
type Login struct {
	// Mode is how to sign in. The default is [LoginAzureCLI] if the cluster has Microsoft Entra ID
	// (Options.AadProfile), and the client certificate in Azure's kubeconfig otherwise.
	Mode LoginMode `pulumi:"mode,optional"`

	// ClientID is the ID of the application or managed identity that signs in, for
	// [LoginServicePrincipal], [LoginManagedIdentity], [LoginWorkloadIdentity] and
	// [LoginAzurePipelines]. By default it is read from the environment; the default managed identity
	// is the identity of the machine. For [LoginUsernamePassword] it is the public client that
	// people sign in with, by default Azure's own.
	ClientID pulumi.StringInput `pulumi:"clientID,optional"`

	// TenantID is the tenant of the user or application that signs in, for all modes except
	// [LoginAdmin] and [LoginManagedIdentity]. The default is the tenant of the cluster, or that
	// of az, azd or the environment.
	TenantID pulumi.StringInput `pulumi:"tenantID,optional"`

	// IdentityResourceID is the resource ID of a managed identity, instead of ClientID, for
	// [LoginManagedIdentity].
	IdentityResourceID pulumi.StringInput `pulumi:"identityResourceID,optional"`

	// ServiceConnectionID is the resource ID of the service connection, for
	// [LoginAzurePipelines]. By default it is read from the environment.
	ServiceConnectionID pulumi.StringInput `pulumi:"serviceConnectionID,optional"`

	// UseAzureRMEnvVars makes kubelogin read ARM_CLIENT_ID, ARM_CLIENT_SECRET and ARM_TENANT_ID, as
	// azure-native does, for [LoginServicePrincipal] and [LoginWorkloadIdentity]. By default it
	// reads AZURE_CLIENT_ID, AZURE_CLIENT_SECRET and AZURE_TENANT_ID.
	UseAzureRMEnvVars bool `pulumi:"useAzureRMEnvVars,optional"`
}

// LoginMode is a way to sign in: a login mode of kubelogin by its name there
// (https://azure.github.io/kubelogin/concepts/login-modes.html), or [LoginAdmin].
type LoginMode = plan.LoginMode

// The modes that need no user interaction.
const (
	// LoginAdmin is the client certificate of the local administrator. Azure gives it to every identity
	// that has the action listClusterAdminCredential, unless [APIServer.DisableLocalAccounts] is set.
	LoginAdmin = plan.LoginAdmin
	// LoginAzureCLI is the account that az is logged in with: a user, a service principal or an identity.
	LoginAzureCLI = plan.LoginAzureCLI
	// LoginServicePrincipal is an application with a secret or a certificate.
	LoginServicePrincipal = plan.LoginServicePrincipal
	// LoginManagedIdentity is a managed identity of the machine in Azure that pulumi runs on.
	LoginManagedIdentity = plan.LoginManagedIdentity
	// LoginWorkloadIdentity is an application with a federated credential: in a pod, or in
	// GitHub Actions.
	LoginWorkloadIdentity = plan.LoginWorkloadIdentity
	// LoginAzurePipelines is a service connection of Azure Pipelines.
	LoginAzurePipelines = plan.LoginAzurePipelines
	// LoginAzureDeveloperCLI is the account that azd is logged in with.
	LoginAzureDeveloperCLI = plan.LoginAzureDeveloperCLI
	// LoginUsernamePassword is a user with a password, and without a second factor. Microsoft
	// advises against it.
	LoginUsernamePassword = plan.LoginUsernamePassword
)

// The modes that need a person with a browser during each update: MK764 warns of them.
const (
	// LoginDeviceCode shows a code, which a person types into a page.
	LoginDeviceCode = plan.LoginDeviceCode
	// LoginInteractive opens a browser on the machine that pulumi runs on.
	LoginInteractive = plan.LoginInteractive
)

// inputs returns the settings that can be outputs.
func (l Login) inputs() []pulumi.StringInput {
	return []pulumi.StringInput{l.ClientID, l.TenantID, l.IdentityResourceID, l.ServiceConnectionID}
}

// settings returns the values of the inputs, empty for those that are not set.
func (l Login) settings() pulumi.StringArrayOutput {
	var all pulumi.StringArray
	for _, in := range l.inputs() {
		if in == nil {
			in = pulumi.String("")
		}
		all = append(all, in)
	}
	return all.ToStringArrayOutput()
}

// resolved returns the login with the values of its inputs.
func (l Login) resolved(values []string) plan.Login {
	return plan.Login{
		Mode:     l.Mode,
		ClientID: values[0], TenantID: values[1], IdentityResourceID: values[2], ServiceConnectionID: values[3],
		UseAzureRMEnvVars: l.UseAzureRMEnvVars,
	}
}

// known returns the login, with [plan.Later] for settings whose values are not known.
func (l Login) known() plan.Login {
	var values []string
	for _, in := range l.inputs() {
		value := ""
		if in != nil {
			value = cmp.Or(known(in), plan.Later)
		}
		values = append(values, value)
	}
	return l.resolved(values)
}
