package credspec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	activeDirectory = "ActiveDirectory"

	// maxSpecification is in bytes: the API server refuses pods with a longer one, and the
	// webhook puts it into them.
	maxSpecification = 64 << 10
)

// Specification is a credential specification in the form and the words of Windows
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/manage-serviceaccounts#create-a-credential-spec).
type Specification struct {
	CmsPlugins       []string         `required:"a list with one element at least"`
	DomainJoinConfig DomainJoinConfig `required:"an object with what identifies the domain"`

	ActiveDirectoryConfig ActiveDirectoryConfig `required:"an object with the accounts of containers and hosts"`
}

// DomainJoinConfig is the domain, and the account that containers have in it.
type DomainJoinConfig struct {
	SID                string `json:"Sid" required:"New-CredentialSpec writes it"`
	MachineAccountName string `required:"New-CredentialSpec writes it"`
	GUID               string `json:"Guid" required:"New-CredentialSpec writes it"`
	DNSTreeName        string `json:"DnsTreeName" required:"New-CredentialSpec writes it"`
	DNSName            string `json:"DnsName" required:"New-CredentialSpec writes it"`
	NetBIOSName        string `json:"NetBiosName" required:"New-CredentialSpec writes it"`
}

// ActiveDirectoryConfig is the accounts, and how nodes get their passwords.
type ActiveDirectoryConfig struct {
	GroupManagedServiceAccounts []ScopedAccount `required:"a list with one element at least"`
	HostAccountConfig           *PluginConfig   `json:",omitempty"`
}

// ScopedAccount is an account with the name of its domain, of either kind.
type ScopedAccount struct {
	Name  string `required:"New-CredentialSpec writes it"`
	Scope string `required:"New-CredentialSpec writes it"`
}

// PluginConfig is for nodes that are not joined to the domain.
type PluginConfig struct {
	PortableCcgVersion string `required:"New-CredentialSpec writes it"`
	PluginGUID         string `required:"New-CredentialSpec writes it"`
	PluginInput        string `required:"New-CredentialSpec writes it"`
}

// Describe returns the specification of the account of a domain, as New-CredentialSpec
// does.
func Describe(join DomainJoinConfig, plugin *PluginConfig) Specification {
	return Specification{
		CmsPlugins:       []string{activeDirectory},
		DomainJoinConfig: join,
		ActiveDirectoryConfig: ActiveDirectoryConfig{
			GroupManagedServiceAccounts: []ScopedAccount{
				{join.MachineAccountName, join.DNSName}, {join.MachineAccountName, join.NetBIOSName},
			},
			HostAccountConfig: plugin,
		},
	}
}

// check returns what is wrong with a specification that someone else has written.
func (s Specification) check(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !slices.Contains(s.CmsPlugins, activeDirectory) {
		errs = append(errs,
			field.Invalid(path.Child("CmsPlugins"), field.OmitValueType{}, "must contain "+activeDirectory))
	}
	join, at := s.DomainJoinConfig, path.Child("DomainJoinConfig")
	errs = append(errs, CheckSID(join.SID, at.Child("Sid"))...)
	errs = append(errs, CheckAccount(join.MachineAccountName, at.Child("MachineAccountName"))...)
	errs = append(errs, CheckGUID(join.GUID, at.Child("Guid"))...)
	errs = append(errs, CheckDNSName(join.DNSTreeName, at.Child("DnsTreeName"))...)
	errs = append(errs, CheckDNSName(join.DNSName, at.Child("DnsName"))...)
	errs = append(errs, CheckNetBIOSName(join.NetBIOSName, join.DNSName, at.Child("NetBiosName"))...)

	at = path.Child("ActiveDirectoryConfig")
	for i, account := range s.ActiveDirectoryConfig.GroupManagedServiceAccounts {
		of := at.Child("GroupManagedServiceAccounts").Index(i)
		errs = append(errs, CheckAccount(account.Name, of.Child("Name"))...)
		if account.Scope == "" {
			errs = append(errs, field.Required(of.Child("Scope"), "the name of the account's domain, of either kind"))
		}
	}
	errs = append(errs, s.checkScopes(at.Child("GroupManagedServiceAccounts"))...)
	if plugin := s.ActiveDirectoryConfig.HostAccountConfig; plugin != nil {
		of := at.Child("HostAccountConfig")
		errs = append(errs, CheckPluginGUID(plugin.PluginGUID, of.Child("PluginGUID"))...)
		errs = append(errs, CheckCcgVersion(plugin.PortableCcgVersion, of.Child("PortableCcgVersion"))...)
	}
	if text, err := json.Marshal(s); err != nil || len(text) > maxSpecification {
		errs = append(errs, field.TooLong(path, "", maxSpecification))
	}
	return errs
}

// checkScopes demands the account of the domain with each name of the domain, as
// [Describe] writes it. There may be others.
func (s Specification) checkScopes(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	join := s.DomainJoinConfig
	bare := func(name string) string { return strings.TrimSuffix(name, "$") }
	for _, scope := range []struct{ of, name string }{{"DnsName", join.DNSName}, {"NetBiosName", join.NetBIOSName}} {
		if join.MachineAccountName == "" || scope.name == "" {
			continue // reported already
		}
		if !slices.ContainsFunc(s.ActiveDirectoryConfig.GroupManagedServiceAccounts, func(a ScopedAccount) bool {
			return strings.EqualFold(bare(a.Name), bare(join.MachineAccountName)) &&
				strings.EqualFold(a.Scope, scope.name)
		}) {
			errs = append(errs, field.Required(path,
				fmt.Sprintf("an element with the Name %q and the Scope %q: the account of DomainJoinConfig in its %s",
					join.MachineAccountName, scope.name, scope.of)))
		}
	}
	return errs
}
