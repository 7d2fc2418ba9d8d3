package manifests

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// patience is how long an address may take to answer.
const patience = time.Minute

// maxRedirects is how many redirects are followed, as many as Go's client follows.
const maxRedirects = 10

// hashPrefix begins the fragment of an address that says what its content is.
const hashPrefix = "sha256="

func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// named is an address without what may be secret in it.
func named(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, _ := strings.Cut(address, "://")
		return scheme + "://…" // nobody knows what is what in it
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

// fetcher reads addresses.
type fetcher struct {
	// roots are the authorities that servers' certificates are checked with: nil is the
	// system's.
	roots *x509.CertPool
}

// fetch reads an address. What the address says about the content, #sha256=…, is compared
// before anything looks at it. Like [Read], it reads one byte more than [ReadYAML] takes.
func (f fetcher) fetch(ctx context.Context, address string) ([]byte, error) {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" {
		// The parser's own words have parts of the address.
		return nil, errors.New("is not an address: write https://host/path, with %XX for what is special in it")
	}
	want, err := wantedHash(at.Fragment)
	if err != nil {
		return nil, err
	}
	if err := checkTarget(at); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, errors.New("is not an address: write https://host/path")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	transport.DialContext = (&net.Dialer{Timeout: patience, Control: checkPeer}).DialContext
	if f.roots != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: f.roots, MinVersion: tls.VersionTLS12}
	}
	response, err := (&http.Client{Transport: transport, CheckRedirect: checkRedirect}).Do(request)
	if err != nil {
		return nil, errors.Unwrap(err) // the address is said already
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, MaxFileSize+1))
	if err != nil || want == nil {
		return text, err
	}
	if len(text) > MaxFileSize {
		return nil, fmt.Errorf(tooLarge, MaxFileSize>>20)
	}
	if got := sha256.Sum256(text); !bytes.Equal(got[:], want) {
		return nil, fmt.Errorf("the SHA-256 of the content is %x, and the address says %x: see what has changed "+
			"there, and write the new hash if you trust it", got, want)
	}
	return text, nil
}

// wantedHash is what the fragment of an address says, nil for none. The fragment is not
// repeated in the error: in another place it would be a secret.
func wantedHash(fragment string) ([]byte, error) {
	if fragment == "" {
		return nil, nil
	}
	text, ok := strings.CutPrefix(fragment, hashPrefix)
	hash, err := hex.DecodeString(text)
	if !ok || err != nil || len(hash) != sha256.Size {
		return nil, errors.New("has a fragment that is not a hash: write #sha256= and 64 hexadecimal digits, " +
			"or remove what begins with #")
	}
	return hash, nil
}

// checkTarget reports whether an address may be asked: what comes without TLS, anybody on the
// way can replace.
func checkTarget(at *url.URL) error {
	if at.Scheme != "https" && !isLoopback(at) {
		return errors.New("is not encrypted, so that anybody on the way can replace the manifests: " +
			"use https://, or save them as a file")
	}
	address, err := netip.ParseAddr(at.Hostname())
	if err != nil {
		return nil //nolint:nilerr // it is a name, whose addresses [checkPeer] sees
	}
	return checkAddress(address)
}

func isLoopback(at *url.URL) bool {
	address, err := netip.ParseAddr(at.Hostname())
	return at.Hostname() == "localhost" || err == nil && address.Unmap().IsLoopback()
}

// checkRedirect is for [http.Client]: next is the request after those in via.
func checkRedirect(next *http.Request, via []*http.Request) error {
	// It has the query of the address before, which may be a secret.
	next.Header.Del("Referer")
	to := named(next.URL.String())
	if len(via) >= maxRedirects {
		return fmt.Errorf("more than %d redirects, the last one to %s: use the address where the manifests are",
			maxRedirects, to)
	}
	if next.URL.Scheme != "https" && via[len(via)-1].URL.Scheme == "https" {
		return fmt.Errorf("is redirected to %s, which is not encrypted: use an address that stays with https://", to)
	}
	if err := checkTarget(next.URL); err != nil {
		return fmt.Errorf("is redirected to %s, which %w", to, err)
	}
	return nil
}

// wireServer is the address at which Azure serves agents of its machines
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
var wireServer = netip.AddrFrom4([4]byte{168, 63, 129, 16})

// checkAddress refuses addresses at which clouds tell machines their secrets. They serve
// no manifests, so whoever leads there wants something else.
func checkAddress(address netip.Addr) error {
	if address = address.Unmap(); address.IsLinkLocalUnicast() || address == wireServer {
		return fmt.Errorf("leads to %s, an address of a cloud's metadata or of the local link: "+
			"manifests are read from other addresses only", address)
	}
	return nil
}

// checkPeer is for [net.Dialer]: it sees the addresses of names.
func checkPeer(_, address string, _ syscall.RawConn) error {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return checkAddress(peer.Addr().WithZone(""))
}
