package azure

import (
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

func (c *check) gmsa(at string, g GMSA) {
	missing, given := "", ""
	switch {
	case g.DNSServer != "" && g.RootDomainName == "":
		missing, given = "rootDomainName", "dnsServer"
	case g.DNSServer == "" && g.RootDomainName != "":
		missing, given = "dnsServer", "rootDomainName"
	}
	if missing != "" {
		c.report("MK758", problem{
			path: at + missing, detail: "missing beside " + given, fix: "give both, or neither where the virtual network's own DNS server serves the domain",
		})
	}
	if address, err := netip.ParseAddr(g.DNSServer); g.DNSServer != "" && (err != nil || address.Zone() != "") {
		c.report("MK750", problem{path: at + "dnsServer", value: g.DNSServer, detail: "not an IP address", fix: "write for example 10.0.0.4"})
	}
	if g.RootDomainName != "" && len(validation.IsDNS1123Subdomain(strings.ToLower(g.RootDomainName))) > 0 {
		c.report("MK750", problem{path: at + "rootDomainName", value: g.RootDomainName, detail: "not the DNS name of a domain", fix: "write for example contoso.com"})
	}
	if !g.Enabled && (g.DNSServer != "" || g.RootDomainName != "") {
		c.report("MK759", problem{path: at + "enabled", value: false, detail: "a domain is given, which has no effect so", fix: "set it to true, or remove the domain"})
	}
}
