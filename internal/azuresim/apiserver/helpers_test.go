package apiserver_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/mixedkube/mixedkube/internal/azuresim/apiserver"
)

// machineAddress is the address of the control plane in most tests.
const machineAddress = "203.0.113.7:6443"

// ca is a certificate authority.
type ca struct {
	cert *x509.Certificate
	key  crypto.Signer
	pem  string
}

func newCA(t *testing.T, key crypto.Signer) ca {
	t.Helper()
	der := sign(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "kubernetes"}, IsCA: true,
		BasicConstraintsValid: true,
	}, key.Public(), nil, key)
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	return ca{cert, key, asPEM("CERTIFICATE", der)}
}

// sign creates a certificate, self-signed if no issuer is passed.
func sign(
	t *testing.T, c *x509.Certificate, public crypto.PublicKey, issuer *x509.Certificate, key crypto.Signer,
) []byte {
	t.Helper()
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour),
		time.Now().Add(time.Hour)
	if issuer == nil {
		issuer = c
	}
	der, err := x509.CreateCertificate(rand.Reader, c, issuer, public, key)
	must(t, err)
	return der
}

func asPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pkcs8(t *testing.T, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	return asPEM("PRIVATE KEY", der)
}

func ecKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return key
}

func rsaKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	return key
}

func (c ca) keys(t *testing.T) apiserver.Keys {
	t.Helper()
	return apiserver.Keys{CACert: c.pem, CAKey: pkcs8(t, c.key)}
}

// client returns the configuration of a user with a certificate, as in a kubeconfig.
func (c ca) client(t *testing.T, use x509.ExtKeyUsage, name string, organizations ...string) rest.TLSClientConfig {
	t.Helper()
	key := ecKey(t)
	der := sign(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: name, Organization: organizations}, ExtKeyUsage: []x509.ExtKeyUsage{use},
	}, key.Public(), c.cert, c.key)
	return rest.TLSClientConfig{
		ServerName: "kubernetes", CAData: []byte(c.pem), CertData: []byte(asPEM("CERTIFICATE", der)),
		KeyData: []byte(pkcs8(t, key)),
	}
}

func (c ca) admin(t *testing.T) rest.TLSClientConfig {
	t.Helper()
	return c.client(t, x509.ExtKeyUsageClientAuth, "kubernetes-admin", "kubeadm:cluster-admins")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// backend is the lab's API server. It records its requests.
type backend struct {
	*httptest.Server
	mutex    sync.Mutex
	requests []forwarded
	// handle answers requests if it is set.
	handle http.HandlerFunc
}

type forwarded struct {
	Path  string
	Proto string
	// Headers are the request headers that the tests compare.
	Headers http.Header
}

// newBackend starts a backend. The settings change its server before it starts.
func newBackend(t *testing.T, settings ...func(*http.Server)) *backend {
	t.Helper()
	b := &backend{}
	b.Server = httptest.NewUnstartedServer(b)
	for _, set := range settings {
		set(b.Config)
	}
	b.EnableHTTP2 = true
	b.StartTLS()
	t.Cleanup(b.Close)
	return b
}

func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	headers := maps.Clone(r.Header)
	maps.DeleteFunc(headers, func(name string, _ []string) bool {
		return name != "Authorization" && !strings.HasPrefix(name, "Impersonate-") &&
			!strings.HasPrefix(name, "X-Remote-")
	})
	b.mutex.Lock()
	b.requests = append(b.requests, forwarded{r.URL.RequestURI(), r.Proto, headers})
	b.mutex.Unlock()
	if b.handle != nil {
		b.handle(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default"}}`))
}

func (b *backend) all() []forwarded {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.requests
}

func (b *backend) config() *rest.Config {
	return &rest.Config{
		Host: b.URL, BearerToken: "the lab's",
		TLSClientConfig: rest.TLSClientConfig{CAData: []byte(asPEM("CERTIFICATE", b.Certificate().Raw))},
	}
}

// known resolves one address.
func known(keys apiserver.Keys) func(context.Context, string) (apiserver.Keys, bool, error) {
	return func(_ context.Context, address string) (apiserver.Keys, bool, error) {
		switch address {
		case machineAddress, "api.example.com:6443":
			return keys, true, nil
		case "203.0.113.8:6443":
			return apiserver.Keys{}, false, errors.New("the network security group nsg denies\n203.0.113.8:6443")
		default:
			return apiserver.Keys{}, false, nil
		}
	}
}

func direct(*url.URL) (*url.URL, error) { return nil, nil }

// start starts a proxy for the test.
func start(t *testing.T, o apiserver.Options) (proxy *url.URL, stop func()) {
	t.Helper()
	address, stop, err := o.Start(t.Context())
	must(t, err)
	t.Cleanup(stop)
	proxy, err = url.Parse(address)
	must(t, err)
	return proxy, stop
}

// connect returns a client of the machine's API server.
func connect(t *testing.T, proxy *url.URL, c rest.TLSClientConfig) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: "https://" + machineAddress, TLSClientConfig: c, Proxy: http.ProxyURL(proxy),
	})
	must(t, err)
	return client
}
