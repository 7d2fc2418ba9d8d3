package examples

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// adminExamples are examples of the Windows administrator.
var adminExamples = []Example{
	{
		"a long username", func(c *plan.Cluster) { c.WindowsAdmin.Username = "abcdefghijklmnopqrstu" },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "abcdefghijklmnopqrst" },
		[]string{"error: windowsAdmin.username (MK751)"},
	},
	{
		"a period at the end", func(c *plan.Cluster) { c.WindowsAdmin.Username = "shop." },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "shop.a" },
		[]string{"error: windowsAdmin.username (MK751)"},
	},
	{
		"a character that Windows reserves", func(c *plan.Cluster) { c.WindowsAdmin.Username = "sh@p" },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "sh-p" },
		[]string{"error: windowsAdmin.username (MK751)"},
	},
	{
		"a refused username", func(c *plan.Cluster) { c.WindowsAdmin.Username = "Administrator" },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "" },
		[]string{"error: windowsAdmin.username (MK752)"},
	},
	{
		"no password, and no Windows pools", Both(LinuxOnly, func(c *plan.Cluster) { c.WindowsAdmin.Password = nil }),
		func(c *plan.Cluster) { c.WindowsAdmin.Password = tree.Secret{Value: tree.Unknown{}} },
		[]string{"error: windowsAdmin.password (MK753)"},
	},
	{
		"a short password", Password("Abcdefghijkl1"), Password("Abcdefghijklm1"),
		[]string{"error: windowsAdmin.password (MK754)"},
	},
	{
		"a long password", Password("A1" + strings.Repeat("b", 122)), Password("A1" + strings.Repeat("b", 121)),
		[]string{"error: windowsAdmin.password (MK754)"},
	},
	{
		"two kinds of characters", Password("abcdefghijklmn1"), Password("abcdefghijklmn1_"),
		[]string{"error: windowsAdmin.password (MK755)"},
	},
	{
		"a refused password", Password("P@$$w0rd"), Password("P@$$w0rd-and-more"),
		[]string{"error: windowsAdmin.password (MK754)", "error: windowsAdmin.password (MK756)"},
	},
	{
		"a misspelled license", func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "WindowsServer" },
		func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "Windows_Server" },
		[]string{"error: windowsAdmin.licenseType (MK757)"},
	},
	{
		"a newer license", func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "Academic" },
		func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "None" },
		[]string{"warning: windowsAdmin.licenseType (MK757)"},
	},
	{
		"a DNS server alone", GMSA(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4"}), GMSA(plan.GMSA{Enabled: true}),
		[]string{"error: windowsAdmin.gmsa.rootDomainName (MK758)"},
	},
	{
		"a root domain alone", GMSA(plan.GMSA{Enabled: true, RootDomainName: "contoso.com"}),
		GMSA(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}),
		[]string{"error: windowsAdmin.gmsa.dnsServer (MK758)"},
	},
	{
		"a DNS server that is not an address",
		GMSA(plan.GMSA{Enabled: true, DNSServer: "dns; rm", RootDomainName: "contoso.com"}),
		GMSA(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "Contoso.com"}),
		[]string{"error: windowsAdmin.gmsa.dnsServer (MK750)"},
	},
	{
		"a root domain that is not a domain name",
		GMSA(plan.GMSA{Enabled: true, DNSServer: "fd00::4", RootDomainName: "$(reboot)"}), nil,
		[]string{"error: windowsAdmin.gmsa.rootDomainName (MK750)"},
	},
	{
		"a domain without gMSA", GMSA(plan.GMSA{DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}),
		GMSA(plan.GMSA{}),
		[]string{"error: windowsAdmin.gmsa.enabled (MK759)"},
	},
}

// Password returns a change of the password of the Windows nodes.
func Password(s string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.WindowsAdmin.Password = s }
}

// GMSA returns a change of the use of group managed service accounts.
func GMSA(g plan.GMSA) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.WindowsAdmin.GMSA = g }
}
