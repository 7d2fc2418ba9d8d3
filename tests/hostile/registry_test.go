package hostile

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// answers come from a hostile registry, which knows the address of another host.
type answers func(w http.ResponseWriter, r *http.Request, other string)

func answering(a answers) content { return content{answers: &a} }

const indexType = "application/vnd.oci.image.index.v1+json"

var registries = []kind{
	{"a registry that redirects to another host", one(answering(
		func(w http.ResponseWriter, r *http.Request, other string) {
			http.Redirect(w, r, other+"/latest/meta-data/?x=1", http.StatusTemporaryRedirect)
		}))},
	{"a registry that redirects for a token to another host", one(answering(
		func(w http.ResponseWriter, r *http.Request, other string) {
			if strings.HasPrefix(r.URL.Path, "/token") {
				http.Redirect(w, r, other+"/internal/admin", http.StatusFound)
				return
			}
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="http://%s/token",service="a"`, r.Host))
			w.WriteHeader(http.StatusUnauthorized)
		}))},
	{"a registry with the realm of another host", one(answering(
		func(w http.ResponseWriter, _ *http.Request, other string) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="`+other+`/internal/admin?x=1",service="a",scope="b"`)
			w.WriteHeader(http.StatusUnauthorized)
		}))},
	{"a registry that never ends", one(answering(func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", indexType)
		_, _ = io.WriteString(w, `{"schemaVersion":2,"manifests":[`)
		for range 20_000 {
			if _, err := io.WriteString(w, strings.Repeat(`{"digest":""},`, 500)); err != nil {
				return
			}
		}
	}))},
	{"a registry that redirects to itself", one(answering(func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	}))},
	{"a registry with an index of itself", one(answering(func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", indexType)
		entry := fmt.Sprintf(`{"mediaType":%q,"size":2,"digest":"sha256:%s"}`, indexType, strings.Repeat("0", 64))
		fmt.Fprintf(w, `{"schemaVersion":2,"manifests":[%s%s]}`, strings.Repeat(entry+",", 5_000), entry)
	}))},
}

// saying returns a registry whose answers have a text in them, or are a document.
func saying(c content) answers {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		if r.URL.Path == "/v2/" {
			return
		}
		w.Header().Set("Content-Type", indexType)
		if c.document != nil {
			_, _ = io.WriteString(w, c.document())
			return
		}
		q := quoted(c.text)
		if len(c.text)%2 == 0 {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"errors":[{"code":%[1]s,"message":%[1]s,"detail":{%[1]s:%[1]s}}]}`, q)
			return
		}
		fmt.Fprintf(w, `{"schemaVersion":2,"mediaType":%[1]s,"manifests":[{"mediaType":%[1]s,"size":2,`+
			`"digest":"sha256:%[2]s","platform":{"os":%[1]s,"os.version":%[1]s,"architecture":%[1]s}}]}`,
			q, strings.Repeat("0", 64))
	}
}

func layRegistry(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	reply := saying(c)
	if c.answers != nil {
		reply = *c.answers
	}
	other := m.otherHost(t)
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply(w, r, other)
	}))
	t.Cleanup(registry.Close)
	host := strings.TrimPrefix(registry.URL, "http://")
	m.logIn(t, host)
	write(t, m.at("deploy/web.yaml"), "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"+
		"spec: {containers: [{name: a, image: \""+host+"/shop/a:1\"}]}\n")
	if r.IntN(2) == 0 {
		return run{args: []string{"check", "--look", "--format", []string{"text", "sarif"}[r.IntN(2)], "--", "deploy"}}
	}
	locking := []string{"images", "lock", "--file", "out/lock.yaml", "--", "deploy"}
	return run{args: locking, writes: []string{"checkout/out"}}
}

// logIn writes the user and the password for a registry, as docker login does.
func (m machine) logIn(t *testing.T, host string) {
	t.Helper()
	write(t, m.base+"/home/config.json", fmt.Sprintf(`{"auths":{%q:{"username":"user","password":%q}}}`, host, secret))
}

// otherHost starts a host that the user has not named. A request to it fails the test.
func (m machine) otherHost(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.2:0") // another address of the loopback network
	must(t, err)
	var mu sync.Mutex
	var requests []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, password, _ := r.BasicAuth()
		requests = append(requests, fmt.Sprintf("%s %s with the password %q", r.Method, r.URL, password))
	}))
	must(t, server.Listener.Close())
	server.Listener = listener
	server.Start()
	t.Cleanup(func() {
		server.Close()
		mu.Lock()
		defer mu.Unlock()
		if len(requests) > 0 {
			t.Errorf("a host that the user has not named got %q", requests)
		}
	})
	return server.URL
}
