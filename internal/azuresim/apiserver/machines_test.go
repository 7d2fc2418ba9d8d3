package apiserver_test

import (
	"bufio"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/mixedkube/mixedkube/internal/azuresim/apiserver"
)

// look sends a request and returns its error.
func look(t *testing.T, proxy *url.URL, c rest.TLSClientConfig) error {
	t.Helper()
	_, err := connect(t, proxy, c).CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{})
	return err
}

func as(user string, groups ...string) http.Header {
	h := http.Header{"Authorization": {"Bearer the lab's"}, "Impersonate-User": {user}}
	if groups != nil {
		h["Impersonate-Group"] = groups
	}
	return h
}

func TestClientsOfTheAuthorityAreAuthenticated(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	sub := newCA(t, ecKey(t))
	subDER := sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: "sub"}, IsCA: true, BasicConstraintsValid: true},
		sub.key.Public(), authority.cert, authority.key)
	subCert, err := x509.ParseCertificate(subDER)
	must(t, err)
	chained := ca{subCert, sub.key, authority.pem}.admin(t)
	chained.CertData = append(chained.CertData, asPEM("CERTIFICATE", subDER)...)

	for name, x := range map[string]struct {
		client rest.TLSClientConfig
		want   http.Header
	}{
		"an administrator": {authority.admin(t), as("kubernetes-admin", "kubeadm:cluster-admins")},
		"a user with two groups": {
			authority.client(t, x509.ExtKeyUsageClientAuth, "ann", "dev", "ops"),
			as("ann", "dev", "ops"),
		},
		"a user without groups":       {authority.client(t, x509.ExtKeyUsageClientAuth, "ann"), as("ann")},
		"through another certificate": {chained, as("kubernetes-admin", "kubeadm:cluster-admins")},
		"nobody": {
			rest.TLSClientConfig{ServerName: "kubernetes", CAData: []byte(authority.pem)},
			as("system:anonymous", "system:unauthenticated"),
		},
		"a certificate without a name": {
			authority.client(t, x509.ExtKeyUsageClientAuth, "", "system:masters"),
			as("system:anonymous", "system:unauthenticated"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t)
			proxy, _ := start(t,
				apiserver.Options{Resolve: known(authority.keys(t)), Backend: b.config(), Upstream: direct})
			must(t, look(t, proxy, x.client))
			want := []forwarded{{"/api/v1/namespaces/default", "HTTP/2.0", x.want}}
			if diff := cmp.Diff(want, b.all()); diff != "" {
				t.Errorf("requests to the lab's API server (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUntrustedClients(t *testing.T) {
	t.Parallel()
	authority, other := newCA(t, ecKey(t)), newCA(t, ecKey(t))
	stranger := other.admin(t)
	stranger.CAData = []byte(authority.pem)
	wrongCA := authority.admin(t)
	wrongCA.CAData = []byte(other.pem)
	wrongName := authority.admin(t)
	wrongName.ServerName = "api.example.com"

	for name, x := range map[string]struct {
		client       rest.TLSClientConfig
		unauthorized bool
		want         string
	}{
		"a client of another authority": {stranger, true, "Unauthorized"},
		"a certificate of a server": {authority.client(t, x509.ExtKeyUsageServerAuth, "kubernetes-admin",
			"system:masters"), true, "Unauthorized"},
		"a client that trusts another authority": {
			wrongCA, false,
			`Get "https://203.0.113.7:6443/api/v1/namespaces/default": tls: failed to verify certificate: x509: certificate signed by unknown authority` +
				` (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority ` +
				`certificate "kubernetes")`,
		},
		"a name that is not the server's": {
			wrongName, false,
			`Get "https://203.0.113.7:6443/api/v1/namespaces/default": tls: failed to verify certificate: x509: certificate is valid for ` +
				`kubernetes, kubernetes.default, kubernetes.default.svc, kubernetes.default.svc.cluster.local, not ` +
				`api.example.com`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t)
			proxy, _ := start(t,
				apiserver.Options{Resolve: known(authority.keys(t)), Backend: b.config(), Upstream: direct})
			err := look(t, proxy, x.client)
			if err == nil || err.Error() != x.want || apierrors.IsUnauthorized(err) != x.unauthorized {
				t.Errorf("the error is %v, want %s", err, x.want)
			}
			if len(b.all()) > 0 {
				t.Errorf("the lab's API server got %v", b.all())
			}
		})
	}
}

func TestServerIsIdentifiedByItsAddress(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	b := newBackend(t)
	proxy, _ := start(t, apiserver.Options{Resolve: known(authority.keys(t)), Backend: b.config(), Upstream: direct})
	for _, host := range []string{machineAddress, "api.example.com:6443"} {
		answer, err := httpClient(t, proxy, authority).Get("https://" + host + "/readyz?verbose=%2F")
		must(t, err)
		must(t, answer.Body.Close())
		if names := answer.TLS.PeerCertificates[0].Subject.CommonName; answer.StatusCode != http.StatusOK ||
			names != "kube-apiserver" {
			t.Errorf("%s answers %s as %s", host, answer.Status, names)
		}
	}
	if got := b.all(); len(got) != 2 || got[0].Path != "/readyz?verbose=%2F" {
		t.Errorf("the lab's API server got %v", got)
	}
}

// httpClient uses HTTP/1.1, where the Connection header can name headers to remove.
func httpClient(t *testing.T, proxy *url.URL, authority ca) *http.Client {
	t.Helper()
	admin := authority.admin(t)
	own, err := tls.X509KeyPair(admin.CertData, admin.KeyData)
	must(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(authority.cert)
	transport := &http.Transport{
		Proxy:           http.ProxyURL(proxy),
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{own}},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestImpersonationHeaders(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	admin := as("kubernetes-admin", "kubeadm:cluster-admins")
	const refused = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the lab does not ` +
		`look up whom ` +
		`kubernetes-admin may impersonate: remove the header %","reason":"Forbidden","code":403}`
	for name, x := range map[string]struct {
		headers http.Header
		without bool
		want    http.Header
		answer  string
	}{
		"a token is ignored if there is a certificate": {
			headers: http.Header{"Authorization": {"Bearer abc"}},
			want:    admin,
		},
		"an unknown token": {
			headers: http.Header{"Authorization": {"bearer abc"}}, without: true,
			answer: `{"kind":"Status","apiVersion":"v1","metadata":{},` +
				`"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}`,
		},
		"a password is ignored": {
			headers: http.Header{"Authorization": {"Basic abc"}}, without: true,
			want: as("system:anonymous", "system:unauthenticated"),
		},
		"a user": {
			headers: http.Header{"Impersonate-User": {"root"}},
			answer:  strings.Replace(refused, "%", "Impersonate-User", 1),
		},
		"a group": {
			headers: http.Header{"impersonate-group": {"system:masters"}},
			answer:  strings.Replace(refused, "%", "Impersonate-Group", 1),
		},
		"more about a user": {
			headers: http.Header{"Impersonate-Extra-Scopes": {"all"}},
			answer:  strings.Replace(refused, "%", "Impersonate-Extra-Scopes", 1),
		},
		"headers of front proxies": {headers: http.Header{
			"X-Remote-User":         {"root"},
			"X-Remote-Extra-Scopes": {"all"},
		}, want: admin},
		"headers of the connection": {
			headers: http.Header{"Connection": {"Impersonate-User, Impersonate-Group, Authorization"}}, want: admin,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t)
			proxy, _ := start(t,
				apiserver.Options{Resolve: known(authority.keys(t)), Backend: b.config(), Upstream: direct})
			client := httpClient(t, proxy, authority)
			if x.without {
				client.Transport.(*http.Transport).TLSClientConfig.Certificates = nil
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+machineAddress+"/api", nil)
			must(t, err)
			request.Header = x.headers
			answer, err := client.Do(request)
			must(t, err)
			defer func() { _ = answer.Body.Close() }()
			text, err := io.ReadAll(answer.Body)
			must(t, err)
			if x.answer != "" {
				if got := strings.TrimSpace(string(text)); got != x.answer || len(b.all()) > 0 {
					t.Errorf("the answer is %s, want %s; behind it got %v", got, x.answer, b.all())
				}
				return
			}
			if diff := cmp.Diff([]forwarded{{"/api", "HTTP/2.0", x.want}}, b.all()); diff != "" {
				t.Errorf("requests to the lab's API server (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKeysInAllForms(t *testing.T) {
	t.Parallel()
	ec, big := ecKey(t), rsaKey(t)
	ecDER, err := x509.MarshalECPrivateKey(ec)
	must(t, err)
	for name, x := range map[string]struct {
		key crypto.Signer
		pem string
	}{
		"ECDSA, PKCS #8": {ec, pkcs8(t, ec)},
		"ECDSA, SEC 1":   {ec, asPEM("EC PRIVATE KEY", ecDER)},
		"RSA, PKCS #8":   {big, pkcs8(t, big)},
		"RSA, PKCS #1":   {big, asPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(big))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			authority := newCA(t, x.key)
			b := newBackend(t)
			proxy, _ := start(t, apiserver.Options{
				Resolve: known(apiserver.Keys{CACert: authority.pem, CAKey: x.pem}), Backend: b.config(),
				Upstream: direct,
			})
			must(t, look(t, proxy, authority.admin(t)))
		})
	}
}

func TestKeysThatAnAPIServerRefuses(t *testing.T) {
	t.Parallel()
	authority, other := newCA(t, ecKey(t)), newCA(t, ecKey(t))
	leaf := asPEM("CERTIFICATE",
		sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: "leaf"}}, authority.key.Public(), authority.cert,
			authority.key))
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	for _, x := range []struct {
		keys apiserver.Keys
		want string
	}{
		{apiserver.Keys{}, "ca.crt has no certificate: data does not contain any valid RSA or ECDSA certificates"},
		{apiserver.Keys{CACert: authority.pem}, "ca.key has no private key"},
		{apiserver.Keys{CACert: authority.pem, CAKey: authority.pem}, "ca.key has no private key"},
		{apiserver.Keys{CACert: authority.pem, CAKey: pkcs8(t, other.key)}, "ca.key is not the key of ca.crt"},
		{apiserver.Keys{CACert: authority.pem, CAKey: pkcs8(t, ed)}, "ca.key is not the key of ca.crt"},
		{apiserver.Keys{CACert: leaf, CAKey: pkcs8(t, authority.key)}, "ca.crt is not the certificate of an authority"},
	} {
		b := newBackend(t)
		proxy, _ := start(t, apiserver.Options{Resolve: known(x.keys), Backend: b.config(), Upstream: direct})
		err := look(t, proxy, authority.admin(t))
		want := `Get "https://203.0.113.7:6443/api/v1/namespaces/default": no API server starts at 203.0.113.7:6443: ` + x.want
		if err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// A watch delivers events as they happen.
func TestWatchesStream(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	b := newBackend(t)
	received := make(chan struct{})
	b.handle = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w,
			`{"type":"ADDED","object":{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"one"}}}`+"\n")
		w.(http.Flusher).Flush()
		select {
		case <-received:
		case <-r.Context().Done():
			return
		}
		_, _ = io.WriteString(w,
			`{"type":"DELETED","object":{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"one"}}}`+"\n")
	}
	proxy, _ := start(t, apiserver.Options{Resolve: known(authority.keys(t)), Backend: b.config(), Upstream: direct})
	watch, err := connect(t, proxy, authority.admin(t)).CoreV1().Namespaces().Watch(t.Context(), metav1.ListOptions{})
	must(t, err)
	defer watch.Stop()
	if event := <-watch.ResultChan(); event.Type != "ADDED" {
		t.Fatalf("the first event is %v", event)
	}
	close(received)
	if event := <-watch.ResultChan(); event.Type != "DELETED" {
		t.Errorf("the second event is %v", event)
	}
}

func TestTheLabsAPIServerDoesNotAnswer(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	b := newBackend(t)
	host := strings.TrimPrefix(b.URL, "https://")
	proxy, _ := start(t, apiserver.Options{Resolve: known(authority.keys(t)), Backend: b.config(), Upstream: direct})
	b.Close()
	answer, err := httpClient(t, proxy, authority).Get("https://" + machineAddress + "/api")
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := bufio.NewReader(answer.Body).ReadString('\n')
	must(t, err)
	want := "the lab's API server does not answer: dial tcp " + host + ": connect: connection refused\n"
	if text != want || answer.StatusCode != http.StatusBadGateway {
		t.Errorf("the answer is %s %q, want %q", answer.Status, text, want)
	}
}

func TestABackendThatCannotBeReached(t *testing.T) {
	t.Parallel()
	_, _, err := apiserver.Options{Backend: &rest.Config{Host: "https://127.0.0.1:1", TLSClientConfig: rest.TLSClientConfig{CAData: []byte("x")}}}.Start(context.Background())
	want := "the proxy for simulated machines: unable to load root certificates: unable to parse bytes as PEM block"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
