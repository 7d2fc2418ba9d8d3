package registry_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mixedkube/mixedkube/system/registry"
)

func TestCredentialsAreSentToTheRegistry(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, sent, _ := r.BasicAuth(); user != "me" || sent != secret {
				w.Header().Set("WWW-Authenticate", `Basic realm="here"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	reference := s.image("private", readFixture(t, "pause"))
	if got := described(facts(t, password, reference)); len(got) != 2 {
		t.Errorf("it is %q", got)
	}
	fails(t, registry.Client{}, s.host, reference, "HOST/private:tag: refused: HOST answers 401 Unauthorized: "+
		"check the name, and log in: docker login HOST")
}

// A registry that redirects to another host, for manifests or configurations, does not make the client send the
// credentials there.
func TestCredentialsAreNotSentToOtherHosts(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	other := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			if header := r.Header.Get("Authorization"); header != "" {
				t.Errorf("%s was sent %q", r.URL, header)
			}
			next.ServeHTTP(w, r)
		})
	})
	other.image("private", readFixture(t, "servercore"))
	s := newServer(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, sent, ok := r.BasicAuth()
			switch {
			case !ok || sent != secret:
				w.Header().Set("WWW-Authenticate", `Basic realm="here"`)
				w.WriteHeader(http.StatusUnauthorized)
			case r.URL.Path == "/v2/":
			default:
				http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
			}
		})
	})
	want := "windows/amd64 10.0.20348.230 [2 1] bytes 3"
	if got := described(facts(t, password, s.host+"/private:tag")); got[0] != want {
		t.Errorf("it is %q, want %s", got, want)
	}
	if requests.Load() != 3 {
		t.Errorf("the other host got %d requests, want those for index, manifest and configuration", requests.Load())
	}
}

// Whatever a token service answers, no message repeats it.
func TestTokensAreInNoMessage(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"a token that is refused": `{"token":"` + secret + `"}`,
		"no token":                `{"refresh_token":"` + secret + `"}`,
		"no JSON":                 secret,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s *server
			s = newServer(t, func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/token" {
						fmt.Fprint(w, answer)
						return
					}
					w.Header().Set("WWW-Authenticate",
						`Bearer realm="`+s.URL+`/token?key=`+secret+`",service="`+secret+`"`)
					w.WriteHeader(http.StatusUnauthorized)
					fmt.Fprintf(w, `{"errors":[{"code":"DENIED","message":%q}]}`, r.Header.Get("Authorization"))
				})
			})
			result := look(t, password, s.host+"/aa:b")
			if result.Failure == nil || strings.Contains(result.Failure.Error(), secret) {
				t.Errorf("it is %v", result)
			}
		})
	}
}

// remote returns a registry with TLS, whose name is not the name of this machine.
func remote(t *testing.T, handler http.Handler) http.RoundTripper {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	plain := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s got a request without encryption", r.URL)
	}))
	t.Cleanup(plain.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots},
		Proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Scheme == "http" {
				return url.Parse(plain.URL)
			}
			return nil, nil //nolint:nilnil // the contract of Proxy
		},
		DialContext: (&redirected{to: s.Listener.Addr(), unless: plain.Listener.Addr()}).dial,
	}
}

func TestNoRequestIsSentWithoutEncryption(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"http://example.org/": "insecure: example.com accepts, or redirects to, only connections without encryption, " +
			"which are allowed on this machine only: give the registry a certificate",
		"http://127.0.0.1:1/": "insecure: example.com accepts, or redirects to, only connections without encryption, " +
			"which are allowed on this machine only: give the registry a certificate",
		// The request is encrypted instead, and is redirected there again.
		"http://example.com/": "malformed: example.com answers with something that is not an image, or not the " +
			"requested one: look at it with docker manifest inspect",
	} {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			transport := remote(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v2/" {
					http.Redirect(w, r, to, http.StatusFound)
				}
			}))
			fails(t, registry.Client{Transport: transport}, "\x00", "example.com/aa:b", "example.com/aa:b: "+want)
		})
	}
	// Names of private networks, which go-containerregistry would request without encryption.
	for _, host := range []string{"10.0.0.1:5000", "registry.local"} {
		transport := remote(t, http.NotFoundHandler())
		want := host + "/aa:b: offline: " + host + " cannot be reached: its certificate is for another name: " +
			"check the name and the network"
		fails(t, registry.Client{Transport: transport}, "\x00", host+"/aa:b", want)
	}
}

// redirected connects to one address, whatever the requested one is.
type redirected struct{ to, unless net.Addr }

func (r *redirected) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if address != r.unless.String() {
		address = r.to.String()
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}
