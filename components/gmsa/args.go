package gmsa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/preflight/credspec"
)

// CredentialSpecArgs are the arguments of [NewCredentialSpec]: Account and Domain, or
// JSON.
type CredentialSpecArgs struct {
	// Name is the name of the GMSACredentialSpec, which pods name in
	// securityContext.windowsOptions.gmsaCredentialSpecName: a DNS-1123 subdomain, unique in
	// the cluster. The default is the resource's name.
	Name string `pulumi:"name,optional"`

	// Account is the sAMAccountName of the group managed service account. The dollar
	// sign at its end can be left out, and is not written.
	Account string `pulumi:"account,optional"`

	// Domain is the account's.
	Domain Domain `pulumi:"domain,optional"`

	// HostAccountConfig is for nodes that are not joined to the domain. They get the
	// account's password through a plug-in; joined ones need none.
	HostAccountConfig HostAccountConfig `pulumi:"hostAccountConfig,optional"`

	// JSON is the content of the file that New-CredentialSpec has written
	// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/manage-serviceaccounts#create-a-credential-spec),
	// with further accounts if it has them. Unknown keys are errors.
	JSON string `pulumi:"json,optional"`

	// ServiceAccounts may use it: each gets a RoleBinding. Others get theirs by
	// [CredentialSpec.Allow].
	ServiceAccounts []ServiceAccount `pulumi:"serviceAccounts,optional"`
}

// DefaultCcgVersion is the version of the interface between Windows and the plug-ins for
// the credentials of containers. There is no other one yet.
const DefaultCcgVersion = "1"

// AzureKeyVaultPluginGUID is the class ID of the plug-in on the Windows nodes of AKS, which fetches
// the password of an account of the domain from a key vault
// (https://learn.microsoft.com/azure/aks/use-group-managed-service-accounts).
const AzureKeyVaultPluginGUID = "{CCC2A336-D7F3-4818-A213-272B7924213E}"

// HostAccountConfig describes how nodes that are not joined to the domain get the account's password: through a
// plug-in that is installed on them
// (https://learn.microsoft.com/windows/win32/api/ccgplugins/nf-ccgplugins-iccgdomainauthcredentials-getpasswordcredentials).
type HostAccountConfig struct {
	// PluginGUID is the class ID of the plug-in, in braces: [AzureKeyVaultPluginGUID] is that of
	// AKS. Required.
	PluginGUID string `pulumi:"pluginGUID"`

	// PluginInput is the input of the plug-in, in the plug-in's own form:
	// ObjectId=…;SecretUri=… for the plug-in of AKS. Required. It can hold a password, so it is
	// a secret in Pulumi's state even if the input is not. In the cluster it is not secret:
	// anyone who can read the GMSACredentialSpec, or a pod that uses it, can read it. Name a
	// secret of a vault in it, as the plug-ins of cloud providers do.
	PluginInput pulumi.StringInput `pulumi:"pluginInput"`

	// PortableCcgVersion is the version of the plug-ins' interface, a number. The
	// default is [DefaultCcgVersion].
	PortableCcgVersion string `pulumi:"portableCcgVersion,optional"`
}

func (h HostAccountConfig) isZero() bool {
	return h.PluginGUID == "" && h.PluginInput == nil && h.PortableCcgVersion == ""
}

// ServiceAccount is a service account of the cluster.
type ServiceAccount struct {
	// Namespace is "default" by default. Name and Namespace are plain, as the RoleBinding's
	// resource is named after them: for a Namespace or ServiceAccount of the same program use
	// [CredentialSpec.Allow], which takes outputs.
	Namespace string `pulumi:"namespace,optional"`
	// Name is "default" by default: the account of pods that name none.
	Name string `pulumi:"name,optional"`
}

func (s ServiceAccount) withDefaults() ServiceAccount {
	return ServiceAccount{cmp.Or(s.Namespace, defaultName), cmp.Or(s.Name, defaultName)}
}

