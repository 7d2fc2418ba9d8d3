package registry_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/system/registry"
)

// everywhere returns a server with TLS that answers for all names. It records the credentials that each of them gets.
func everywhere(t *testing.T, handler http.HandlerFunc) (http.RoundTripper, func() map[string]string) {
	t.Helper()
	var mutex sync.Mutex
	got := map[string]string{}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		got[r.Host+r.URL.Path] = r.Header.Get("Authorization")
		mutex.Unlock()
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
		},
	}
	return transport, func() map[string]string {
		mutex.Lock()
		defer mutex.Unlock()
		return got
	}
}

// A registry names the host of its tokens. Only one of its own domain gets the password.
func TestOnlyTokenServicesOfTheRegistryGetCredentials(t *testing.T) {
	t.Parallel()
	for realm, want := range map[string]bool{
		"registry.example.com": true, "auth.example.com": true, "example.com": true,
		"auth.example.org": false, "example.com.evil.org": false, "10.0.0.1": false,
	} {
		t.Run(realm, func(t *testing.T) {
			t.Parallel()
			transport, got := everywhere(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/token" {
					_, _ = w.Write([]byte(`{"token":"t"}`))
					return
				}
				w.Header().Set("WWW-Authenticate", `Bearer realm="https://`+realm+`/token",service="s"`)
				w.WriteHeader(http.StatusUnauthorized)
			})
			client := password
			client.Transport = transport
			client.LookUp(t.Context(), []string{"registry.example.com/aa:b"}, nil)
			header, requested := got()[realm+"/token"]
			if !requested || strings.HasPrefix(header, "Basic ") != want || (header != "") != want {
				t.Errorf("requested: %t, with %q, want credentials: %t", requested, header, want)
			}
		})
	}
}

// A registry cannot have a request sent to what only this machine reaches.
func TestRegistriesLeadToNoLocalAddress(t *testing.T) {
	t.Parallel()
	const metadata = "an address of a cloud's metadata or of the local link, where no image is"
	for to, want := range map[string]string{
		"https://169.254.169.254/latest/": metadata, "https://168.63.129.16/machine": metadata,
		"https://[fe80::1]/": metadata, "https://127.0.0.1:8443/admin": "an address of this machine",
		"https://localhost/admin": "an address of this machine",
	} {
		for name, handler := range map[string]http.HandlerFunc{
			"redirect": func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v2/" {
					http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				}
			},
			"realm": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="`+to+`",service="s"`)
				w.WriteHeader(http.StatusUnauthorized)
			},
		} {
			t.Run(name+" "+to, func(t *testing.T) {
				t.Parallel()
				transport, got := everywhere(t, handler)
				fails(t, registry.Client{Transport: transport}, "\x00", "registry.example.com/aa:b",
					"registry.example.com/aa:b: insecure: registry.example.com leads to "+want+
						": use another registry, or mirror the image")
				for at := range got() {
					if !strings.HasPrefix(at, "registry.example.com/") {
						t.Errorf("a request to %s", at)
					}
				}
			})
		}
	}
}

// The default transport checks what names lead to.
func TestTheDefaultTransportIsGuarded(t *testing.T) {
	t.Parallel()
	fails(
		t,
		registry.Client{},
		"\x00",
		"169.254.169.254/aa:b",
		"169.254.169.254/aa:b: insecure: 169.254.169.254 leads to "+
			"an address of a cloud's metadata or of the local link, where no image is: use another registry, or "+
			"mirror the image",
	)
}
