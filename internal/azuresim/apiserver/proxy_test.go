package apiserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/azuresim/apiserver"
)

// site returns a host that is not simulated.
func site(t *testing.T, start func(*httptest.Server)) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "hello to "+r.URL.Path)
	}))
	start(s)
	t.Cleanup(s.Close)
	return s
}

// get requests a site through a proxy.
func get(t *testing.T, proxy *url.URL, s *httptest.Server, to string) (string, error) {
	t.Helper()
	client := s.Client()
	if client.Transport == nil {
		client.Transport = &http.Transport{}
	}
	client.Transport.(*http.Transport).Proxy = http.ProxyURL(proxy)
	answer, err := client.Get(to)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

// relay is a proxy such as the user may have.
type relay struct {
	*httptest.Server
	requests []string
	secret   string
}

func newRelay(t *testing.T, secret string) *relay {
	t.Helper()
	r := &relay{secret: secret}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.requests = append(r.requests, request.Method+" "+request.Host)
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(r.secret))
	if r.secret != "" && request.Header.Get("Proxy-Authorization") != want {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if request.Method != http.MethodConnect {
		_, _ = io.WriteString(w, "relayed")
		return
	}
	far, err := net.Dial("tcp", request.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	near, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
	_, _ = io.Copy(near, far)
	_ = near.Close()
}

func TestOtherHostsAreReachedDirectly(t *testing.T) {
	t.Parallel()
	proxy, _ := start(t,
		apiserver.Options{Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(), Upstream: direct})
	for _, s := range []*httptest.Server{site(t, (*httptest.Server).StartTLS), site(t, (*httptest.Server).Start)} {
		if got, err := get(t, proxy, s, s.URL+"/you"); err != nil || got != "hello to /you" {
			t.Errorf("%s answers %q (%v)", s.URL, got, err)
		}
	}
}

func TestOtherHostsAreReachedByTheUsersProxy(t *testing.T) {
	t.Parallel()
	s := site(t, (*httptest.Server).StartTLS)
	host := strings.TrimPrefix(s.URL, "https://")
	relay := newRelay(t, "ann:secret")
	via := *must1(url.Parse(relay.URL))
	via.User = url.UserPassword("ann", "secret")
	proxy, _ := start(t, apiserver.Options{
		Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(),
		Upstream: func(to *url.URL) (*url.URL, error) {
			if to.String() == s.URL || to.String() == "http://plain.example.com/x" {
				return &via, nil
			}
			return nil, nil
		},
	})
	if got, err := get(t, proxy, s, s.URL+"/you"); err != nil || got != "hello to /you" {
		t.Errorf("the answer is %q (%v)", got, err)
	}
	if got, err := get(t, proxy, site(t, (*httptest.Server).Start), "http://plain.example.com/x"); err != nil ||
		got != "relayed" {
		t.Errorf("the answer is %q (%v)", got, err)
	}
	other := site(t, (*httptest.Server).StartTLS)
	if got, err := get(t, proxy, other, other.URL+"/me"); err != nil || got != "hello to /me" {
		t.Errorf("the answer is %q (%v)", got, err)
	}
	if got, want := fmt.Sprint(relay.requests), "[CONNECT "+host+" GET plain.example.com]"; got != want {
		t.Errorf("the user's proxy got %s, want %s", got, want)
	}
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTheUsersProxyMayBeSOCKS(t *testing.T) {
	t.Parallel()
	s := site(t, (*httptest.Server).StartTLS)
	listener := must1(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = listener.Close() }()
	target := make(chan string, 1)
	go func() {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		target <- socks(near)
	}()
	via := &url.URL{Scheme: "socks5", Host: listener.Addr().String()}
	proxy, _ := start(t, apiserver.Options{
		Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(),
		Upstream: func(*url.URL) (*url.URL, error) { return via, nil },
	})
	if got, err := get(t, proxy, s, s.URL+"/you"); err != nil || got != "hello to /you" {
		t.Errorf("the answer is %q (%v)", got, err)
	}
	s.CloseClientConnections()
	if got := "https://" + <-target; got != s.URL {
		t.Errorf("the user's proxy gets a request for %s, want %s", got, s.URL)
	}
}

// socks serves one connection of RFC 1928 to an IPv4 address.
func socks(near net.Conn) string {
	defer func() { _ = near.Close() }()
	hello, request := make([]byte, 3), make([]byte, 10)
	_, _ = io.ReadFull(near, hello)
	_, _ = near.Write([]byte{5, 0})
	_, _ = io.ReadFull(near, request)
	address := netip.AddrPortFrom(netip.AddrFrom4([4]byte(request[4:8])), binary.BigEndian.Uint16(request[8:])).String()
	far, err := net.Dial("tcp", address)
	if err != nil || !bytes.Equal(hello, []byte{5, 1, 0}) {
		return ""
	}
	defer func() { _ = far.Close() }()
	_, _ = near.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	go func() { _, _ = io.Copy(far, near) }()
	_, _ = io.Copy(near, far)
	return address
}

func TestConnectionErrors(t *testing.T) {
	t.Parallel()
	relay := newRelay(t, "ann:secret")
	relayHost := strings.TrimPrefix(relay.URL, "http://")
	closed := must1(net.Listen("tcp", "127.0.0.1:0"))
	nobody := closed.Addr().String()
	_ = closed.Close()
	for name, x := range map[string]struct {
		to   string
		via  *url.URL
		err  error
		want string
	}{
		"denied": {
			to:   "203.0.113.8:6443",
			want: "the network security group nsg denies 203.0.113.8:6443",
		},
		"no listener": {to: nobody, want: "dial tcp " + nobody + ": connect: connection refused"},
		"the proxy refuses": {
			to: "example.com:443", via: must1(url.Parse("http://ann:wrong@" + relayHost)),
			want: "the proxy " + relayHost +
				" does not connect to example.com:443: it answers 407 Proxy Authentication Required",
		},
		"not a proxy": {
			to: "example.com:443", via: must1(url.Parse("ftp://ann:secret@example.net")),
			want: `the proxy example.net has the scheme "ftp": use http, https, socks5 or socks5h`,
		},
		"the proxy has no name": {
			to: "example.com:443", err: errors.New("invalid proxy address"),
			want: "invalid proxy address",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy, _ := start(t, apiserver.Options{
				Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(),
				Upstream: func(*url.URL) (*url.URL, error) { return x.via, x.err },
			})
			s := site(t, (*httptest.Server).StartTLS)
			_, err := get(t, proxy, s, "https://"+x.to+"/")
			want := `Get "https://` + strings.TrimSuffix(x.to, ":443")
			if strings.HasSuffix(x.to, ":443") {
				want += ":443"
			}
			want += `/": ` + x.want
			if err == nil || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
			if got := connectStatus(t, proxy, x.to); got != "502 "+x.want+" "+x.want+"\n" {
				t.Errorf("the answer is %q", got)
			}
		})
	}
}

// authorization returns the header line with a proxy's password, if its URL has one.
func authorization(proxy *url.URL) string {
	if proxy.User == nil {
		return ""
	}
	password, _ := proxy.User.Password()
	credentials := base64.StdEncoding.EncodeToString([]byte(proxy.User.Username() + ":" + password))
	return "Proxy-Authorization: Basic " + credentials + "\r\n"
}

// connectStatus returns the status and the body of what a proxy answers.
func connectStatus(t *testing.T, proxy *url.URL, to string) string {
	t.Helper()
	c := must1(net.Dial("tcp", proxy.Host))
	defer func() { _ = c.Close() }()
	// The connection stays open if it succeeds.
	must(t, c.SetDeadline(time.Now().Add(10*time.Second)))
	_, err := fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n%s\r\n", to, authorization(proxy))
	must(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	return answer.Status + " " + string(must1(io.ReadAll(answer.Body)))
}

// Other users of this machine can reach the port. They reach neither a simulated machine nor, through the user's own
// proxy, any other host.
func TestConnectionsNeedThePassword(t *testing.T) {
	t.Parallel()
	relay := newRelay(t, "ann:secret")
	via := *must1(url.Parse(relay.URL))
	via.User = url.UserPassword("ann", "secret")
	authority := newCA(t, ecKey(t))
	b := newBackend(t)
	start := func() *url.URL {
		proxy, _ := start(t, apiserver.Options{
			Resolve: known(authority.keys(t)), Backend: b.config(),
			Upstream: func(*url.URL) (*url.URL, error) { return &via, nil },
		})
		return proxy
	}
	proxy, other := start(), start()
	with := func(user *url.Userinfo) *url.URL {
		stranger := *proxy
		stranger.User = user
		return &stranger
	}
	password, _ := proxy.User.Password()
	if strange, _ := other.User.Password(); len(password) < 26 || strange == password {
		t.Errorf("the passwords of two proxies are %q and %q", password, strange)
	}
	for name, user := range map[string]*url.Userinfo{
		"nobody": nil, "no password": url.User(proxy.User.Username()),
		"a wrong password":    url.UserPassword(proxy.User.Username(), password[1:]),
		"another user":        url.UserPassword("ann", password),
		"another proxy's":     other.User,
		"the user's own user": url.UserPassword("ann", "secret"),
	} {
		stranger := with(user)
		for _, to := range []string{machineAddress, "example.com:443"} {
			if got, want := connectStatus(t, stranger, to), "407 Proxy Authentication Required "+
				"this proxy is for the commands of its lab\n"; got != want {
				t.Errorf("%s to %s: the answer is %q, want %q", name, to, got, want)
			}
		}
		s := site(t, (*httptest.Server).Start)
		if text, err := get(t, stranger, s, "http://plain.example.com/x"); err != nil ||
			text != "this proxy is for the commands of its lab\n" {
			t.Errorf("%s: a plain request is answered %q (%v)", name, text, err)
		}
	}
	if len(relay.requests) > 0 || len(b.all()) > 0 {
		t.Errorf("for strangers the user's proxy got %v, and the lab %v", relay.requests, b.all())
	}
	must(t, look(t, proxy, authority.admin(t)))
}

// The target hosts get neither password: the lab's proxy removes its own, and the user's proxy is the only one that
// gets the other.
func TestPasswordsAreNotForwarded(t *testing.T) {
	t.Parallel()
	heard := make(chan http.Header, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard <- r.Header }))
	t.Cleanup(s.Close)
	direct, _ := start(t,
		apiserver.Options{Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(), Upstream: direct})
	if _, err := get(t, direct, site(t, (*httptest.Server).Start), s.URL); err != nil {
		t.Fatal(err)
	}
	header := <-heard
	for name, values := range header {
		if strings.Contains(name, "Auth") {
			t.Errorf("a host is told %s: %v", name, values)
		}
	}
	// The user's proxy gets its own password: see relay.
	relay := newRelay(t, "ann:secret")
	via := *must1(url.Parse(relay.URL))
	via.User = url.UserPassword("ann", "secret")
	proxy, _ := start(t, apiserver.Options{
		Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(),
		Upstream: func(*url.URL) (*url.URL, error) { return &via, nil },
	})
	if text, err := get(t, proxy, site(t, (*httptest.Server).Start), "http://plain.example.com/x"); err != nil ||
		text != "relayed" {
		t.Errorf("the answer is %q (%v)", text, err)
	}
	if strings.Contains(proxy.String(), "secret") {
		t.Errorf("the proxy's URL has the password of the user's: %s", proxy)
	}
}

func TestRequestWithoutAnotherHost(t *testing.T) {
	t.Parallel()
	proxy, _ := start(t, apiserver.Options{Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config()})
	answer, err := http.Get(proxy.String())
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	if text := string(must1(io.ReadAll(answer.Body))); text != "this is a proxy: set HTTPS_PROXY to its address\n" ||
		answer.StatusCode != http.StatusBadRequest {
		t.Errorf("the answer is %s %q", answer.Status, text)
	}
}

func TestItListensOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	proxy, _ := start(t, apiserver.Options{Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config()})
	if proxy.Scheme != "http" || proxy.Hostname() != "127.0.0.1" {
		t.Errorf("the proxy is %s", proxy)
	}
}

