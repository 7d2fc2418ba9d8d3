package gmsa

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	activeDirectory = "ActiveDirectory"

	// DefaultCcgVersion is the version of the interface between Windows and the plug-ins
	// for the credentials of containers. There is no other one yet.
	DefaultCcgVersion = "1"

	// maxSpecification is in bytes: the API server refuses pods with a longer one, and the
	// webhook puts it into them.
	maxSpecification = 64 << 10
)

// specification is a credential specification in the form and the words of Windows
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/manage-serviceaccounts#create-a-credential-spec).
type specification struct {
	CmsPlugins            []string
	DomainJoinConfig      domainJoinConfig
	ActiveDirectoryConfig activeDirectoryConfig
}

type domainJoinConfig struct {
	SID                string `json:"Sid"`
	MachineAccountName string
	GUID               string `json:"Guid"`
	DNSTreeName        string `json:"DnsTreeName"`
	DNSName            string `json:"DnsName"`
	NetBIOSName        string `json:"NetBiosName"`
}

type activeDirectoryConfig struct {
	GroupManagedServiceAccounts []scopedAccount
	HostAccountConfig           *pluginConfig `json:",omitempty"`
}

// scopedAccount is an account with the name of its domain, of either kind.
type scopedAccount struct{ Name, Scope string }

type pluginConfig struct{ PortableCcgVersion, PluginGUID, PluginInput string }

// describe makes the specification of one account, as New-CredentialSpec does.
func describe(account string, d Domain, plugin *pluginConfig) specification {
	return specification{
		CmsPlugins: []string{activeDirectory},
		DomainJoinConfig: domainJoinConfig{
			SID: d.SID, MachineAccountName: account, GUID: d.GUID,
			DNSTreeName: d.DNSTreeName, DNSName: d.DNSName, NetBIOSName: d.NetBIOSName,
		},
		ActiveDirectoryConfig: activeDirectoryConfig{
			GroupManagedServiceAccounts: []scopedAccount{{account, d.DNSName}, {account, d.NetBIOSName}},
			HostAccountConfig:           plugin,
		},
	}
}

// check says what is wrong with one that somebody else has written.
func (s specification) check(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	join, at := s.DomainJoinConfig, path.Child("DomainJoinConfig")
	errs = append(errs, checkSID(join.SID, at.Child("Sid"))...)
	errs = append(errs, checkAccount(join.MachineAccountName, at.Child("MachineAccountName"))...)
	errs = append(errs, checkGUID(join.GUID, at.Child("Guid"))...)
	errs = append(errs, checkDNSName(join.DNSTreeName, at.Child("DnsTreeName"))...)
	errs = append(errs, checkDNSName(join.DNSName, at.Child("DnsName"))...)
	errs = append(errs, checkNetBIOSName(join.NetBIOSName, join.DNSName, at.Child("NetBiosName"))...)

	at = path.Child("ActiveDirectoryConfig")
	for i, account := range s.ActiveDirectoryConfig.GroupManagedServiceAccounts {
		of := at.Child("GroupManagedServiceAccounts").Index(i)
		errs = append(errs, checkAccount(account.Name, of.Child("Name"))...)
		if account.Scope == "" {
			errs = append(errs, field.Required(of.Child("Scope"), "the name of the account's domain, of either kind"))
		}
	}
	if plugin := s.ActiveDirectoryConfig.HostAccountConfig; plugin != nil {
		of := at.Child("HostAccountConfig")
		errs = append(errs, checkPluginGUID(plugin.PluginGUID, of.Child("PluginGUID"))...)
		errs = append(errs, checkCcgVersion(plugin.PortableCcgVersion, of.Child("PortableCcgVersion"))...)
	}
	if text, err := json.Marshal(s); err != nil || len(text) > maxSpecification {
		errs = append(errs, field.TooLong(path, "", maxSpecification))
	}
	return errs
}
