package apiserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/mixedkube/mixedkube/internal/azuresim/apiserver"
)

// trusted returns the keys of a machine that signs with the first authority, and trusts all.
func trusted(t *testing.T, signer ca, others ...ca) apiserver.Keys {
	t.Helper()
	keys := signer.keys(t)
	for _, other := range others {
		keys.CACert += other.pem
	}
	return keys
}

// trusting returns a client that trusts the authorities to have signed the server's certificate.
func trusting(client rest.TLSClientConfig, authorities ...ca) rest.TLSClientConfig {
	client.CAData = nil
	for _, a := range authorities {
		client.CAData = append(client.CAData, a.pem...)
	}
	return client
}

// replaceable are the keys of the only machine. Tests replace them.
type replaceable struct {
	mutex   sync.Mutex
	keys    apiserver.Keys
	deleted error
}

func (r *replaceable) set(keys apiserver.Keys, deleted error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.keys, r.deleted = keys, deleted
}

func (r *replaceable) resolve(context.Context, string) (apiserver.Keys, bool, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.keys, true, r.deleted
}

// The steps of https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/: the API server trusts all
// certificates of ca.crt and signs with the first.
func TestAllAuthoritiesAreTrustedAndTheFirstSigns(t *testing.T) {
	t.Parallel()
	before, after := newCA(t, ecKey(t)), newCA(t, ecKey(t))
	const unknown = "x509: certificate signed by unknown authority"
	for name, x := range map[string]struct {
		keys   apiserver.Keys
		client rest.TLSClientConfig
		want   string
	}{
		"trust: a client of before":       {trusted(t, before, after), before.admin(t), ""},
		"trust: a client of after":        {trusted(t, before, after), trusting(after.admin(t), before), ""},
		"trust: the signer is before's":   {trusted(t, before, after), after.admin(t), unknown},
		"promote: a client of before":     {trusted(t, after, before), trusting(before.admin(t), after), ""},
		"promote: the signer is after's":  {trusted(t, after, before), before.admin(t), unknown},
		"distrust: a client of before":    {trusted(t, after), trusting(before.admin(t), after), "Unauthorized"},
		"distrust: a client of after":     {trusted(t, after), after.admin(t), ""},
		"distrust: trusting both is fine": {trusted(t, after), trusting(after.admin(t), before, after), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t)
			proxy, _ := start(t, apiserver.Options{Resolve: known(x.keys), Backend: b.config(), Upstream: direct})
			err := look(t, proxy, x.client)
			if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
				t.Errorf("the error is %v, want %s", err, x.want)
			}
			if n := len(b.all()); n > 0 != (x.want == "") {
				t.Errorf("the lab's API server got %d requests", n)
			}
		})
	}
}

// ends waits until a watch ends with an error.
func ends(t *testing.T, watch io.Reader) {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := io.ReadAll(watch)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("the watch ended as if nothing was wrong")
		}
	case <-time.After(10 * time.Second):
		t.Error("the watch continues")
	}
}

// watching opens a watch that the lab's API server does not end.
func watching(t *testing.T, proxy *url.URL, b *backend, client rest.TLSClientConfig) io.Reader {
	t.Helper()
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	b.handle = func(w http.ResponseWriter, r *http.Request) {
		if !r.URL.Query().Has("watch") {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default"}}`))
			return
		}
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}
	config := &rest.Config{
		Host: "https://" + machineAddress, TLSClientConfig: client, Proxy: http.ProxyURL(proxy),
	}
	transport, err := rest.TransportFor(config)
	must(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		"https://"+machineAddress+"/api/v1/namespaces?watch=true", nil)
	must(t, err)
	answer, err := transport.RoundTrip(request)
	must(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer.Body
}

// When a machine gets other keys, its API server is restarted: open connections end, and a certificate that is no
// longer trusted stops working.
func TestConnectionsEndWhenTheKeysAreReplaced(t *testing.T) {
	t.Parallel()
	before, after := newCA(t, ecKey(t)), newCA(t, ecKey(t))
	machine := &replaceable{keys: trusted(t, before, after)}
	b := newBackend(t)
	proxy, _ := start(t, apiserver.Options{Resolve: machine.resolve, Backend: b.config(), Upstream: direct})
	old := trusting(before.admin(t), before, after)
	client, watch := connect(t, proxy, old), watching(t, proxy, b, old)
	get := func() error {
		_, err := client.CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{})
		return err
	}
	must(t, get())
	machine.set(trusted(t, after), nil)
	ends(t, watch)
	// The connection of the watch ends as well, though not at the same instant.
	deadline := time.Now().Add(10 * time.Second)
	for err := get(); !apierrors.IsUnauthorized(err); err = get() {
		if time.Now().After(deadline) {
			t.Fatalf("with a certificate of before: %v", err)
		}
	}
	must(t, look(t, proxy, after.admin(t)))
}

