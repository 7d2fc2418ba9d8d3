package plan

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var licenseTypes = []string{string(NoLicense), string(WindowsServerLicense)}

var licenseUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK757", Severity: rule.Error, Title: "an unknown license type",
		Page: rulepages.AKS,
		Reason: "A value that is close to a known type is probably misspelled. Any other value may be new in Azure, " +
			"so it is a warning.",
		Source: clusterAPI,
	},
	Checks: []engine.Check{engine.On(admins, func(admin WindowsAdmin) []rule.Problem {
		license := string(admin.LicenseType)
		if license == "" || slices.Contains(licenseTypes, license) {
			return nil
		}
		return []rule.Problem{
			unknownWord("windowsAdmin.licenseType", license, "a license type", licenseTypes, licenseTypes),
		}
	})},
}

var (
	usernameMalformed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK751", Severity: rule.Error, Title: "a name that is not valid for a Windows account",
			Page: rulepages.AKS,
			Reason: "The name must have 1 to 20 characters, must not end in a period, and must not have one of the " +
				"characters that Windows reserves.",
			Source: clusterAPI + ", https://learn.microsoft.com/azure/virtual-machines/windows/faq",
		},
		Checks: []engine.Check{engine.On(admins, malformedUsername)},
	}
	usernameRefused = engine.Rule{
		Rule: rule.Rule{
			ID: "MK752", Severity: rule.Error, Title: "a name that Azure refuses for the administrator",
			Page:   rulepages.AKS,
			Reason: "Azure refuses names that are easy to guess. The name can never be changed.",
			Fix:    "use one that is less common, for example azureuser",
			Source: clusterAPI,
		},
		Checks: []engine.Check{engine.On(admins, func(admin WindowsAdmin) []rule.Problem {
			if !vm.IsCommonUsername(admin.Username) {
				return nil
			}
			return []rule.Problem{{
				Path: "windowsAdmin.username", Value: admin.Username, Detail: "Azure refuses this name",
			}}
		})},
	}
)

// malformedUsername looks at the name of the administrator. An empty name means the default.
func malformedUsername(admin WindowsAdmin) []rule.Problem {
	const path = "windowsAdmin.username"
	name := admin.Username
	var found []rule.Problem
	if n := utf8.RuneCountInString(name); n > vm.MaxUsername {
		found = append(found, rule.Problem{
			Path: path, Value: name,
			Detail: fmt.Sprintf("%d characters, and the name of a Windows account has at most %d", n, vm.MaxUsername),
			Fix:    "use a shorter one",
		})
	}
	if strings.HasSuffix(name, ".") {
		found = append(found, rule.Problem{
			Path: path, Value: name, Detail: "the name of a Windows account cannot end in a period", Fix: "remove it",
		})
	}
	if strings.ContainsAny(name, vm.RefusedInUsername) {
		found = append(found, rule.Problem{
			Path: path, Value: name, Detail: "has one of the characters " + vm.RefusedInUsername,
			Fix: "use letters and digits",
		})
	}
	return found
}

var (
	passwordMissing = engine.Rule{
		Rule: rule.Rule{
			ID: "MK753", Severity: rule.Error, Title: "no password for the administrator",
			Page: rulepages.AKS,
			Reason: "The Windows profile of a cluster can be set only when the cluster is created, so a cluster that " +
				"is created without Windows pools needs it too.",
			Fix:       "set one, as a secret",
			Source:    windowsFAQPage,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(passwords, func(p adminPassword) []rule.Problem {
			if tree.Reveal(p.text) != nil {
				return nil
			}
			return []rule.Problem{{
				Path: "windowsAdmin.password",
				Detail: "required when the cluster is created, even without Windows pools: without it, the cluster " +
					"can never get Windows pools",
			}}
		})},
	}
	passwordLength = engine.Rule{
		Rule: rule.Rule{
			ID: "MK754", Severity: rule.Error, Title: "the password is too short or too long",
			Page: rulepages.AKS,
			Reason: "The password must have 14 to 123 characters. The reference of the API says 8, but the API " +
				"itself refuses fewer than 14.",
			Fix:    "use another",
			Source: aks + "learn/quick-windows-container-deploy-cli, https://github.com/microsoft/bedrock/issues/1452",
		},
		Checks: []engine.Check{wrongPassword(func(password string) bool {
			n := utf8.RuneCountInString(password)
			return n < facts.AKSPassword || n > vm.MaxPassword
		}, fmt.Sprintf("must have %d to %d characters", facts.AKSPassword, vm.MaxPassword))},
	}
	passwordTooPlain = engine.Rule{
		Rule: rule.Rule{
			ID: "MK755", Severity: rule.Error, Title: "too few kinds of characters in the password",
			Page: rulepages.AKS,
			Reason: "The password must have at least three kinds of characters: lower-case letters, upper-case " +
				"letters, digits, special characters.",
			Fix:    "use another",
			Source: clusterAPI,
		},
		Checks: []engine.Check{wrongPassword(func(password string) bool {
			return vm.KindsOfCharacters(password) < vm.MinKinds
		}, "must have characters of at least three kinds: lower-case letters, upper-case letters, digits, special "+
			"characters")},
	}
	passwordRefused = engine.Rule{
		Rule: rule.Rule{
			ID: "MK756", Severity: rule.Error, Title: "a password that Azure refuses",
			Page:   rulepages.AKS,
			Reason: "Azure refuses passwords that are easy to guess.",
			Fix:    "use another",
			Source: clusterAPI,
		},
		Checks: []engine.Check{wrongPassword(vm.IsCommonPassword, "Azure refuses passwords that are easy to guess")},
	}
)

