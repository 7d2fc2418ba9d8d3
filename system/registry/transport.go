package registry

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/mixedkube/mixedkube/internal/system/hosts"
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
	errLocal    = errors.New("an address of this machine")
	errPassword = errors.New("credentials for a host of another domain")
)

// limited sends the requests about one image, within the limits.
type limited struct {
	inner http.RoundTripper
	// registry is the registry, with its port if it has one, and host its name.
	registry, host string
	// local is true if the registry is on this machine, and may get requests without encryption.
	local           bool
	requests, bytes atomic.Int64
}

func newLimited(inner http.RoundTripper, registry string) *limited {
	if inner == nil {
		inner = guarded()
	}
	host, _, err := net.SplitHostPort(registry)
	if err != nil {
		host = registry
	}
	return &limited{inner: inner, registry: registry, host: host, local: hosts.IsLoopback(host)}
}

// guarded returns the transport of go-containerregistry, except that it does not connect to metadata services. All
// lookups share its connections.
var guarded = sync.OnceValue(func() http.RoundTripper {
	return hosts.Transport(remote.DefaultTransport.(*http.Transport), dialTimeout)
})

// dialTimeout is as long as in go-containerregistry's transport.
const dialTimeout = 5 * time.Second

// RoundTrip implements [http.RoundTripper].
func (l *limited) RoundTrip(request *http.Request) (*http.Response, error) {
	request, err := l.allowed(request)
	if err != nil {
		return nil, err
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

// allowed returns a request as it may be sent. A registry names other hosts: for tokens, and in redirects. They get no
// credentials, unless they have the registry's domain, as auth.docker.io has.
func (l *limited) allowed(request *http.Request) (*http.Request, error) {
	host := request.URL.Hostname()
	onThisMachine := hosts.IsLoopback(host)
	switch {
	case request.URL.Scheme != "https" && (!l.local || !onThisMachine):
		return nil, errPlain
	case onThisMachine && host != l.host:
		return nil, errLocal
	case request.URL.Host == l.registry, !onThisMachine && hosts.Related(host, l.host):
		return request, hosts.Check(request.URL)
	case request.Method != http.MethodGet && request.Method != http.MethodHead:
		return nil, errPassword // in the body
	}
	request = request.Clone(request.Context())
	request.Header.Del("Authorization")
	return request, hosts.Check(request.URL)
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
