package bootstrap

import (
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/loopback"
)

// secretValue must be nowhere but in the cluster.
const secretValue = "a-value-that-nobody-else-may-read"

// protectedCluster is one whose authority is known, with all options of the API server.
func protectedCluster(t *testing.T) (bootstrap.Cluster, bootstrap.Join) {
	t.Helper()
	certificates := keyPairs(t)
	ca := certificates.CA
	join := bootstrap.Join{
		Token:          "tests0.notarealtoken000",
		Certificates:   certificates,
		EncryptionKeys: []string{base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("0123456789abcdef"), 2))},
	}
	c := cluster(network.FlannelVXLAN, "1.36")
	c.CACertificate = ca.Certificate
	c.APIServer = bootstrap.APIServerOptions{
		OIDC: bootstrap.OIDC{
			IssuerURL: "https://login.example.com/tenant", ClientID: "kubectl", UsernameClaim: "email",
			GroupsClaim: "groups", CA: ca.Certificate,
		},
		PodSecurity: "baseline",
		CertSANs:    []string{"api.example.org", "203.0.113.10"},
		ExtraArgs:   map[string]string{"event-ttl": "30m"},
	}
	return c, join
}

// keyPairs returns the four that a control plane shares.
func keyPairs(t *testing.T) bootstrap.Certificates {
	t.Helper()
	key := ecdsaKey(t)
	return bootstrap.Certificates{
		CA: authority(t, "kubernetes", ecdsaKey(t)), EtcdCA: authority(t, "etcd-ca", ecdsaKey(t)),
		FrontProxyCA: authority(t, "front-proxy-ca", ecdsaKey(t)),
		ServiceAccount: bootstrap.KeyPair{
			Certificate: text("PUBLIC KEY", must(x509.MarshalPKIXPublicKey(key.Public()))(t)),
			PrivateKey:  text("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(key))(t)),
		},
	}
}

// server is an API server that runs with the arguments and files of a node.
type server struct {
	url, etcd, audit string
	args             []string
	ca               string
	admin            tls.Certificate
	// etcdClient is what etcd answers, if it is not everyone.
	etcdClient *http.Client
}

// disk is a directory that stands for the node's /.
type disk string

func (d disk) at(path string) string { return filepath.Join(string(d), filepath.FromSlash(path)) }

func (d disk) write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.at(path)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.at(path), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// manifest has kubeadm write the static pod of the API server of the first node, with its
// files in a directory of the test's own.
func manifest(t *testing.T, d disk, c bootstrap.Cluster, j bootstrap.Join) corev1.Pod {
	t.Helper()
	n := controlPlane(t, c, j)
	n.onto(t, d)
	d.initPhase(t, "certs", "all")
	d.initPhase(t, "control-plane", "apiserver", "--dry-run")
	var pod corev1.Pod
	if err := yaml.UnmarshalStrict(must(os.ReadFile(d.at("/manifests/kube-apiserver.yaml")))(t), &pod); err != nil {
		t.Fatal(err)
	}
	return pod
}

// onto writes the files of a node, as bootstrap.sh leaves them, and the configuration of
// kubeadm for this directory.
func (n node) onto(t *testing.T, d disk) {
	t.Helper()
	for _, f := range n.files {
		d.write(t, f.Path, f.Content)
		if name, ok := strings.CutPrefix(f.Path, "/etc/mixedkube/pki/"); ok {
			d.write(t, "/etc/kubernetes/pki/"+name, f.Content)
		}
	}
	config := strings.ReplaceAll(n.kubeadm(t).Content, "/etc/mixedkube/", d.at("/etc/mixedkube")+"/")
	config = strings.ReplaceAll(config, "/var/log/kubernetes/", d.at("/var/log/kubernetes")+"/")
	config = replaceOnce(t, config, "kind: ClusterConfiguration\n",
		"kind: ClusterConfiguration\ncertificatesDir: "+d.at("/etc/kubernetes/pki")+"\n")
	d.write(t, "/kubeadm.yaml", config)
}

// initPhase runs a phase of kubeadm init; with --dry-run, static pods are in /manifests.
func (d disk) initPhase(t *testing.T, phase ...string) {
	t.Helper()
	if err := os.MkdirAll(d.at("/manifests"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), ensure(t, "kubeadm"),
		append([]string{"init", "phase"}, append(phase, "--config", d.at("/kubeadm.yaml"))...)...)
	cmd.Env = append(os.Environ(), "KUBEADM_INIT_DRYRUN_DIR="+d.at("/manifests"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("kubeadm %s: %v\n%s", phase, err, out)
	}
}

// newServer returns the API server of a manifest, and an etcd, on loopback.
func newServer(t *testing.T, d disk, pod corev1.Pod) server {
	t.Helper()
	client, peer, api := loopback.Port(t), loopback.Port(t), loopback.Port(t)
	s := server{
		url:  "https://127.0.0.1:" + api,
		etcd: "http://127.0.0.1:" + client, audit: d.at("/var/log/kubernetes/audit/audit.log"),
		ca: string(must(os.ReadFile(d.at("/etc/kubernetes/pki/ca.crt")))(t)),
	}
	run(t, "etcd", ensure(t, "etcd"), "--data-dir="+t.TempDir(), "--listen-client-urls="+s.etcd,
		"--advertise-client-urls="+s.etcd, "--listen-peer-urls=http://127.0.0.1:"+peer,
		"--initial-advertise-peer-urls=http://127.0.0.1:"+peer, "--initial-cluster=default=http://127.0.0.1:"+peer)
	// The arguments that name this machine instead of the node, and its etcd.
	for _, arg := range pod.Spec.Containers[0].Command[1:] {
		switch name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "="); name {
		case "advertise-address", "etcd-cafile", "etcd-certfile", "etcd-keyfile", "etcd-servers", "secure-port":
		default:
			s.args = append(s.args, arg)
		}
	}
	s.args = append(s.args, "--advertise-address=127.0.0.1", "--bind-address=127.0.0.1", "--secure-port="+api,
		"--etcd-servers="+s.etcd)
	s.admin = administrator(t, d)
	return s
}

// administrator returns a certificate of the group that may do everything.
func administrator(t *testing.T, d disk) tls.Certificate {
	t.Helper()
	pair := bootstrap.KeyPair{
		Certificate: string(must(os.ReadFile(d.at("/etc/kubernetes/pki/ca.crt")))(t)),
		PrivateKey:  string(must(os.ReadFile(d.at("/etc/kubernetes/pki/ca.key")))(t)),
	}
	return client(t, pair, pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}})
}