// defaultName is the name of a namespace and, in each namespace, of a service account.
const defaultName = "default"

// read checks everything, and returns the specification. The input of a plug-in is in it
// if the JSON has it.
func (a *CredentialSpecArgs) read() (credspec.Specification, field.ErrorList) {
	var errs field.ErrorList
	for _, detail := range validation.IsDNS1123Subdomain(a.Name) {
		errs = append(errs, field.Invalid(field.NewPath("name"), a.Name, detail))
	}
	errs = append(errs, checkServiceAccounts(a.ServiceAccounts, field.NewPath("serviceAccounts"))...)
	if a.JSON == "" {
		return credspec.Describe(a.Domain.join(strings.TrimSuffix(a.Account, "$")), a.plugin()),
			append(errs, a.check()...)
	}
	path := field.NewPath("json")
	var extra []string
	for _, other := range []struct {
		name string
		ok   bool
	}{
		{"account", a.Account != ""},
		{"domain", a.Domain != (Domain{})},
		{"hostAccountConfig", !a.HostAccountConfig.isZero()},
	} {
		if other.ok {
			extra = append(extra, other.name)
		}
	}
	if len(extra) > 0 {
		errs = append(errs, field.Forbidden(path,
			fmt.Sprintf("cannot be combined with %s: set one of the two", strings.Join(extra, ", "))))
	}
	s, jsonErrs := credspec.Decode(a.JSON, path)
	return s, append(errs, jsonErrs...)
}

// check is for the typed form.
func (a *CredentialSpecArgs) check() field.ErrorList {
	if a.Account == "" && a.Domain == (Domain{}) && a.HostAccountConfig.isZero() {
		return field.ErrorList{field.Required(field.NewPath("account"),
			"describe an account with account and domain, or give the content of New-CredentialSpec's file in json")}
	}
	errs := credspec.CheckAccount(a.Account, field.NewPath("account"))
	errs = append(errs, a.Domain.check(field.NewPath("domain"))...)
	if a.HostAccountConfig.isZero() {
		return errs
	}
	path := field.NewPath("hostAccountConfig")
	errs = append(errs, credspec.CheckPluginGUID(a.HostAccountConfig.PluginGUID, path.Child("pluginGUID"))...)
	if a.HostAccountConfig.PluginInput == nil {
		errs = append(errs, field.Required(path.Child("pluginInput"),
			"what the plug-in needs to know, in its own form"))
	}
	if version := a.HostAccountConfig.PortableCcgVersion; version != "" {
		errs = append(errs, credspec.CheckCcgVersion(version, path.Child("portableCcgVersion"))...)
	}
	return errs
}

// plugin has no input: that is one of Pulumi's.
func (a *CredentialSpecArgs) plugin() *credspec.PluginConfig {
	if a.HostAccountConfig.isZero() {
		return nil
	}
	return &credspec.PluginConfig{
		PluginGUID:         a.HostAccountConfig.PluginGUID,
		PortableCcgVersion: cmp.Or(a.HostAccountConfig.PortableCcgVersion, DefaultCcgVersion),
	}
}

func checkServiceAccounts(accounts []ServiceAccount, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, account := range accounts {
		account = account.withDefaults()
		if slices.ContainsFunc(accounts[:i],
			func(other ServiceAccount) bool { return other.withDefaults() == account }) {
			errs = append(errs, field.Duplicate(path.Index(i), account.Namespace+"/"+account.Name))
		}
		for _, detail := range validation.IsDNS1123Label(account.Namespace) {
			errs = append(errs, field.Invalid(path.Index(i).Child("namespace"), account.Namespace, detail))
		}
		for _, detail := range validation.IsDNS1123Subdomain(account.Name) {
			errs = append(errs, field.Invalid(path.Index(i).Child("name"), account.Name, detail))
		}
	}
	return errs
}
