package structure

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/tests/internal/loopback"
)

// server is an API server with etcd, without a cluster.
type server struct {
	url, token string
	client     *http.Client
	// resources are the paths at which objects are created, by "apps/v1 Deployment".
	resources map[string]string
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start starts a server, and stops it at the end of the test.
func start(t *testing.T) *server {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	check(t, err)
	cache, err := tools.FromRoot(root, t.Output())
	check(t, err)
	paths, err := cache.Ensure(t.Context(), "etcd", "kube-apiserver")
	check(t, err)

	dir := t.TempDir()
	etcd, peer, port := "http://127.0.0.1:"+loopback.Port(t), "http://127.0.0.1:"+loopback.Port(t), loopback.Port(t)
	run(t, dir, paths["etcd"], "--data-dir="+filepath.Join(dir, "etcd"), "--listen-client-urls="+etcd,
		"--advertise-client-urls="+etcd, "--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
		"--initial-cluster=default="+peer)
	s := &server{url: "https://127.0.0.1:" + port, token: rand.Text(), resources: map[string]string{}}
	write(t, filepath.Join(dir, "tokens"), s.token+",admin,admin,system:masters\n")
	key := filepath.Join(dir, "key.pem")
	s.certificate(t, key, filepath.Join(dir, "cert.pem"))
	ended := run(t, dir, paths["kube-apiserver"], "--etcd-servers="+etcd, "--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1", "--secure-port="+port, "--tls-private-key-file="+key,
		"--tls-cert-file="+filepath.Join(dir, "cert.pem"), "--token-auth-file="+filepath.Join(dir, "tokens"),
		"--authorization-mode=RBAC", "--service-cluster-ip-range=10.96.0.0/16", "--service-account-key-file="+key,
		"--service-account-signing-key-file="+key, "--service-account-issuer=https://kubernetes.default.svc")
	for began := time.Now(); ; {
		if status, _, err := s.do(t, http.MethodGet, "/readyz", nil); err == nil && status == http.StatusOK {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("kube-apiserver: %v", err)
		case <-time.After(200 * time.Millisecond):
		}
		if time.Since(began) > 2*time.Minute {
			t.Fatal("the API server is not ready after two minutes")
		}
	}
	s.discover(t)
	return s
}

// certificate creates the server's key, which also signs tokens, and its certificate.
func (s *server) certificate(t *testing.T, keyFile, certFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	private, err := x509.MarshalECPrivateKey(key)
	check(t, err)
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	check(t, err)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	write(t, certFile, string(text))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	s.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, MaxIdleConnsPerHost: 8,
	}}
}

func write(t *testing.T, file, content string) {
	t.Helper()
	check(t, os.WriteFile(file, []byte(content), 0o600))
}

// run runs a program until the test ends, and returns a channel for its error.
func run(t *testing.T, dir, program string, args ...string) <-chan error {
	t.Helper()
	out, err := os.Create(filepath.Join(dir, filepath.Base(program)+".log"))
	check(t, err)
	cmd := exec.Command(program, args...) //nolint:noctx // It is killed below, after its clients.
	cmd.Stdout, cmd.Stderr = out, out
	check(t, cmd.Start())
	ended, stopped := make(chan error, 1), make(chan struct{})
	go func() { ended <- cmd.Wait(); close(stopped) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // It may have ended.
		<-stopped
		if t.Failed() {
			output, _ := os.ReadFile(out.Name())
			t.Logf("%s:\n%s", filepath.Base(program), output[max(0, len(output)-2000):])
		}
		if err := out.Close(); err != nil {
			t.Error(err)
		}
	})
	return ended
}

// do sends a request.
func (s *server) do(t *testing.T, method, path string, body []byte) (status int, answer []byte, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, bytes.NewReader(body))
	check(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+s.token)
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, errors.Join(err, response.Body.Close())
}

// discover finds the paths at which objects are created, as kubectl does.
func (s *server) discover(t *testing.T) {
	t.Helper()
	var groups metav1.APIGroupList
	s.get(t, "/apis", &groups)
	paths := map[string]string{"v1": "/api/v1"}
	for i := range groups.Groups {
		for _, version := range groups.Groups[i].Versions {
			paths[version.GroupVersion] = "/apis/" + version.GroupVersion
		}
	}
	for version, path := range paths {
		var list metav1.APIResourceList
		s.get(t, path, &list)
		for i := range list.APIResources {
			r := &list.APIResources[i]
			if strings.Contains(r.Name, "/") || !strings.Contains(fmt.Sprint(r.Verbs), "create") {
				continue
			}
			at := path + "/" + r.Name
			if r.Namespaced {
				at = path + "/namespaces/default/" + r.Name
			}
			s.resources[version+" "+r.Kind] = at
		}
	}
}

func (s *server) get(t *testing.T, path string, into any) {
	t.Helper()
	status, answer, err := s.do(t, http.MethodGet, path, nil)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s %v", path, status, answer, err)
	}
	check(t, json.Unmarshal(answer, into))
}
