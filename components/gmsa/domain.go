package gmsa

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/preflight/credspec"
)

// Domain is the Active Directory domain of an account: what Get-ADDomain shows.
type Domain struct {
	// DNSName is the domain's full name, contoso.com for example: DNSRoot of Get-ADDomain.
	// Required.
	DNSName string `pulumi:"dnsName"`

	// DNSTreeName is the full name of the forest's root domain: Forest of Get-ADDomain.
	// The default is DNSName, which is right for the first domain of a forest.
	DNSTreeName string `pulumi:"dnsTreeName,optional"`

	// NetBIOSName is the domain's short name, CONTOSO for example, of at most 15
	// characters (https://learn.microsoft.com/troubleshoot/windows-server/active-directory/naming-conventions-for-computer-domain-site-ou).
	// Required.
	NetBIOSName string `pulumi:"netBIOSName"`

	// SID is the domain's: DomainSID of Get-ADDomain, S-1-5-21 and three numbers. That of
	// an account has a fourth one, which is left out. Required.
	SID string `pulumi:"sid"`

	// GUID is the domain's: ObjectGUID of Get-ADDomain,
	// 244818ae-87ac-4fcd-92ec-e79e5252348a for example, in upper or lower case. Required.
	GUID string `pulumi:"guid"`
}

// join returns the domain in the form of a specification, with one of its accounts.
func (d Domain) join(account string) credspec.DomainJoinConfig {
	return credspec.DomainJoinConfig{
		SID: d.SID, MachineAccountName: account, GUID: d.GUID,
		DNSTreeName: cmp.Or(d.DNSTreeName, d.DNSName), DNSName: d.DNSName, NetBIOSName: d.NetBIOSName,
	}
}

func (d Domain) check(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	errs = append(errs, credspec.CheckDNSName(d.DNSName, path.Child("dnsName"))...)
	if d.DNSTreeName != "" {
		errs = append(errs, credspec.CheckDNSName(d.DNSTreeName, path.Child("dnsTreeName"))...)
	}
	errs = append(errs, credspec.CheckNetBIOSName(d.NetBIOSName, d.DNSName, path.Child("netBIOSName"))...)
	errs = append(errs, credspec.CheckSID(d.SID, path.Child("sid"))...)
	return append(errs, credspec.CheckGUID(d.GUID, path.Child("guid"))...)
}
