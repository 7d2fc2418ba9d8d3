package plan

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var licenseTypes = []string{string(NoLicense), string(WindowsServerLicense)}

var licenseUnknown = rule.Rule{
	ID: "MK757", Severity: rule.Error, Title: "an unknown license type",
	Reason: "A value that is close to a known type is probably misspelled. Any other value may be new in Azure, so " +
		"it is a warning.",
	Source: clusterAPI,
}

func (c *check) windowsAdmin(admin WindowsAdmin) {
	const at = "windowsAdmin."
	c.username(at+"username", admin.Username)
	c.password(at+"password", admin.Password)
	if license := string(admin.LicenseType); license != "" && !slices.Contains(licenseTypes, license) {
		c.Report(licenseUnknown, unknownWord(at+"licenseType", license, "a license type", licenseTypes, licenseTypes))
	}
	c.gmsa(at+"gmsa.", admin.GMSA)
}

var (
	usernameMalformed = rule.Rule{
		ID: "MK751", Severity: rule.Error, Title: "a name that is not valid for a Windows account",
		Reason: "The name must have 1 to 20 characters, must not end in a period, and must not have one of the " +
			"characters that Windows reserves.",
		Source: clusterAPI + ", https://learn.microsoft.com/azure/virtual-machines/windows/faq",
	}
	usernameRefused = rule.Rule{
		ID: "MK752", Severity: rule.Error, Title: "a name that Azure refuses for the administrator",
		Reason: "Azure refuses names that are easy to guess. The name can never be changed.",
		Source: clusterAPI,
	}
)

// username checks the name of the administrator. An empty name means the default.
func (c *check) username(path, name string) {
	if n := utf8.RuneCountInString(name); n > vm.MaxUsername {
		c.Report(usernameMalformed, rule.Problem{
			Path: path, Value: name,
			Detail: fmt.Sprintf("%d characters, and the name of a Windows account has at most %d", n, vm.MaxUsername),
			Fix:    "use a shorter one",
		})
	}
	if strings.HasSuffix(name, ".") {
		c.Report(usernameMalformed,
			rule.Problem{
				Path: path, Value: name, Detail: "the name of a Windows account cannot end in a period",
				Fix: "remove it",
			})
	}
	if strings.ContainsAny(name, vm.RefusedInUsername) {
		c.Report(usernameMalformed, rule.Problem{
			Path: path, Value: name, Detail: "has one of the characters " + vm.RefusedInUsername,
			Fix: "use letters and digits",
		})
	}
	if vm.IsCommonUsername(name) {
		c.Report(usernameRefused,
			rule.Problem{
				Path: path, Value: name, Detail: "Azure refuses this name",
				Fix: "use one that is less common, for example azureuser",
			})
	}
}

// minPassword is the minimum length of the password, which is longer than for other machines in Azure.
const minPassword = 14

// CheckPassword checks an administrator's password that becomes known only after the cluster was checked.
func CheckPassword(password string) []rule.Finding {
	c := &check{}
	c.password("windowsAdmin.password", password)
	return c.result()
}

var (
	passwordMissing = rule.Rule{
		ID: "MK753", Severity: rule.Error, Title: "no password for the administrator",
		Reason: "The Windows profile of a cluster can be set only when the cluster is created, so a cluster that " +
			"is created without Windows pools needs it too.",
		Source:    windowsFAQPage,
		Mandatory: true,
	}
	passwordLength = rule.Rule{
		ID: "MK754", Severity: rule.Error, Title: "the password is too short or too long",
		Reason: "The password must have 14 to 123 characters. The reference of the API says 8, but the API itself " +
			"refuses fewer than 14.",
		Source: aks + "learn/quick-windows-container-deploy-cli, https://github.com/microsoft/bedrock/issues/1452",
	}
	passwordTooPlain = rule.Rule{
		ID: "MK755", Severity: rule.Error, Title: "too few kinds of characters in the password",
		Reason: "The password must have at least three kinds of characters: lower-case letters, upper-case letters, " +
			"digits, special characters.",
		Source: clusterAPI,
	}
	passwordRefused = rule.Rule{
		ID: "MK756", Severity: rule.Error, Title: "a password that Azure refuses",
		Reason: "Azure refuses passwords that are easy to guess.",
		Source: clusterAPI,
	}
)

