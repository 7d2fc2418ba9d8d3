package userfiles

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
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/hosts"
)

// fetchTimeout is how long a request may take.
const fetchTimeout = time.Minute

// maxRedirects is how many redirects are followed, as many as Go's client follows.
const maxRedirects = 10

// hashPrefix begins the fragment of an address that has the hash of its content.
const hashPrefix = "sha256="

func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// named returns an address without the parts that may be secret.
func named(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, _ := strings.Cut(address, "://")
		return scheme + "://…" // its parts cannot be told apart
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

// fetcher reads addresses.
type fetcher struct {
	// roots are the authorities that servers' certificates are checked with: nil for the system's.
	roots *x509.CertPool
}

// fetch reads an address. If the address has a hash, #sha256=…, it compares the content before anything else reads it.
// Like [Read], it reads one byte more than [manifests.ReadYAML] accepts.
func (f fetcher) fetch(ctx context.Context, address string) ([]byte, error) {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" {
		// The parser's message has parts of the address.
		return nil, errors.New("is not an address: write https://host/path, with %XX for what is special in it")
	}
	want, err := expectedHash(at.Fragment)
	if err != nil {
		return nil, err
	}
	if err := checkTarget(at); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, errors.New("is not an address: write https://host/path")
	}
	transport := hosts.Transport(http.DefaultTransport.(*http.Transport), fetchTimeout)
	transport.DisableKeepAlives = true
	if f.roots != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: f.roots, MinVersion: tls.VersionTLS12}
	}
	response, err := (&http.Client{Transport: transport, CheckRedirect: checkRedirect}).Do(request)
	if err != nil {
		return nil, errors.Unwrap(err) // the caller adds the address
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, manifests.MaxFileSize+1))
	if err != nil || want == nil {
		return text, err
	}
	if len(text) > manifests.MaxFileSize {
		return nil, manifests.ErrTooLarge
	}
	if got := sha256.Sum256(text); !bytes.Equal(got[:], want) {
		return nil, fmt.Errorf("the SHA-256 of the content is %x, and the address says %x: see what has changed "+
			"there, and write the new hash if you trust it", got, want)
	}
	return text, nil
}

// expectedHash returns the hash in the fragment of an address, nil if there is none. The error does not repeat the
// fragment: in another place it would be a secret.
func expectedHash(fragment string) ([]byte, error) {
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

// checkTarget returns an error if an address must not be requested: anyone on the network path can replace content that
// is sent without TLS.
func checkTarget(at *url.URL) error {
	if at.Scheme != "https" && !hosts.IsLoopback(at.Hostname()) {
		return errors.New("is not encrypted, so that anybody on the way can replace the manifests: " +
			"use https://, or save them as a file")
	}
	return hosts.Check(at)
}

// checkRedirect is for [http.Client]: next is the request after the ones in via.
func checkRedirect(next *http.Request, via []*http.Request) error {
	// It has the query of the previous address, which may be a secret.
	next.Header.Del("Referer")
	to := named(next.URL.String())
	if len(via) >= maxRedirects {
		return fmt.Errorf("more than %d redirects, the last one to %s: use the address where the manifests are",
			maxRedirects, to)
	}
	if next.URL.Scheme != "https" && via[len(via)-1].URL.Scheme == "https" {
		return fmt.Errorf("is redirected to %s, which is not encrypted: use an address that stays with https://", to)
	}
	if hosts.IsLoopback(next.URL.Hostname()) && !hosts.IsLoopback(via[0].URL.Hostname()) {
		return fmt.Errorf("is redirected to %s, an address of this machine: name that address itself", to)
	}
	if err := checkTarget(next.URL); err != nil {
		return fmt.Errorf("is redirected to %s, which %w", to, err)
	}
	return nil
}
