// Package hosts decides which hosts the clients of this library send requests to: an address in a file, or in the
// answer of a server, can lead to what only this machine reaches. The clients of manifests and of registries use it.
package hosts

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/publicsuffix"
)

// wireServer is the address at which Azure serves the agents of virtual machines
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
var wireServer = netip.AddrFrom4([4]byte{168, 63, 129, 16})

// Check returns an error if an address has the IP address of a host at which clouds serve secrets to machines. Names
// are checked when a [Transport] connects. The error continues a sentence whose subject is the address.
func Check(at *url.URL) error {
	address, err := netip.ParseAddr(at.Hostname())
	if err != nil {
		return nil //nolint:nilerr // it is a name
	}
	return checkAddress(address)
}

// checkAddress refuses the addresses of metadata services and of the local link: neither files nor images are there, so
// an address that leads there is an attack or a mistake.
func checkAddress(address netip.Addr) error {
	if address = address.Unmap().WithZone(""); address.IsLinkLocalUnicast() || address == wireServer {
		return &RefusedError{address}
	}
	return nil
}

// RefusedError is the error about a host that gets no request.
type RefusedError struct{ Address netip.Addr }

// Error names the address.
func (e *RefusedError) Error() string {
	return fmt.Sprintf(
		"leads to %s, an address of a cloud's metadata or of the local link: use another address",
		e.Address,
	)
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.Unmap().IsLoopback()
}

// Transport returns a copy of a transport that connects only to hosts that [Check] accepts, whatever the addresses of a
// name are. Behind a proxy, the proxy connects, and its rules decide about names.
func Transport(base *http.Transport, timeout time.Duration) *http.Transport {
	guarded := base.Clone()
	guarded.DialContext = (&net.Dialer{Timeout: timeout, Control: checkPeer}).DialContext
	return guarded
}

// checkPeer is for [net.Dialer].
func checkPeer(_, address string, _ syscall.RawConn) error {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return checkAddress(peer.Addr())
}

// Related reports whether two hosts are the same, or have the same registrable domain: the owner of the domain decides
// on both (https://publicsuffix.org/).
func Related(one, other string) bool {
	if strings.EqualFold(one, other) {
		return true
	}
	if isAddress(one) || isAddress(other) {
		return false
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(one))
	otherDomain, otherErr := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(other))
	return err == nil && otherErr == nil && domain == otherDomain
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}
