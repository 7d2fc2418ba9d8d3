package apiserver

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// Keys are the keys of the certificate authority of a simulated machine.
type Keys struct {
	// CACert and CAKey are the contents of ca.crt and ca.key, in PEM.
	CACert, CAKey string
}

// Options configure a proxy.
type Options struct {
	// Resolve reports whether an address (host:port) belongs to simulated machines, and with which keys an API server
	// answers there. The proxy calls it for every address, and returns its error to the client. While there are
	// connections to simulated machines, the proxy calls it again and again: when a machine has other keys, its API
	// server completes its requests and ends, with these connections.
	Resolve func(ctx context.Context, address string) (keys Keys, simulated bool, err error)
	// Backend is the API server behind all of them. Its credentials must be allowed to impersonate every user.
	Backend *rest.Config
	// Upstream returns the proxy to use for other hosts, nil if there is none. The default is the proxy of this
	// process's environment.
	Upstream func(*url.URL) (*url.URL, error)
}

// Start starts a proxy on a port of the loopback interface. Its URL has a user and a random password, and the proxy
// refuses clients without them: other users of this machine can reach the port, too. The proxy works until stop is
// called, even if ctx ends first: its clients may still have to clean up. stop closes all of its connections.
func (o Options) Start(ctx context.Context) (proxyURL string, stop func(), err error) {
	if o.Upstream == nil {
		o.Upstream = func(to *url.URL) (*url.URL, error) { return http.ProxyFromEnvironment(&http.Request{URL: to}) }
	}
	p := &proxy{Options: o, user: url.UserPassword("lab", rand.Text())}
	backend, err := newBackend(o.Backend, p.dialBackend)
	if err != nil {
		return "", nil, fmt.Errorf("the proxy for simulated machines: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("the proxy for simulated machines: %w", err)
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	p.machines = machines{backend: backend, life: life, running: map[string]*machine{}}
	p.plain = &httputil.ReverseProxy{
		Rewrite: func(*httputil.ProxyRequest) {},
		Transport: &http.Transport{
			Proxy:             func(r *http.Request) (*url.URL, error) { return o.Upstream(r.URL) },
			DisableKeepAlives: true,
		},
		ErrorLog: quiet, FlushInterval: -1,
	}
	server := &http.Server{Handler: p, ErrorLog: quiet, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	go p.watchKeys(life)
	at := url.URL{Scheme: "http", User: p.user, Host: listener.Addr().String()}
	return at.String(), func() {
		end()
		_ = server.Close()
		p.conns.close()
	}, nil
}

// quiet discards the messages of servers that would report each client that hangs up.
var quiet = log.New(io.Discard, "", 0)

type proxy struct {
	Options
	user     *url.Userinfo
	machines machines
	// plain answers requests that are not encrypted.
	plain http.Handler
	// conns are the connections that no longer belong to the server.
	conns conns
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	isForOthers := r.Method == http.MethodConnect || r.URL.Host != ""
	switch {
	case isForOthers && !p.knows(r):
		w.Header().Set("Proxy-Authenticate", `Basic realm="the lab's proxy"`)
		http.Error(w, "this proxy is for the commands of its lab", http.StatusProxyAuthRequired)
	case r.Method == http.MethodConnect:
		p.connect(w, r)
	case isForOthers:
		// p.plain does not forward the password: Proxy-Authorization applies to one connection.
		p.plain.ServeHTTP(w, r)
	default:
		http.Error(w, "this is a proxy: set HTTPS_PROXY to its address", http.StatusBadRequest)
	}
}

// knows reports whether a request has the proxy's user and password.
func (p *proxy) knows(r *http.Request) bool {
	sent := []byte(r.Header.Get(proxyAuthorization))
	return subtle.ConstantTimeCompare(sent, []byte(basic(p.user))) == 1
}

// connect connects the client to an address.
func (p *proxy) connect(w http.ResponseWriter, r *http.Request) {
	keys, simulated, err := p.Resolve(r.Context(), r.Host)
	switch {
	case err != nil:
		refuse(w, err)
	case simulated:
		p.connectMachine(w, r.Host, keys)
	default:
		p.connectHost(r.Context(), w, r.Host)
	}
}

func (p *proxy) connectMachine(w http.ResponseWriter, address string, keys Keys) {
	machine, err := p.machines.at(address, keys)
	if err != nil {
		refuse(w, fmt.Errorf("no API server starts at %s: %w", address, err))
		return
	}
	near, err := p.accept(w)
	if err != nil {
		return
	}
	near.serve(machine)
}

// connectHost connects to hosts that are not simulated.
func (p *proxy) connectHost(ctx context.Context, w http.ResponseWriter, address string) {
	far, err := p.dial(ctx, address)
	if err != nil {
		refuse(w, err)
		return
	}
	defer func() { _ = far.Close() }()
	near, err := p.accept(w)
	if err != nil {
		return
	}
	defer func() { _ = near.Close() }()
	tunnel(near, far)
}

// accept tells the client that it is connected, and takes the connection over from the server.
func (p *proxy) accept(w http.ResponseWriter) (*conn, error) {
	c, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	near, err := p.conns.add(c, buffered.Reader)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return nil, errors.Join(err, near.Close())
	}
	return near, nil
}

// refuse puts the reason into the status line, which is the part that Go's clients show.
func refuse(w http.ResponseWriter, reason error) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = c.Close() }()
	text := strings.Join(strings.Fields(reason.Error()), " ")
	_, _ = fmt.Fprintf(c,
		"HTTP/1.1 502 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: "+
			"close\r\n\r\n%s\n",
		text, len(text)+1, text)
}
