package network

import (
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// IsEndpoint reports whether a text is the address of an API server: a host and a port,
// api.example.com:6443 for example. The host is a name or an IPv4 address.
func IsEndpoint(s string) bool {
	host, port, ok := strings.Cut(s, ":")
	isHost := len(validation.IsDNS1123Subdomain(host)) == 0
	return ok && isHost && isPort(port) && (!looksLikeIPv4(host) || isIPv4Address(host))
}

// looksLikeIPv4 reports whether a host cannot be a name, as its last label is a number
// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
func looksLikeIPv4(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return strings.Trim(last, "0123456789") == ""
}

func isIPv4Address(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.Is4()
}

func isPort(s string) bool {
	if s == "" || s[0] == '0' || len(s) > 5 || strings.Trim(s, "0123456789") != "" {
		return false
	}
	return len(s) < 5 || s <= "65535"
}