// client returns a certificate for a user.
func client(t *testing.T, pair bootstrap.KeyPair, subject pkix.Name) tls.Certificate {
	t.Helper()
	ca, signer, err := pair.ParseCA()
	if err != nil {
		t.Fatal(err)
	}
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: subject,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	return tls.Certificate{
		Certificate: [][]byte{must(x509.CreateCertificate(rand.Reader, template, ca, key.Public(), signer))(t)},
		PrivateKey:  key,
	}
}

// run runs a program until the test ends, and returns how it ended.
func run(t *testing.T, name, program string, args ...string) (ended <-chan error, out *os.File) {
	t.Helper()
	out = must(os.Create(filepath.Join(t.TempDir(), name+".log")))(t)
	cmd := exec.Command(program, args...) //nolint:noctx // It is killed below, after what asks it.
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	stopped := make(chan struct{})
	go func() { done <- cmd.Wait(); close(stopped) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // It may have ended.
		<-stopped
		if err := out.Close(); err != nil {
			t.Error(err)
		}
	})
	return done, out
}

// start starts the API server, and waits until it is ready.
func (s server) start(t *testing.T) {
	t.Helper()
	ended, out := run(t, "kube-apiserver", ensure(t, "kube-apiserver"), s.args...)
	for range 600 {
		select {
		case err := <-ended:
			t.Fatalf("kube-apiserver %s: %v\n%s", s.args, err, must(os.ReadFile(out.Name()))(t))
		case <-time.After(200 * time.Millisecond):
		}
		if status, _ := s.do(t, false, http.MethodGet, "/readyz", ""); status == http.StatusOK {
			return
		}
	}
	t.Fatalf("it is not ready:\n%s", must(os.ReadFile(out.Name()))(t))
}

// do sends a request as an administrator, or anonymously. The status is 0 if there is no
// answer.
func (s server) do(t *testing.T, admin bool, method, path, object string) (status int, answer string) {
	t.Helper()
	if !admin {
		return s.as(t, user{}, method, path, object)
	}
	return s.as(t, user{certificate: s.admin}, method, path, object)
}

