package azure

import (
	"fmt"
	"net/netip"
)

func (c *check) apiServer(a APIServer) {
	const at = "apiServer.authorizedIPRanges"
	if a.Private && len(a.AuthorizedIPRanges) > 0 {
		c.report("MK761", problem{path: at, detail: "a private API server has no public address to protect", fix: "remove them, or private"})
	}
	for i, r := range a.AuthorizedIPRanges {
		if !isRange(r) {
			c.report("MK762", problem{
				path: fmt.Sprintf("%s[%d]", at, i), value: r, detail: "neither an IP address nor a CIDR", fix: "write 203.0.113.7 or 203.0.113.0/24",
			})
		}
	}
	if a.DisableLocalAccounts && option(c.options, "aadProfile") == nil {
		c.report("MK763", problem{
			path: "apiServer.disableLocalAccounts", value: true, detail: "without local accounts nobody can log in but through Microsoft Entra ID",
			fix: "give options.aadProfile, or remove it",
		})
	}
}

func isRange(s string) bool {
	if _, err := netip.ParsePrefix(s); err == nil {
		return true
	}
	address, err := netip.ParseAddr(s)
	return err == nil && address.Zone() == ""
}
