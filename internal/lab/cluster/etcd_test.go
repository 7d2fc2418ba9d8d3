package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// None of the arguments that kwokctl passes to etcd and the API server may lead to a port without TLS.
func TestEtcdAndTheAPIServerRequireCertificates(t *testing.T) {
	t.Parallel()
	type argument struct {
		Key, Value string
		Override   bool
	}
	var config struct {
		ComponentsPatches []struct {
			Name      string
			ExtraArgs []argument `yaml:"extraArgs"`
		} `yaml:"componentsPatches"`
	}
	key := etcdKey{certificate: `/labs/a "b"\ü/etcd.crt`, key: "/labs/a: #/etcd.key"}
	document, _, _ := strings.Cut(kwokctlConfig([6]int{1, 2, 3, 4, 5, 6}, key, false), "\n---\n")
	if err := yaml.Unmarshal([]byte(document), &config); err != nil {
		t.Fatal(err)
	}
	got := map[string][]argument{}
	for _, patch := range config.ComponentsPatches {
		got[patch.Name] = append(got[patch.Name], patch.ExtraArgs...)
	}
	want := map[string][]argument{
		"etcd": {
			{"unsafe-no-fsync", "true", false},
			{"advertise-client-urls", "https://127.0.0.1:5", true},
			{"listen-client-urls", "https://127.0.0.1:5", true},
			{"initial-advertise-peer-urls", "https://127.0.0.1:6", true},
			{"listen-peer-urls", "https://127.0.0.1:6", true},
			{"initial-cluster", "node0=https://127.0.0.1:6", true},
			{"client-cert-auth", "true", false},
			{"trusted-ca-file", key.certificate, false},
			{"cert-file", key.certificate, false},
			{"key-file", key.key, false},
			{"peer-client-cert-auth", "true", false},
			{"peer-trusted-ca-file", key.certificate, false},
			{"peer-cert-file", key.certificate, false},
			{"peer-key-file", key.key, false},
		},
		"kube-apiserver": {
			{"etcd-servers", "https://127.0.0.1:5", true},
			{"etcd-cafile", key.certificate, false},
			{"etcd-certfile", key.certificate, false},
			{"etcd-keyfile", key.key, false},
		},
		"kube-controller-manager": {{"leader-elect", "false", false}},
		"kube-scheduler":          {{"leader-elect", "false", false}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

// loaded returns a key, and the pool of authorities with its certificate.
func loaded(t *testing.T, k etcdKey) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(k.certificate, k.key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(pair.Leaf)
	return pair, pool
}

// The key is for both ends of a connection, as etcd and the API server use it: with
// --client-cert-auth a client's certificate is required and verified.
func TestTheKeyOfEtcd(t *testing.T) {
	t.Parallel()
	newKey := func() etcdKey {
		dir := t.TempDir()
		k := etcdKey{certificate: filepath.Join(dir, "etcd.crt"), key: filepath.Join(dir, "etcd.key")}
		if err := k.write(); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{k.certificate, k.key} {
			if info, err := os.Stat(file); err != nil || info.Mode() != fs.FileMode(0o600) {
				t.Errorf("%s is %v, %v", file, info.Mode(), err)
			}
		}
		return k
	}
	own, pool := loaded(t, newKey())
	other, strangers := loaded(t, newKey())
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{
		Certificates: []tls.Certificate{own}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	for name, tt := range map[string]struct {
		client []tls.Certificate
		roots  *x509.CertPool
		want   string
	}{
		"the API server":           {[]tls.Certificate{own}, pool, ""},
		"nobody":                   {nil, pool, "tls: certificate required"},
		"another lab's API server": {[]tls.Certificate{other}, pool, "tls: unknown certificate authority"},
		"one of another server": {
			[]tls.Certificate{own}, strangers, "x509: certificate signed by unknown authority",
		},
	} {
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{Certificates: tt.client, RootCAs: tt.roots}, DisableKeepAlives: true,
		}}
		answer, err := client.Get(server.URL)
		if err == nil {
			_ = answer.Body.Close()
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, tt.want)
		}
	}
}
