package kubeapi

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
)

// throughProxy has a client use a proxy.
func throughProxy(t *testing.T, c *Client, to string) {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	c.http.Transport.(*http.Transport).Proxy = http.ProxyURL(u)
}

// tunnel answers CONNECT: from then on both ends talk to each other.
func tunnel(t *testing.T, w http.ResponseWriter, r *http.Request) {
	t.Helper()
	if r.Method != http.MethodConnect {
		t.Errorf("the proxy gets %s %s", r.Method, r.URL)
	}
	server, err := net.Dial("tcp", r.Host)
	if err != nil {
		t.Error(err)
		return
	}
	// The server reads ahead: what the client sends before the connection is taken over would be lost.
	client, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		t.Error(err)
	}
	for _, way := range [][2]net.Conn{{server, client}, {client, server}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			_ = way[0].Close()
		}()
	}
}