// wrongPassword returns the check of a password that is known. Its problem says which requirement fails, and nothing
// about the password itself: neither its length nor the kinds of characters that it has.
func wrongPassword(wrong func(password string) bool, detail string) engine.Check {
	return engine.On(passwords, func(p adminPassword) []rule.Problem {
		text, known := tree.Reveal(p.text).(string)
		if !known || !wrong(text) {
			return nil
		}
		return []rule.Problem{{Path: "windowsAdmin.password", Value: tree.Secret{}, Detail: detail}}
	})
}

var (
	gmsaDomainMalformed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK750", Severity: rule.Error, Title: "an address or a domain name for gMSA that is not valid",
			Page:      rulepages.AKS,
			Reason:    "The DNS server is an IP address, and the root domain is a DNS name.",
			Source:    gmsaPage,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(admins, malformedDomain)},
	}
	gmsaDomainIncomplete = engine.Rule{
		Rule: rule.Rule{
			ID: "MK758", Severity: rule.Error, Title: "an incomplete domain for gMSA",
			Page: rulepages.AKS,
			Reason: "Set both the DNS server and the name of the root domain, or neither if the virtual network's " +
				"own DNS server serves the domain.",
			Fix:    "set both, or neither if the virtual network's own DNS server serves the domain",
			Source: gmsaPage,
		},
		Checks: []engine.Check{engine.On(admins, incompleteDomain)},
	}
	gmsaNotEnabled = engine.Rule{
		Rule: rule.Rule{
			ID: "MK759", Severity: rule.Error, Title: "a domain for gMSA that is not enabled",
			Page:   rulepages.AKS,
			Reason: "Azure uses the DNS server and the root domain only if gMSA is enabled.",
			Fix:    "set it to true, or remove the domain",
			Source: gmsaPage,
		},
		Checks: []engine.Check{engine.On(admins, func(admin WindowsAdmin) []rule.Problem {
			if g := admin.GMSA; g.Enabled || g.DNSServer == "" && g.RootDomainName == "" {
				return nil
			}
			return []rule.Problem{{
				Path: "windowsAdmin.gmsa.enabled", Value: false,
				Detail: "a domain is set, which has no effect without gMSA",
			}}
		})},
	}
)

func malformedDomain(admin WindowsAdmin) []rule.Problem {
	g := admin.GMSA
	var found []rule.Problem
	if address, err := netip.ParseAddr(g.DNSServer); g.DNSServer != "" && (err != nil || address.Zone() != "") {
		found = append(found, rule.Problem{
			Path: "windowsAdmin.gmsa.dnsServer", Value: g.DNSServer, Detail: "not an IP address",
			Fix: "use, for example, 10.0.0.4",
		})
	}
	if g.RootDomainName != "" && len(validation.IsDNS1123Subdomain(strings.ToLower(g.RootDomainName))) > 0 {
		found = append(found, rule.Problem{
			Path: "windowsAdmin.gmsa.rootDomainName", Value: g.RootDomainName, Detail: "not the DNS name of a domain",
			Fix: "use, for example, contoso.com",
		})
	}
	return found
}

func incompleteDomain(admin WindowsAdmin) []rule.Problem {
	var missing, configured string
	switch g := admin.GMSA; {
	case g.DNSServer != "" && g.RootDomainName == "":
		missing, configured = "rootDomainName", "dnsServer"
	case g.DNSServer == "" && g.RootDomainName != "":
		missing, configured = "dnsServer", "rootDomainName"
	default:
		return nil
	}
	return []rule.Problem{{Path: "windowsAdmin.gmsa." + missing, Detail: "required together with " + configured}}
}
