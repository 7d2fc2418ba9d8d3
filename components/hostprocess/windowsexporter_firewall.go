package hostprocess

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// PrivateSources returns the addresses that no host of the internet has, for IPv4 (RFC 1918,
// and RFC 6598, which some clusters use for pods) and IPv6 (RFC 4193), and the networks
// that a node is in.
func PrivateSources() []string {
	return []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", localSubnet}
}

// The keywords for remote addresses that are taken
// (https://learn.microsoft.com/powershell/module/netsecurity/new-netfirewallrule#-remoteaddress).
const (
	localSubnet = "LocalSubnet"
	anySource   = "Any"
)

// checkSources takes what needs no quoting in a script.
func checkSources(sources []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, source := range sources {
		if detail := wrongSource(source); detail != "" {
			errs = append(errs, field.Invalid(path.Index(i), source, detail))
		}
	}
	return errs
}

// wrongSource returns what is wrong with a source, "" if it is valid.
func wrongSource(source string) string {
	if source == localSubnet || source == anySource {
		return ""
	}
	if a, err := netip.ParseAddr(source); err == nil && a.Zone() == "" {
		return ""
	}
	prefix, err := netip.ParsePrefix(source)
	switch {
	case err != nil:
		return "is neither an address nor a range of addresses: write 10.0.0.0/16 for example, LocalSubnet or Any"
	case prefix.Bits() == 0:
		return "allows everyone: write Any"
	case prefix != prefix.Masked():
		return fmt.Sprintf("has host bits set: write %s", prefix.Masked())
	}
	return ""
}

// openPort opens the port for the sources, once: without a fixed name each start would add
// another rule. An existing rule gets the sources too, because they may have changed.
func (a *WindowsExporterArgs) openPort() string {
	sources := slices.Clone(a.AllowedSources)
	if len(sources) == 0 {
		sources = PrivateSources()
	}
	for i, source := range sources {
		sources[i] = "'" + source + "'"
	}
	return fmt.Sprintf("$ErrorActionPreference = 'Stop'; $sources = @(%[3]s); "+
		"if (Get-NetFirewallRule -Name %[1]s -ErrorAction SilentlyContinue) "+
		"{ Set-NetFirewallRule -Name %[1]s -RemoteAddress $sources } else "+
		"{ New-NetFirewallRule -Name %[1]s -DisplayName %[1]s -Direction Inbound -Profile Any -Action Allow -Protocol "+
		"TCP -LocalPort %[2]d -RemoteAddress $sources | Out-Null }",
		windowsExporterName, windowsExporterPort, strings.Join(sources, ", "))
}