// password reports which requirement fails, and nothing about the password itself: neither its length nor the kinds of
// characters that it has.
func (c *check) password(path string, v any) {
	v = tree.Reveal(v)
	if v == nil {
		c.Report(passwordMissing, rule.Problem{
			Path: path, Detail: "required when the cluster is created, even without Windows pools: without it, the " +
				"cluster can never get Windows pools",
			Fix: "set one, as a secret",
		})
		return
	}
	password, known := v.(string)
	if !known {
		return
	}
	wrong := func(broken rule.Rule, detail, fix string) {
		c.Report(broken, rule.Problem{Path: path, Value: tree.Secret{}, Detail: detail, Fix: fix})
	}
	if n := utf8.RuneCountInString(password); n < minPassword || n > vm.MaxPassword {
		wrong(passwordLength,
			fmt.Sprintf("must have %d to %d characters", minPassword, vm.MaxPassword), "use another")
	}
	if vm.KindsOfCharacters(password) < vm.MinKinds {
		wrong(passwordTooPlain,
			"must have characters of at least three kinds: lower-case letters, upper-case letters, digits, special "+
				"characters",
			"use another")
	}
	if vm.IsCommonPassword(password) {
		wrong(passwordRefused, "Azure refuses passwords that are easy to guess", "use another")
	}
}

var (
	gmsaDomainMalformed = rule.Rule{
		ID: "MK750", Severity: rule.Error, Title: "an address or a domain name for gMSA that is not valid",
		Reason:    "The DNS server is an IP address, and the root domain is a DNS name.",
		Source:    gmsaPage,
		Mandatory: true,
	}
	gmsaDomainIncomplete = rule.Rule{
		ID: "MK758", Severity: rule.Error, Title: "an incomplete domain for gMSA",
		Reason: "Set both the DNS server and the name of the root domain, or neither if the virtual network's own " +
			"DNS server serves the domain.",
		Source: gmsaPage,
	}
	gmsaNotEnabled = rule.Rule{
		ID: "MK759", Severity: rule.Error, Title: "a domain for gMSA that is not enabled",
		Reason: "Azure uses the DNS server and the root domain only if gMSA is enabled.",
		Source: gmsaPage,
	}
)

func (c *check) gmsa(at string, g GMSA) {
	missing, configured := "", ""
	switch {
	case g.DNSServer != "" && g.RootDomainName == "":
		missing, configured = "rootDomainName", "dnsServer"
	case g.DNSServer == "" && g.RootDomainName != "":
		missing, configured = "dnsServer", "rootDomainName"
	}
	if missing != "" {
		c.Report(gmsaDomainIncomplete, rule.Problem{
			Path: at + missing, Detail: "required together with " + configured,
			Fix: "set both, or neither if the virtual network's own DNS server serves the domain",
		})
	}
	if address, err := netip.ParseAddr(g.DNSServer); g.DNSServer != "" && (err != nil || address.Zone() != "") {
		c.Report(gmsaDomainMalformed,
			rule.Problem{
				Path: at + "dnsServer", Value: g.DNSServer, Detail: "not an IP address",
				Fix: "use, for example, 10.0.0.4",
			})
	}
	if g.RootDomainName != "" && len(validation.IsDNS1123Subdomain(strings.ToLower(g.RootDomainName))) > 0 {
		c.Report(gmsaDomainMalformed,
			rule.Problem{
				Path: at + "rootDomainName", Value: g.RootDomainName, Detail: "not the DNS name of a domain",
				Fix: "use, for example, contoso.com",
			})
	}
	if !g.Enabled && (g.DNSServer != "" || g.RootDomainName != "") {
		c.Report(gmsaNotEnabled,
			rule.Problem{
				Path: at + "enabled", Value: false, Detail: "a domain is set, which has no effect without gMSA",
				Fix: "set it to true, or remove the domain",
			})
	}
}