// The tunnel delivers data that a client sends before the answer, and data for a client that has closed its side for
// writing.
func TestTunnelsLoseNothing(t *testing.T) {
	t.Parallel()
	listener := must1(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = listener.Close() }()
	go func() {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		received, _ := io.ReadAll(c)
		_, _ = c.Write(append([]byte("received "), received...))
		_ = c.Close()
	}()
	proxy, _ := start(t,
		apiserver.Options{Resolve: known(apiserver.Keys{}), Backend: newBackend(t).config(), Upstream: direct})
	c := must1(net.Dial("tcp", proxy.Host)).(*net.TCPConn)
	defer func() { _ = c.Close() }()
	_, err := fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n%s\r\nthis", listener.Addr(), authorization(proxy))
	must(t, err)
	established := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
	_, err = io.ReadFull(c, established)
	must(t, err)
	must(t, c.CloseWrite())
	if text := must1(io.ReadAll(c)); string(text) != "received this" {
		t.Errorf("the answer is %q and %q", established, text)
	}
}

func TestStopEndsEverything(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	received, left, hungUp := make(chan struct{}), make(chan struct{}), make(chan struct{})
	b := newBackend(t, func(server *http.Server) {
		server.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				close(hungUp)
			}
		}
	})
	b.handle = func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		close(received)
		<-r.Context().Done()
		close(left)
	}
	waiting, ended := make(chan struct{}), make(chan struct{})
	resolve := known(authority.keys(t))
	proxy, stop := start(t,
		apiserver.Options{
			Backend: b.config(), Upstream: direct,
			Resolve: func(ctx context.Context, address string) (apiserver.Keys, bool, error) {
				if address == "slow.example.com:443" {
					close(waiting)
					<-ctx.Done()
					close(ended)
				}
				return resolve(ctx, address)
			},
		})

	watch, err := connect(t, proxy, authority.admin(t)).CoreV1().Namespaces().Watch(t.Context(), metav1.ListOptions{})
	must(t, err)
	defer watch.Stop()
	<-received

	echo := must1(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = echo.Close() }()
	tunnel := must1(net.Dial("tcp", proxy.Host))
	defer func() { _ = tunnel.Close() }()
	_, err = fmt.Fprintf(tunnel, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n%s\r\n", echo.Addr(), authorization(proxy))
	must(t, err)
	far := must1(echo.Accept())
	defer func() { _ = far.Close() }()

	slow := must1(net.Dial("tcp", proxy.Host))
	defer func() { _ = slow.Close() }()
	_, err = io.WriteString(slow, "CONNECT slow.example.com:443 HTTP/1.1\r\nHost: slow.example.com:443\r\n"+
		authorization(proxy)+"\r\n")
	must(t, err)
	<-waiting

	stop()
	stop() // has no effect
	if c, err := net.Dial("tcp", proxy.Host); err == nil {
		_ = c.Close()
		t.Error("the proxy still listens")
	}
	for name, c := range map[string]<-chan struct{}{
		"the watch": left, "the request that waits": ended,
		"the connection to the lab": hungUp,
	} {
		select {
		case <-c:
		case <-time.After(5 * time.Second):
			t.Errorf("%s continues", name)
		}
	}
	for name, c := range map[string]net.Conn{"the client": tunnel, "the host": far} {
		must(t, c.SetReadDeadline(time.Now().Add(5*time.Second)))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
			t.Errorf("%s keeps its connection", name)
		}
	}
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// A client that is interrupted may still have to clean up.
func TestItOutlivesItsContext(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	ctx, cancel := context.WithCancel(t.Context())
	address, stop, err := apiserver.Options{
		Resolve: known(authority.keys(t)), Backend: newBackend(t).config(),
		Upstream: direct,
	}.Start(ctx)
	must(t, err)
	defer stop()
	cancel()
	must(t, look(t, must1(url.Parse(address)), authority.admin(t)))
}
