package apiserver

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	socks "golang.org/x/net/proxy"
)

// dial connects to a host that is not simulated.
func (p *proxy) dial(ctx context.Context, address string) (*conn, error) {
	via, err := p.Upstream(&url.URL{Scheme: "https", Host: address})
	if err != nil {
		return nil, err
	}
	if via == nil {
		return p.hold(new(net.Dialer).DialContext(ctx, "tcp", address))
	}
	switch via.Scheme {
	case "http", "https":
		return p.dialHTTP(ctx, via, address)
	case "socks5", "socks5h":
		return p.hold(dialSOCKS(ctx, via, address))
	default:
		return nil, fmt.Errorf("the proxy %s has the scheme %q: use http, https, socks5 or socks5h", via.Host,
			via.Scheme)
	}
}

// dialBackend connects to the lab's API server.
func (p *proxy) dialBackend(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return p.conns.add(c, c)
}

// hold adds a connection to p.conns unless dialing failed.
func (p *proxy) hold(c net.Conn, err error) (*conn, error) {
	if err != nil {
		return nil, err
	}
	return p.conns.add(c, c)
}

func dialSOCKS(ctx context.Context, via *url.URL, address string) (net.Conn, error) {
	var auth *socks.Auth
	if via.User != nil {
		password, _ := via.User.Password()
		auth = &socks.Auth{User: via.User.Username(), Password: password}
	}
	dialer, err := socks.SOCKS5("tcp", hostPort(via), auth, new(net.Dialer))
	if err != nil {
		return nil, err
	}
	return dialer.(socks.ContextDialer).DialContext(ctx, "tcp", address)
}

// dialHTTP connects through another proxy.
func (p *proxy) dialHTTP(ctx context.Context, via *url.URL, address string) (*conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", hostPort(via))
	if err != nil {
		return nil, err
	}
	if via.Scheme == "https" {
		c = tls.Client(c, &tls.Config{ServerName: via.Hostname()})
	}
	// Closing the connection is the only way to end a read that waits for it.
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	// The host may send data first: bytes read beyond the answer belong to the connection.
	read := bufio.NewReader(c)
	if err := askProxy(c, read, via.User, address); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("the proxy %s does not connect to %s: %w", via.Host, address, err)
	}
	return p.conns.add(c, read)
}

func askProxy(to io.Writer, from *bufio.Reader, user *url.Userinfo, address string) error {
	request := &http.Request{
		Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address,
		Header: http.Header{},
	}
	if user != nil {
		request.Header.Set(proxyAuthorization, basic(user))
	}
	if err := request.Write(to); err != nil {
		return err
	}
	answer, err := http.ReadResponse(from, request) //nolint:bodyclose // the body is the tunnel
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", answer.Status)
	}
	return nil
}

// proxyAuthorization is the header that authenticates a client to a proxy.
const proxyAuthorization = "Proxy-Authorization"

// basic returns its value for a user (https://www.rfc-editor.org/rfc/rfc7617).
func basic(user *url.Userinfo) string {
	password, _ := user.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
}

// hostPort returns the address of a proxy.
func hostPort(proxy *url.URL) string {
	port := proxy.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[proxy.Scheme]
	}
	if port == "" {
		port = "1080"
	}
	return net.JoinHostPort(proxy.Hostname(), port)
}

// tunnel copies data between two connections until both have ended.
func tunnel(near, far *conn) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		pass(near, far)
	}()
	pass(far, near)
	<-done
}

func pass(to, from *conn) {
	_, err := io.Copy(to, from)
	if err != nil || to.closeWrite() != nil {
		_ = to.Close()
		_ = from.Close()
	}
}