// user is the user who sends a request: by a certificate, by headers, or anonymous.
type user struct {
	certificate tls.Certificate
	header      http.Header
}

// as sends a request. The status is 0 if no server with a certificate of its authorities
// answers.
func (s server) as(t *testing.T, u user, method, path, object string) (status int, answer string) {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(s.ca))
	config := &tls.Config{RootCAs: roots, ServerName: "api.example.org", MinVersion: tls.VersionTLS12}
	if u.certificate.PrivateKey != nil {
		config.Certificates = []tls.Certificate{u.certificate}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	request := must(http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(object)))(t)
	request.Header = u.header.Clone()
	if request.Header == nil {
		request.Header = http.Header{}
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func (s server) create(t *testing.T, path, object string) {
	t.Helper()
	if status, answer := s.do(t, true, http.MethodPost, path, object); status != http.StatusCreated {
		t.Fatalf("%s: %d %s", path, status, answer)
	}
}

// stored returns what etcd has at a key.
func (s server) stored(t *testing.T, key string) string {
	t.Helper()
	body := fmt.Sprintf(`{"key": %q}`, base64.StdEncoding.EncodeToString([]byte(key)))
	request := must(http.NewRequestWithContext(t.Context(), http.MethodPost, s.etcd+"/v3/kv/range",
		strings.NewReader(body)))(t)
	response, err := cmp.Or(s.etcdClient, http.DefaultClient).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ Kvs []struct{ Value []byte } }
	err = json.NewDecoder(response.Body).Decode(&found)
	if err := errors.Join(err, response.Body.Close()); err != nil || len(found.Kvs) != 1 {
		t.Fatalf("%s: %+v (%v)", key, found, err)
	}
	return string(found.Kvs[0].Value)
}

// TestTheAPIServerRunsProtected starts the real API server with the arguments that kubeadm
// derives from a node's files, and with these files.
func TestTheAPIServerRunsProtected(t *testing.T) {
	t.Parallel()
	d := disk(t.TempDir())
	c, j := protectedCluster(t)
	s := newServer(t, d, manifest(t, d, c, j))
	s.start(t)

	s.create(t, "/api/v1/namespaces/default/secrets", `{"metadata": {"name": "password"}, "stringData": {"a": "`+
		secretValue+`"}}`)
	value := s.stored(t, "/registry/secrets/default/password")
	prefix := "k8s:enc:secretbox:v1:" + bootstrap.EncryptionKeyName(j.EncryptionKeys[0]) + ":"
	if !strings.HasPrefix(value, prefix) || strings.Contains(value, secretValue) {
		t.Errorf("the Secret is in etcd as %.60q", value)
	}
	status, answer := s.do(t, true, http.MethodGet, "/api/v1/namespaces/default/secrets/password", "")
	if status != http.StatusOK || !strings.Contains(answer, base64.StdEncoding.EncodeToString([]byte(secretValue))) {
		t.Errorf("the Secret is not read: %d %s", status, answer)
	}

	for path, want := range map[string]int{
		"/livez": 200, "/readyz": 200, "/healthz": 200, "/livez/ping": 401, "/version": 401, "/api": 401,
		"/metrics": 401,
		"/api/v1/namespaces/kube-public/configmaps/cluster-info": 401,
	} {
		if status, answer := s.do(t, false, http.MethodGet, path, ""); status != want {
			t.Errorf("anonymous users get %d from %s, want %d: %.100s", status, path, want, answer)
		}
	}
	if status, _ := s.do(t, true, http.MethodGet, "/debug/pprof/", ""); status != http.StatusNotFound {
		t.Errorf("/debug/pprof/ answers %d", status)
	}

	s.create(t, "/api/v1/namespaces/default/serviceaccounts", `{"metadata": {"name": "default"}}`)
	privileged := `{"metadata": {"name": "privileged"}, "spec": {"containers": [{"name": "a", "image": "a", ` +
		`"securityContext": {"privileged": true}}]}}`
	if status, answer := s.do(t, true, http.MethodPost, "/api/v1/namespaces/default/pods", privileged); status != 403 ||
		!strings.Contains(answer, `violates PodSecurity \"baseline:latest\"`) {
		t.Errorf("a privileged pod: %d %s", status, answer)
	}
	s.checkAudit(t)
}

