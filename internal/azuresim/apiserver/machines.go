package apiserver

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// machines are the API servers of simulated machines, by address. Each is a server of its own, because they end one by
// one.
type machines struct {
	backend *backend
	// life ends with the proxy.
	life    context.Context
	mutex   sync.Mutex
	running map[string]*machine
}

// machine is the API server at an address, as long as it has the same keys.
type machine struct {
	address   string
	keys      Keys
	authority *authority
	backend   *backend
	server    *http.Server
	conns     chan net.Conn
	// ending is done as soon as the server no longer accepts connections.
	ending context.Context
	end    context.CancelFunc
}

// at returns the API server at an address. A server with other keys ends.
func (m *machines) at(address string, keys Keys) (*machine, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if found := m.running[address]; found != nil {
		if found.keys == keys && found.ending.Err() == nil {
			return found, nil
		}
		found.drain(m.life)
	}
	a, err := newAuthority(keys, address)
	if err != nil {
		return nil, err
	}
	started := &machine{address: address, keys: keys, authority: a, backend: m.backend, conns: make(chan net.Conn)}
	started.ending, started.end = context.WithCancel(m.life)
	started.server = &http.Server{Handler: started, ErrorLog: quiet, ReadHeaderTimeout: time.Minute}
	go func() { _ = started.server.Serve(started) }()
	m.running[address] = started
	return started, nil
}

// drain ends the API server as kube-apiserver does when it gets SIGTERM: requests are completed, and watches end.
func (m *machine) drain(ctx context.Context) {
	if m.ending.Err() != nil {
		return
	}
	m.end()
	go func() {
		ctx, cancel := context.WithTimeout(ctx, drainTimeout)
		defer cancel()
		_ = m.server.Shutdown(ctx)
		m.close()
	}()
}

// serve answers requests on a connection.
func (m *machine) serve(c *conn) {
	select {
	case m.conns <- tls.Server(c, m.authority.tls()):
	case <-m.ending.Done():
		_ = c.Close()
	}
}

// close ends the API server with all of its connections.
func (m *machine) close() {
	m.end()
	_ = m.server.Close()
}

// ServeHTTP implements http.Handler.
func (m *machine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if isLongRunning(r) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		//nolint:contextcheck // the request has its own context, and ends with the server's, too
		defer context.AfterFunc(m.ending, cancel)()
		r = r.WithContext(ctx)
	}
	m.backend.serve(w, r, m.authority)
}

// isLongRunning reports whether a request lasts until somebody ends it: a watch, the log of a running container, or
// exec, attach and port-forward, which change the protocol.
func isLongRunning(r *http.Request) bool {
	query := r.URL.Query()
	watch, _ := strconv.ParseBool(query.Get("watch"))
	follow, _ := strconv.ParseBool(query.Get("follow"))
	return watch || follow || r.Header.Get("Upgrade") != ""
}

// Accept implements net.Listener.
func (m *machine) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.ending.Done():
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener. The listener is not bound to any interface.
func (m *machine) Addr() net.Addr { return &net.TCPAddr{} }

// Close implements net.Listener.
func (m *machine) Close() error {
	m.end()
	return nil
}

type userKey struct{}

// backend forwards requests to the API server of the lab.
type backend struct{ forward *httputil.ReverseProxy }

func newBackend(
	config *rest.Config, dial func(ctx context.Context, network, address string) (net.Conn, error),
) (*backend, error) {
	config = rest.CopyConfig(config)
	config.Impersonate = rest.ImpersonationConfig{}
	// The API server is on this machine: use no proxy.
	config.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	config.Dial = dial
	to, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	return &backend{&httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { impersonate(r, to) },
		Transport:     transport,
		FlushInterval: -1, // for watches
		ErrorLog:      quiet,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, fmt.Sprintf("the lab's API server does not answer: %v", err), http.StatusBadGateway)
		},
	}}, nil
}

// serve authenticates a request and forwards it to the lab's API server on behalf of its user.
func (b *backend) serve(w http.ResponseWriter, r *http.Request, a *authority) {
	who, err := a.user(r)
	if err != nil {
		answer(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if strings.HasPrefix(name, "Impersonate-") {
			answer(w, http.StatusForbidden, metav1.StatusReasonForbidden,
				fmt.Sprintf("the lab does not look up whom %s may impersonate: remove the header %s", who.name, name))
			return
		}
	}
	b.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, who)))
}

// impersonate runs after the headers that the client's Connection header names have been removed: Connection could name
// these.
func impersonate(r *httputil.ProxyRequest, to *url.URL) {
	r.SetURL(to)
	who := r.In.Context().Value(userKey{}).(user)
	for name := range r.Out.Header {
		if name == "Authorization" || strings.HasPrefix(name, "X-Remote-") {
			r.Out.Header.Del(name)
		}
	}
	r.Out.Header.Set("Impersonate-User", who.name)
	r.Out.Header["Impersonate-Group"] = who.groups
}

// answer writes a refusal in the form that kube-apiserver uses.
func answer(w http.ResponseWriter, code int32, reason metav1.StatusReason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Message: message, Reason: reason, Code: code,
	})
}
