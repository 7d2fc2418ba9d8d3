package apiserver

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// machines serves the API servers of all simulated machines with one server. Each connection brings its authority.
type machines struct {
	server *http.Server
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newMachines(b *backend) *machines {
	m := &machines{conns: make(chan net.Conn), closed: make(chan struct{})}
	m.server = &http.Server{
		Handler: b, ErrorLog: quiet, ReadHeaderTimeout: time.Minute,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, authorityKey{}, c.(*tls.Conn).NetConn().(*conn).authority)
		},
	}
	go func() { _ = m.server.Serve(m) }()
	return m
}

type (
	authorityKey struct{}
	userKey      struct{}
)

// serve answers requests on a connection to a machine.
func (m *machines) serve(c *conn) {
	select {
	case m.conns <- tls.Server(c, c.authority.tls()):
	case <-m.closed:
		_ = c.Close()
	}
}

// Accept implements net.Listener.
func (m *machines) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener. The listener is not bound to any interface.
func (m *machines) Addr() net.Addr { return &net.TCPAddr{} }

// Close implements net.Listener.
func (m *machines) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

// stop shuts the server down.
func (m *machines) stop() {
	_ = m.Close()
	_ = m.server.Close()
}

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

// ServeHTTP authenticates a request and forwards it to the lab's API server on behalf of its user.
func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who, err := r.Context().Value(authorityKey{}).(*authority).user(r)
	if err != nil {
		answer(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
		return
	}
	for name := range r.Header {
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
