package registry

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"

	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// These are the limits for the answers of a registry.
const (
	// MaxAnswer is the size of one answer in bytes. Registries accept manifests and indexes of this size:
	// https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pushing-manifests.
	MaxAnswer = 4 << 20
	// MaxTotal is the size of all answers about an image in bytes.
	MaxTotal = 32 << 20
	// MaxRequests is the number of requests about an image, including redirections and those for tokens.
	MaxRequests = 400
	// MaxPlatforms is the number of manifests of an image.
	MaxPlatforms = 100
)

var (
	errAnswer   = errors.New("an answer of more than 4 MiB")
	errTotal    = errors.New("answers of more than 32 MiB together")
	errRequests = errors.New("more than 400 requests for one image")
	errPlain    = errors.New("an address without encryption")
)

// limited sends the requests about one image, within the limits.
type limited struct {
	inner http.RoundTripper
	// local is true if the registry is on this machine, and may get requests without encryption.
	local           bool
	requests, bytes atomic.Int64
}

func newLimited(inner http.RoundTripper, registry string) *limited {
	if inner == nil {
		inner = remote.DefaultTransport
	}
	host, _, err := net.SplitHostPort(registry)
	if err != nil {
		host = registry
	}
	return &limited{inner: inner, local: loopback(host)}
}

// RoundTrip implements [http.RoundTripper].
func (l *limited) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != "https" && (!l.local || !loopback(request.URL.Hostname())) {
		return nil, errPlain
	}
	if l.requests.Add(1) > MaxRequests {
		return nil, errRequests
	}
	response, err := l.inner.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = &body{ReadCloser: response.Body, left: MaxAnswer, total: &l.bytes}
	return response, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// body is an answer, up to the limits.
type body struct {
	io.ReadCloser
	left  int64
	total *atomic.Int64
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	total := b.total.Add(int64(n))
	var over error
	switch {
	case b.left < 0:
		over = errAnswer
	case total > MaxTotal:
		over = errTotal
	}
	return n, cmp.Or(over, err)
}