// A request that runs when the API server ends is completed, and later ones use a new connection.
func TestRequestsAreCompletedWhenTheKeysAreReplaced(t *testing.T) {
	t.Parallel()
	before, after := newCA(t, ecKey(t)), newCA(t, ecKey(t))
	machine := &replaceable{keys: trusted(t, before, after)}
	b := newBackend(t)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	b.handle = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/slow") {
			_, _ = io.WriteString(w, `{"kind":"Namespace",`)
			_ = http.NewResponseController(w).Flush()
			close(arrived)
			<-goOn
			_, _ = io.WriteString(w, `"apiVersion":"v1","metadata":{"name":"slow"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default"}}`)
	}
	proxy, _ := start(t, apiserver.Options{Resolve: machine.resolve, Backend: b.config(), Upstream: direct})
	client := connect(t, proxy, trusting(before.admin(t), before, after))
	get := func(name string) error {
		found, err := client.CoreV1().Namespaces().Get(t.Context(), name, metav1.GetOptions{})
		if err == nil && found.Name != name {
			t.Errorf("%s is called %q", name, found.Name)
		}
		return err
	}
	slow := make(chan error, 1)
	go func() { slow <- get("slow") }()
	<-arrived
	// The API server now refuses the certificate of the client.
	machine.set(trusted(t, after), nil)
	deadline := time.Now().Add(10 * time.Second)
	err := get("default")
	for ; err == nil; err = get("default") {
		if time.Now().After(deadline) {
			t.Fatal("the old keys are still in use")
		}
	}
	if !apierrors.IsUnauthorized(err) {
		t.Errorf("a request while the API server ends: %v", err)
	}
	close(goOn)
	must(t, <-slow)
}

func TestConnectionsEndWithTheMachine(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	machine := &replaceable{keys: authority.keys(t)}
	b := newBackend(t)
	proxy, _ := start(t, apiserver.Options{Resolve: machine.resolve, Backend: b.config(), Upstream: direct})
	watch := watching(t, proxy, b, authority.admin(t))
	machine.set(apiserver.Keys{}, errors.New("connect to 203.0.113.7:6443: connection refused"))
	ends(t, watch)
	if err := look(t, proxy, authority.admin(t)); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("the error is %v", err)
	}
}

// Connections stay open while the keys stay the same.
func TestConnectionsStayWithTheKeys(t *testing.T) {
	t.Parallel()
	authority := newCA(t, ecKey(t))
	checked := make(chan struct{}, 100)
	keys := authority.keys(t)
	b := newBackend(t)
	proxy, _ := start(t, apiserver.Options{
		Resolve: func(context.Context, string) (apiserver.Keys, bool, error) {
			checked <- struct{}{}
			return keys, true, nil
		},
		Backend: b.config(), Upstream: direct,
	})
	watch := watching(t, proxy, b, authority.admin(t))
	for range 3 { // the first is for the connection itself
		select {
		case <-checked:
		case <-time.After(10 * time.Second):
			t.Fatal("the keys are not checked")
		}
	}
	done := make(chan struct{})
	go func() {
		_, _ = io.ReadAll(watch)
		close(done)
	}()
	select {
	case <-done:
		t.Error("the watch has ended")
	case <-time.After(100 * time.Millisecond):
	}
}
