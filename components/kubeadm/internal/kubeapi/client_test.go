package kubeapi

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// today is when the certificates of the tests are valid.
var today = time.Now()

func keys(t *testing.T, text string) (pki.Keys, bootstrap.KeyPair) {
	t.Helper()
	s, err := pki.Generated(text, "shop")
	if err != nil {
		t.Fatal(err)
	}
	k := pki.Keys{Generations: []pki.Generation{{Secret: s, Created: today}}}
	c, err := k.Certificates()
	if err != nil {
		t.Fatal(err)
	}
	return k, c.CA
}

const (
	oneSecret   = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	otherSecret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWc="
)

// server is an API server that trusts, and has, certificates of the authority of oneSecret. The log
// has a line for each request.
type server struct {
	*httptest.Server

	mu  sync.Mutex
	log []string
}

func (s *server) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log
}

func newServer(t *testing.T, answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		who := r.TLS.PeerCertificates[0].Subject
		s.mu.Lock()
		s.log = append(s.log, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", who.Organization[0], r.Method,
			r.URL.RequestURI(), r.Header.Get("Content-Type"), body)))
		s.mu.Unlock()
		answer(w, r)
	}))
	_, pair := keys(t, oneSecret)
	ca, signer, err := pair.ParseCA()
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kube-apiserver"}, DNSNames: []string{"kubernetes"},
		NotBefore: today.Add(-time.Hour), NotAfter: today.Add(time.Hour),
	}, ca, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	clients := x509.NewCertPool()
	clients.AddCert(ca)
	s.TLS = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		ClientAuth:   tls.RequireAndVerifyClientCert, ClientCAs: clients, MinVersion: tls.VersionTLS12,
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// kubeconfigFor returns an administrator's kubeconfig for the server, derived from a secret.
func kubeconfigFor(t *testing.T, secret, address, name string) string {
	t.Helper()
	k, _ := keys(t, secret)
	text, err := k.Kubeconfig("shop", address, name, today)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (s *server) client(t *testing.T) *Client {
	t.Helper()
	c, err := NewClient(kubeconfigFor(t, oneSecret, s.Listener.Addr().String(), "kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	c.firstPause, c.retryTimeout = time.Millisecond, 10*time.Second
	return c
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var (
	secretA = Object{API: "v1", Resource: "secrets", Namespace: "kube-system", Name: "a"}
	nodeA   = Object{API: "v1", Resource: "nodes", Name: "a"}
)

func TestRequests(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"metadata":{"name":"a"},"items":[{"metadata":{"name":"b"}}]}`)
		}
	})
	c, ctx := s.client(t), t.Context()
	var node corev1.Node
	var pods corev1.PodList
	for what, err := range map[string]error{
		"get": c.Get(ctx, nodeA, &node),
		"list": c.List(ctx, Object{API: "v1", Resource: "pods"},
			Selector{Labels: "app=a b", Fields: "spec.nodeName=a"}, &pods),
		"create":  c.Create(ctx, secretA, map[string]string{"kind": "Secret"}),
		"replace": c.Replace(ctx, secretA, map[string]string{"kind": "Secret"}),
		"patch":   c.Patch(ctx, nodeA, map[string]string{"a": "b"}),
		"delete": c.Delete(ctx, Object{
			API: "policy/v1", Resource: "poddisruptionbudgets", Namespace: "x", Name: "../y",
		}),
		"evict": c.Evict(ctx, metav1.ObjectMeta{Namespace: "x", Name: "p", UID: "1-2"}),
	} {
		equal(t, what, "", message(err))
	}
	equal(t, "node", "a", node.Name)
	equal(t, "pods", "b", pods.Items[0].Name)
	const who = "kubeadm:cluster-admins "
	want := map[string]bool{
		who + "GET /api/v1/nodes/a": true,
		who + "GET /api/v1/pods?fieldSelector=spec.nodeName%3Da&labelSelector=app%3Da+b":        true,
		who + `POST /api/v1/namespaces/kube-system/secrets application/json {"kind":"Secret"}`:  true,
		who + `PUT /api/v1/namespaces/kube-system/secrets/a application/json {"kind":"Secret"}`: true,
		who + `PATCH /api/v1/nodes/a application/merge-patch+json {"a":"b"}`:                    true,
		who + `DELETE /apis/policy/v1/namespaces/x/poddisruptionbudgets/..%2Fy`:                 true,
		who + `POST /api/v1/namespaces/x/pods/p/eviction application/json {"kind":"Eviction",` +
			`"apiVersion":"policy/v1","metadata":{"name":"p","namespace":"x"},"deleteOptions":{"preconditions":` +
			`{"uid":"1-2"}}}`: true,
	}
	got := map[string]bool{}
	for _, line := range s.lines() {
		got[line] = true
	}
	equal(t, "requests", want, got)
}

// A request is repeated only if that may help.
func TestRetriedRequests(t *testing.T) {
	t.Parallel()
	get := func(c *Client) error { return c.Get(context.Background(), nodeA, nil) }
	evict := func(c *Client) error {
		return c.Evict(context.Background(), metav1.ObjectMeta{Namespace: "x", Name: "p"})
	}
	for name, test := range map[string]struct {
		codes []int
		body  string
		do    func(*Client) error
		want  string
	}{
		"a load balancer without machines": {[]int{502, 503, 504, 200}, "", get, ""},
		"etcd has no leader":               {[]int{500, 200}, "", get, ""},
		"priority and fairness":            {[]int{429, 200}, "", get, ""},
		"not found": {
			[]int{404},
			`{"reason":"NotFound","message":"nodes \"a\" not found"}`, get,
			`get nodes a: the API server answers 404 NotFound: nodes "a" not found`,
		},
		"not from Kubernetes": {[]int{403}, "<html>", get, "get nodes a: the API server answers 403"},
		"a redirect":          {[]int{302}, "", get, "get nodes a: the API server answers 302"},
		"a budget": {
			[]int{429},
			`{"reason":"TooManyRequests","message":"Cannot evict pod"}`, evict,
			"evict pods/eviction x/p: the API server answers 429 TooManyRequests: Cannot evict pod",
		},
		"two budgets": {
			[]int{500},
			`{"message":"more than one"}`, evict,
			"evict pods/eviction x/p: the API server answers 500: more than one",
		},
		"an eviction by a busy server": {[]int{503, 200}, "", evict, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := 0
			s := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(test.codes[min(requests, len(test.codes)-1)])
				requests++
				_, _ = io.WriteString(w, test.body)
			})
			equal(t, "error", test.want, message(test.do(s.client(t))))
			equal(t, "requests", len(test.codes), requests)
		})
	}
}

func TestTheRetryTimeout(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	c := s.client(t)
	c.retryTimeout = 3 * time.Second // a busy machine needs a second for a connection
	equal(t, "error", "get nodes a: the API server answers 503", message(c.Get(t.Context(), nodeA, nil)))
	if n := len(s.lines()); n < 3 || n > 13 {
		t.Errorf("%d requests", n)
	}
}

func TestTheKindsOfErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code int
		body string
		want string
	}{
		"not found":         {404, `{}`, "not found"},
		"exists":            {409, `{"reason":"AlreadyExists"}`, "exists"},
		"conflict":          {409, `{"reason":"Conflict"}`, "conflict"},
		"too many requests": {429, `{}`, "too many"},
		"forbidden":         {403, `{}`, ""},
	} {
		err := fmt.Errorf("wrapped: %w", newStatusError("get", nodeA, test.code, []byte(test.body)))
		var got []string
		for kind, is := range map[string]func(error) bool{
			"not found": IsNotFound, "exists": IsAlreadyExists, "conflict": IsConflict, "too many": IsTooManyRequests,
		} {
			if is(err) {
				got = append(got, kind)
			}
			if is(errors.New("no")) {
				t.Errorf("any error is %s", kind)
			}
		}
		equal(t, name, test.want, strings.Join(got, " "))
	}
}

// The message of the API server about a Secret may repeat a part of it.
func TestErrorsAboutSecretsShowNothingOfThem(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, `{"reason":"Invalid","message":"data: hush-hush is not valid"}`)
	})
	err := s.client(t).Create(t.Context(), secretA, map[string]string{"data": "hush-hush"})
	equal(t, "error", "create secrets kube-system/a: the API server answers 422 Invalid", message(err))
	err = s.client(t).Create(t.Context(), secretA, map[string]any{"data": func() {}})
	equal(t, "error", "create secrets kube-system/a: the object cannot be written as JSON", message(err))
}

func TestAnInvalidAnswer(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })
	equal(t, "error", "get nodes a: the answer is not the JSON of a *v1.Node",
		message(s.client(t).Get(t.Context(), nodeA, &corev1.Node{})))
}

// Only a server with a certificate of the cluster's authority and with the expected name gets a
// request. Any other one fails at once, because repeating the request would not help.
func TestAServerThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(http.ResponseWriter, *http.Request) { t.Error("it gets a request") })
	for name, test := range map[string]struct{ secret, serverName, want string }{
		"of another authority": {otherSecret, "kubernetes", "x509: certificate signed by unknown authority"},
		"with another name":    {oneSecret, "elsewhere", "x509: certificate is valid for kubernetes, not elsewhere"},
	} {
		c, err := NewClient(kubeconfigFor(t, test.secret, s.Listener.Addr().String(), test.serverName))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		err = c.Create(t.Context(), secretA, map[string]string{"data": "hush-hush"})
		if !strings.HasPrefix(message(err), "create secrets kube-system/a: ") ||
			!strings.Contains(message(err), test.want) || strings.Contains(message(err), "hush") {
			t.Errorf("%s: %v", name, err)
		}
		if waited := time.Since(began); waited > 10*time.Second {
			t.Errorf("%s: it has taken %s", name, waited)
		}
	}
}

// A user whom the server does not know is refused, at once as well.
func TestAUserThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(http.ResponseWriter, *http.Request) { t.Error("it gets a request") })
	c := s.client(t)
	other, err := NewClient(kubeconfigFor(t, otherSecret, s.Listener.Addr().String(), "kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	config := c.http.Transport.(*http.Transport).TLSClientConfig
	config.Certificates = other.http.Transport.(*http.Transport).TLSClientConfig.Certificates
	c.retryTimeout = time.Hour
	if err := c.Get(t.Context(), nodeA, nil); !strings.Contains(message(err), "remote error: tls:") {
		t.Errorf("%v", err)
	}
}

// The API server of a new cluster is behind a load balancer that does not know it yet.
func TestServerThatBecomesAvailableLater(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(http.ResponseWriter, *http.Request) {})
	c := s.client(t)
	dials := 0
	c.retryTimeout = time.Minute
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dials++; dials < 3 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		tunnel(t, w, r)
	}))
	t.Cleanup(proxy.Close)
	throughProxy(t, c, proxy.URL)
	equal(t, "error", "", message(c.Get(t.Context(), nodeA, nil)))
	equal(t, "connections", 3, dials)
	equal(t, "requests", []string{"kubeadm:cluster-admins GET /api/v1/nodes/a"}, s.lines())
}

func TestAContextThatEnds(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	c := s.client(t)
	c.retryTimeout, c.firstPause = time.Hour, time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	equal(t, "error", "get nodes a: the API server answers 503", message(c.Get(ctx, nodeA, nil)))
}

// Proxies of the environment are not for addresses of this machine: so here it is only that the
// client asks the environment.
func TestProxyFromEnvironment(t *testing.T) {
	t.Parallel()
	c, err := NewClient(kubeconfigFor(t, oneSecret, "203.0.113.10:6443", "kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%p", c.http.Transport.(*http.Transport).Proxy),
		fmt.Sprintf("%p", http.ProxyFromEnvironment); got != want {
		t.Error("it is not")
	}
}

func TestKubeconfigsThatAreRefused(t *testing.T) {
	t.Parallel()
	good := kubeconfigFor(t, oneSecret, "203.0.113.10:6443", "kubernetes")
	key := line(good, "client-key-data: ")
	otherKey := line(kubeconfigFor(t, otherSecret, "x:1", ""), "client-key-data: ")
	for name, test := range map[string]struct{ text, want string }{
		"nothing": {"", `the kubeconfig has no cluster for its current context ""`},
		"no YAML": {"a: [hush", "the kubeconfig is not valid YAML"},
		"no context": {
			strings.Replace(good, "current-context: shop", "current-context: x", 1),
			`the kubeconfig has no cluster for its current context "x"`,
		},
		"not encrypted": {
			strings.Replace(good, "https:", "http:", 1),
			`the server of the kubeconfig is not an https URL: "http://203.0.113.10:6443"`,
		},
		"no CA": {
			strings.Replace(good, line(good, "certificate-authority-data: "), "aHVzaA==", 1),
			"certificate-authority-data of the kubeconfig has no certificate",
		},
		"another user": {
			strings.Replace(good, "user: mixedkube", "user: x", 1),
			`the kubeconfig has no user for its current context "shop"`,
		},
		"another's key": {
			strings.Replace(good, key, otherKey, 1),
			"client-certificate-data and client-key-data of the kubeconfig are not a certificate and its key",
		},
		"a token": {
			strings.Replace(good, "client-key-data", "token", 1),
			"client-certificate-data and client-key-data of the kubeconfig are not a certificate and its key",
		},
	} {
		_, err := NewClient(test.text)
		equal(t, name, test.want, message(err))
		if strings.Contains(message(err), base64.StdEncoding.EncodeToString([]byte("hush"))) {
			t.Errorf("%s: the error shows the kubeconfig", name)
		}
	}
}

// line returns what follows a key.
func line(text, key string) string {
	_, rest, _ := strings.Cut(text, key)
	value, _, _ := strings.Cut(rest, "\n")
	return value
}