// checkAudit looks for what is in the log, and what must not be.
func (s server) checkAudit(t *testing.T) {
	t.Helper()
	info := must(os.Stat(s.audit))(t)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the log is for others, too: %v", info.Mode())
	}
	log := string(must(os.ReadFile(s.audit))(t))
	encoded := base64.StdEncoding.EncodeToString([]byte(secretValue))
	if strings.Contains(log, secretValue) || strings.Contains(log, encoded) {
		t.Error("the log has the Secret")
	}
	made := 0
	for line := range strings.Lines(log) {
		var event struct {
			Level, Stage, Verb, RequestURI string
			User                           struct{ Username string }
			ObjectRef                      struct{ Resource, Name string }
			RequestObject, ResponseObject  any
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if event.Level != "Metadata" || event.RequestObject != nil || event.ResponseObject != nil ||
			event.Stage == "RequestReceived" || strings.HasPrefix(event.RequestURI, "/readyz") {
			t.Errorf("a line too much: %s", line)
		}
		if event.Verb == "create" && event.ObjectRef.Resource == "secrets" && event.User.Username == "admin" {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d lines say who made the Secret:\n%s", made, log)
	}
}

// TestTheAPIServerReadsItsFiles makes sure that the test above can fail: each file is read
// strictly.
func TestTheAPIServerReadsItsFiles(t *testing.T) {
	t.Parallel()
	d := disk(t.TempDir())
	c, j := protectedCluster(t)
	pod := manifest(t, d, c, j)
	for file, edit := range map[string]struct{ old, replacement, want string }{
		"admission.yaml": {"enforce: baseline", "enforce: basic", "enforce: must be one of privileged, baseline, " +
			"restricted"},
		"audit-policy.yaml":   {"level: Metadata", "level: Meta", "Meta"},
		"authentication.yaml": {"audiences:", "audience:", "audience"},
		"encryption.yaml":     {j.EncryptionKeys[0], "c2hvcnQ=", "secret is not of the expected length"},
	} {
		path := "/etc/mixedkube/apiserver/" + file
		whole := string(must(os.ReadFile(d.at(path)))(t))
		d.write(t, path, replaceOnce(t, whole, edit.old, edit.replacement))
		s := newServer(t, d, pod)
		ended, out := run(t, "kube-apiserver", ensure(t, "kube-apiserver"), s.args...)
		select {
		case err := <-ended:
			if log := string(must(os.ReadFile(out.Name()))(t)); err == nil || !strings.Contains(log, edit.want) {
				t.Errorf("%s: %v\n%s", file, err, log)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s is not read:\n%s", file, must(os.ReadFile(out.Name()))(t))
		}
		d.write(t, path, whole)
	}
}

// TestTheServersCertificateHasTheNames looks at what kubeadm creates, and at the manifest that
// renew-certificates.sh edits.
func TestTheServersCertificateHasTheNames(t *testing.T) {
	t.Parallel()
	d := disk(t.TempDir())
	c, j := protectedCluster(t)
	pod := manifest(t, d, c, j)
	for _, name := range c.APIServer.CertSANs {
		if err := certificate(t, d.at("/etc/kubernetes/pki/apiserver.crt")).VerifyHostname(name); err != nil {
			t.Error(err)
		}
	}
	for _, arg := range []string{"--event-ttl=30m", "--profiling=false", "--tls-min-version=VersionTLS12"} {
		if !slices.Contains(pod.Spec.Containers[0].Command, arg) {
			t.Errorf("there is no %s: %s", arg, pod.Spec.Containers[0].Command)
		}
	}
	mounted := map[string]bool{}
	for _, mount := range pod.Spec.Containers[0].VolumeMounts {
		mounted[mount.MountPath] = mount.ReadOnly
	}
	if readOnly, found := mounted[d.at("/etc/mixedkube/apiserver")]; !found || !readOnly {
		t.Errorf("the files are not mounted read-only: %v", mounted)
	}
	if readOnly, found := mounted[d.at("/var/log/kubernetes/audit")]; !found || readOnly {
		t.Errorf("the log is not mounted: %v", mounted)
	}
	text := string(must(os.ReadFile(d.at("/manifests/kube-apiserver.yaml")))(t))
	if strings.Count(text, "\n  labels:\n") != 1 {
		t.Errorf("renew-certificates.sh finds no place for its label:\n%s", text)
	}
}
