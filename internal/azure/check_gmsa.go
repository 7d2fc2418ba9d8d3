package azure

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
	if !g.Enabled && (g.DNSServer != "" || g.RootDomainName != "") {
		c.report("MK759", problem{path: at + "enabled", value: false, detail: "a domain is given, which has no effect so", fix: "set it to true, or remove the domain"})
	}
}
