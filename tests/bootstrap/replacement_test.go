package bootstrap

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/system/executable"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/tests/internal/loopback"
)

// keySet is all that the machines of a control plane share.
type keySet struct {
	bootstrap.Certificates
	encryption []string
}

// trusting returns the set, with the keys of the other one trusted as well.
func (k keySet) trusting(other keySet) keySet {
	k.CA.Certificate += other.CA.Certificate
	k.EtcdCA.Certificate += other.EtcdCA.Certificate
	k.FrontProxyCA.Certificate += other.FrontProxyCA.Certificate
	k.ServiceAccount.Certificate += other.ServiceAccount.Certificate
	k.encryption = append(append([]string{}, k.encryption...), other.encryption...)
	return k
}

// controlPlaneMachine is a machine of the control plane in a directory: its programs run on
// loopback, with the static pods that kubeadm writes.
type controlPlaneMachine struct {
	server
	d    disk
	pods *staticPods
	key  bootstrap.PayloadKey
	// path has the programs that the scripts run.
	path string
	// ports replaces the ports of a node by those of this machine.
	ports *strings.Replacer
}

func newControlPlaneMachine(t *testing.T) (m controlPlaneMachine, first keySet) {
	t.Helper()
	for _, program := range []string{"bash", "curl", "openssl", "flock"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: apt-get install bash curl openssl util-linux, as root", program)
		}
	}
	m.d = disk(t.TempDir())
	c, j := protectedCluster(t)
	c.APIServer.CertSANs = append(c.APIServer.CertSANs, "127.0.0.1")
	c.APIServer.Audit.Disabled, c.APIServer.OIDC = true, bootstrap.OIDC{}
	controlPlane(t, c, j).onto(t, m.d)
	m.d.initPhase(t, "certs", "all")
	m.d.initPhase(t, "kubeconfig", "all", "--kubeconfig-dir", m.d.at("/etc/kubernetes"))
	m.d.initPhase(t, "control-plane", "all", "--dry-run")
	m.d.initPhase(t, "etcd", "local", "--dry-run")
	client, api := loopback.Port(t), loopback.Port(t)
	m.ports = strings.NewReplacer(
		"https://127.0.0.1:2379,https://10.0.0.4:2379", "https://127.0.0.1:"+client,
		"127.0.0.1:2379", "127.0.0.1:"+client, "10.0.0.4:2379", "127.0.0.1:"+client,
		"10.0.0.4:2380", "127.0.0.1:"+loopback.Port(t), "127.0.0.1:2381", "127.0.0.1:"+loopback.Port(t),
		"127.0.0.1:6443", "127.0.0.1:"+api, "10.0.0.4:6443", "127.0.0.1:"+api,
		"api.example.com:6443", "127.0.0.1:"+api, "127.0.0.1:10257", "127.0.0.1:"+loopback.Port(t),
		"127.0.0.1:10259", "127.0.0.1:"+loopback.Port(t),
		"--secure-port=6443", "--secure-port="+api, "=/etc/kubernetes/", "="+m.d.at("/etc/kubernetes")+"/",
		"=10.0.0.4", "=127.0.0.1", "=/var/lib/etcd", "="+m.d.at("/var/lib/etcd"),
	)
	m.server = server{
		url: "https://127.0.0.1:" + api, etcd: "https://127.0.0.1:" + client,
		ca: j.Certificates.CA.Certificate, admin: administrator(t, m.d),
	}
	m.key = bootstrap.NewPayloadKey(bytes.Repeat([]byte("k"), 32))
	key := m.key.File(platform.Linux)
	m.d.write(t, key.Path, key.Content)
	m.writeKubeconfigs(t)
	m.writePrograms(t)
	m.start(t)
	return m, keySet{j.Certificates, j.EncryptionKeys}
}

// start runs the static pods.
func (m *controlPlaneMachine) start(t *testing.T) {
	t.Helper()
	m.pods = &staticPods{d: m.d, programs: map[string]string{}, arguments: func(arguments []string) []string {
		for i, argument := range arguments {
			arguments[i] = m.ports.Replace(argument)
			switch {
			// There is no other candidate, and the lease of a killed program lasts.
			case argument == "--leader-elect=true":
				arguments[i] = "--leader-elect=false"
			case strings.HasPrefix(argument, "--controllers="):
				arguments[i] = "--controllers=certificatesigningrequest-signing-controller," +
					"root-ca-certificate-publisher-controller"
			case strings.HasPrefix(argument, "--secure-port="):
				arguments = append(arguments, "--bind-address=127.0.0.1")
			}
		}
		return arguments
	}}
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"} {
		m.pods.programs[name] = ensure(t, name)
		m.d.write(t, "/etc/kubernetes/manifests/"+name+".yaml",
			m.withPorts(name, string(must(os.ReadFile(m.d.at("/manifests/"+name+".yaml")))(t))))
	}
	m.pods.run(t)
	for range 600 {
		if status, _ := m.do(t, false, http.MethodGet, "/readyz", ""); status == http.StatusOK {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("the API server is not ready:\n%s", m.pods.tail())
}

// withPorts gives programs ports for which others use their defaults.
func (m *controlPlaneMachine) withPorts(name, manifest string) string {
	for component, port := range map[string]string{"kube-controller-manager": "10257", "kube-scheduler": "10259"} {
		if name == component {
			port = strings.TrimPrefix(m.ports.Replace("127.0.0.1:"+port), "127.0.0.1:")
			const before = "    - --kubeconfig="
			manifest = strings.Replace(manifest, before, "    - --secure-port="+port+"\n"+before, 1)
		}
	}
	return manifest
}

// writeKubeconfigs has them call this machine's API server, and the kubelet have its
// certificate in a file, as it is on a node.
func (m *controlPlaneMachine) writeKubeconfigs(t *testing.T) {
	t.Helper()
	if err := os.Remove(m.d.at("/etc/kubernetes/super-admin.conf")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"admin", "controller-manager", "scheduler", "kubelet"} {
		path := "/etc/kubernetes/" + name + ".conf"
		m.d.write(t, path, m.ports.Replace(string(must(os.ReadFile(m.d.at(path)))(t))))
	}
	config := must(clientcmd.LoadFromFile(m.d.at("/etc/kubernetes/kubelet.conf")))(t)
	for _, user := range config.AuthInfos {
		m.d.write(t, "/var/lib/kubelet/pki/first.pem", string(user.ClientCertificateData)+string(user.ClientKeyData))
		user.ClientCertificateData, user.ClientKeyData = nil, nil
		user.ClientCertificate = "/var/lib/kubelet/pki/kubelet-client-current.pem"
		user.ClientKey = user.ClientCertificate
	}
	if err := os.Symlink("first.pem", m.d.at("/var/lib/kubelet/pki/kubelet-client-current.pem")); err != nil {
		t.Fatal(err)
	}
	if err := clientcmd.WriteToFile(*config, m.d.at("/etc/kubernetes/kubelet.conf")); err != nil {
		t.Fatal(err)
	}
}

// writePrograms writes those that the scripts run: the real ones, but that curl knows the
// ports of this machine, and that no kubelet exists to restart.
func (m *controlPlaneMachine) writePrograms(t *testing.T) {
	t.Helper()
	m.path = t.TempDir()
	var curl strings.Builder
	curl.WriteString("#!/bin/bash\nurl=${!#}\ncase $url in\n*:10248/*) exit ;;\n")
	for _, port := range []string{"2381", "6443", "10257", "10259"} {
		local := strings.TrimPrefix(m.ports.Replace("127.0.0.1:"+port), "127.0.0.1:")
		fmt.Fprintf(&curl, "*:%s/*) url=${url/:%[1]s/:%s} ;;\n", port, local)
	}
	curl.WriteString("esac\nexec " + must(exec.LookPath("curl"))(t) + " \"${@:1:$#-1}\" \"$url\"\n")
	for name, text := range map[string]string{
		"curl":      curl.String(),
		"systemctl": "#!/bin/bash\necho \"systemctl $*\"\n",
	} {
		if err := executable.Write(filepath.Join(m.path, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"kubeadm", "kubectl"} {
		if err := os.Symlink(ensure(t, name), filepath.Join(m.path, name)); err != nil {
			t.Fatal(err)
		}
	}
	script := m.d.at("/opt/mixedkube/control-plane.sh")
	text := replaceOnce(t, string(must(os.ReadFile(script))(t)), "\nROOT=\n", "\nROOT="+string(m.d)+"\n")
	text = replaceOnce(t, text, "\nLIMIT=300\n", "\nLIMIT=60\n")
	m.d.write(t, "/opt/mixedkube/control-plane.sh", replaceOnce(t, text, "\nPAUSE=1\n", "\nPAUSE=0.2\n"))
	m.d.write(t, "/deliver-keys.sh", bootstrap.KeysScript())
	m.d.write(t, "/var/lib/mixedkube/done", "")
	if err := os.Chmod(m.d.at("/opt/mixedkube/replace-keys.sh"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// replace runs the script of the Run Command.
func (m *controlPlaneMachine) replace(t *testing.T, k keySet) {
	t.Helper()
	payload, err := bootstrap.KeysPayload(bootstrap.APIServerOptions{}, k.Certificates, k.encryption, m.key)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-c", `source "$1/deliver-keys.sh"; ROOT=$1; main`, "test",
		string(m.d))
	cmd.Env = append(os.Environ(), "PATH="+m.path+":"+os.Getenv("PATH"), bootstrap.KeysParameter+"="+payload)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, m.pods.tail())
	}
	for _, name := range []string{
		"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet",
	} {
		if !strings.Contains(string(out), " "+name+" is restarted\n") {
			t.Errorf("%s is not restarted:\n%s", name, out)
		}
	}
	m.ca = k.CA.Certificate
}

// whoami returns the name by which the API server knows a user, "" if it refuses them.
func (m *controlPlaneMachine) whoami(t *testing.T, u user) string {
	t.Helper()
	status, answer := m.as(t, u, http.MethodPost, "/apis/authentication.k8s.io/v1/selfsubjectreviews",
		`{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}`)
	if status == http.StatusUnauthorized {
		return ""
	}
	var review struct {
		Status struct{ UserInfo struct{ Username string } }
	}
	if err := json.Unmarshal([]byte(answer), &review); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s (%v)", status, answer, err)
	}
	return review.Status.UserInfo.Username
}

// identities are users that belong to one set of keys, with the names that they have.
type identities map[string]user

// identitiesOf creates identities outside of the cluster. The token is another one with other claims
// that are copied from one of the cluster.
func identitiesOf(t *testing.T, k keySet, token string) identities {
	t.Helper()
	const account = "system:serviceaccount:default:default"
	proxy := client(t, k.FrontProxyCA, pkix.Name{CommonName: "front-proxy-client"})
	return identities{
		"admin":   {certificate: client(t, k.CA, pkix.Name{CommonName: "admin"})},
		"proxied": {certificate: proxy, header: http.Header{"X-Remote-User": {"proxied"}}},
		account:   {header: http.Header{"Authorization": {"Bearer " + signed(t, k.ServiceAccount, token)}}},
	}
}

// signed returns a token with the claims of another one.
func signed(t *testing.T, pair bootstrap.KeyPair, token string) string {
	t.Helper()
	block, _ := pem.Decode([]byte(pair.PrivateKey))
	key := must(x509.ParsePKCS8PrivateKey(block.Bytes))(t).(*ecdsa.PrivateKey)
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256"}`)) + "." + strings.Split(token, ".")[1]
	hash := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, hash[:])
	if err != nil {
		t.Fatal(err)
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// check has the API server take all of them, or none.
func (m *controlPlaneMachine) check(t *testing.T, step string, all identities, taken bool) {
	t.Helper()
	for want, u := range all {
		if !taken {
			want = ""
		}
		if got := m.whoami(t, u); got != want {
			t.Errorf("%s: the API server knows %q, want %q", step, got, want)
		}
	}
}

// token has the API server issue a token.
func (m *controlPlaneMachine) token(t *testing.T) string {
	t.Helper()
	status, answer := m.do(t, true, http.MethodPost, "/api/v1/namespaces/default/serviceaccounts/default/token",
		`{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}}`)
	var request struct{ Status struct{ Token string } }
	if err := json.Unmarshal([]byte(answer), &request); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s (%v)", status, answer, err)
	}
	return request.Status.Token
}

// checkSigner has kube-controller-manager sign a request, with the first authority.
func (m *controlPlaneMachine) checkSigner(t *testing.T, step string, k keySet) {
	t.Helper()
	name := strings.ReplaceAll(step, " ", "-")
	der := must(x509.CreateCertificateRequest(rand.Reader,
		&x509.CertificateRequest{Subject: pkix.Name{CommonName: "somebody"}}, ecdsaKey(t)))(t)
	const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
	m.create(t, path, fmt.Sprintf(`{"metadata": {"name": %q}, "spec": {"signerName": `+
		`"kubernetes.io/kube-apiserver-client", "usages": ["client auth"], "request": %q}}`, name,
		base64.StdEncoding.EncodeToString([]byte(text("CERTIFICATE REQUEST", der)))))
	if status, answer := m.do(t, true, http.MethodPut, path+"/"+name+"/approval", fmt.Sprintf(
		`{"metadata": {"name": %q}, "spec": {"signerName": "kubernetes.io/kube-apiserver-client", "usages": [`+
			`"client auth"], "request": %q}, "status": {"conditions": [{"type": "Approved", "status": "True"}]}}`, name,
		base64.StdEncoding.EncodeToString([]byte(text("CERTIFICATE REQUEST", der))))); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	signers, _ := parsed(t, k.CA.Certificate)
	for range 150 {
		_, answer := m.do(t, true, http.MethodGet, path+"/"+name, "")
		var request certificatesv1.CertificateSigningRequest
		if err := json.Unmarshal([]byte(answer), &request); err != nil {
			t.Fatal(err)
		}
		if len(request.Status.Certificate) > 0 {
			leaf, _ := parsed(t, string(request.Status.Certificate))
			if err := leaf.CheckSignatureFrom(signers); err != nil {
				t.Errorf("%s: kube-controller-manager has signed with another key: %v", step, err)
			}
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Errorf("%s: kube-controller-manager signs nothing:\n%s", step, m.pods.tail())
}

// parsed returns the first certificate of a text.
func parsed(t *testing.T, text string) (*x509.Certificate, []byte) {
	t.Helper()
	block, rest := pem.Decode([]byte(text))
	if block == nil {
		t.Fatalf("no PEM: %q", text)
	}
	return must(x509.ParseCertificate(block.Bytes))(t), rest
}

// checkServers looks which authority vouches for the API server, and for etcd.
func (m *controlPlaneMachine) checkServers(t *testing.T, step string, k, not keySet) {
	t.Helper()
	for name, s := range map[string]struct {
		address   string
		want, not string
	}{
		"the API server": {m.url, k.CA.Certificate, not.CA.Certificate},
		"etcd":           {m.etcd, k.EtcdCA.Certificate, not.EtcdCA.Certificate},
	} {
		for ca, taken := range map[string]bool{s.want: true, s.not: false} {
			roots := x509.NewCertPool()
			roots.AppendCertsFromPEM([]byte(ca))
			// etcd requires a certificate, but reports it later.
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			dialer := &tls.Dialer{Config: &tls.Config{
				RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12,
			}}
			connection, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(s.address, "https://"))
			if (err == nil) != taken {
				t.Errorf("%s: %s: %v, and it should be vouched for: %t", step, name, err, taken)
			}
			if err == nil {
				_ = connection.Close() // Its other end may have closed it.
			}
			cancel()
		}
	}
}

// etcdOf returns what a client of an authority of etcd sends requests with.
func etcdOf(t *testing.T, k keySet, trusted string) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(trusted))
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		RootCAs: roots, MinVersion: tls.VersionTLS12,
		Certificates: []tls.Certificate{client(t, k.EtcdCA, pkix.Name{CommonName: "client"})},
	}}}
}

// etcdTakes reports whether etcd answers a client of a set of keys.
func (m *controlPlaneMachine) etcdTakes(t *testing.T, k keySet, trusted string) bool {
	t.Helper()
	request := must(http.NewRequestWithContext(t.Context(), http.MethodPost, m.etcd+"/v3/maintenance/status",
		strings.NewReader("{}")))(t)
	response, err := etcdOf(t, k, trusted).Do(request)
	if err != nil {
		return false
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode == http.StatusOK
}

// checkSecret makes sure that a Secret can be read, and which key it is encrypted with.
func (m *controlPlaneMachine) checkSecret(t *testing.T, step, name, key string) {
	t.Helper()
	status, answer := m.do(t, true, http.MethodGet, "/api/v1/namespaces/default/secrets/"+name, "")
	if status != http.StatusOK || !strings.Contains(answer, base64.StdEncoding.EncodeToString([]byte(secretValue))) {
		t.Errorf("%s: the Secret %s is not read: %d %.200s", step, name, status, answer)
	}
	value := m.stored(t, "/registry/secrets/default/"+name)
	if want := "k8s:enc:secretbox:v1:" + bootstrap.EncryptionKeyName(key) + ":"; !strings.HasPrefix(value, want) {
		t.Errorf("%s: the Secret %s is in etcd as %.40q, want %s", step, name, value, want)
	}
}

func (m *controlPlaneMachine) createSecret(t *testing.T, name string) {
	t.Helper()
	m.create(t, "/api/v1/namespaces/default/secrets", fmt.Sprintf(
		`{"metadata": {"name": %q}, "stringData": {"a": %q}}`, name, secretValue))
}

// rewriteSecret writes the Secret unchanged, so that it is encrypted again.
func (m *controlPlaneMachine) rewriteSecret(t *testing.T, name string) {
	t.Helper()
	path := "/api/v1/namespaces/default/secrets/" + name
	_, answer := m.do(t, true, http.MethodGet, path, "")
	if status, answer := m.do(t, true, http.MethodPut, path, answer); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
}

// checkPublished checks the authorities that the cluster publishes.
func (m *controlPlaneMachine) checkPublished(t *testing.T, step string, k keySet) {
	t.Helper()
	configMap := func(path string) corev1.ConfigMap {
		status, answer := m.do(t, true, http.MethodGet, "/api/v1/namespaces/"+path, "")
		var object corev1.ConfigMap
		if err := json.Unmarshal([]byte(answer), &object); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s (%v)", path, status, answer, err)
		}
		return object
	}
	authentication := configMap("kube-system/configmaps/extension-apiserver-authentication").Data
	if authentication["client-ca-file"] != k.CA.Certificate ||
		authentication["requestheader-client-ca-file"] != k.FrontProxyCA.Certificate {
		t.Errorf("%s: aggregated API servers trust\n%v", step, authentication)
	}
	config := must(clientcmd.Load([]byte(configMap("kube-public/configmaps/cluster-info").Data["kubeconfig"])))(t)
	if string(config.Clusters[""].CertificateAuthorityData) != k.CA.Certificate ||
		config.Clusters[""].Server != "https://api.example.com:6443" {
		t.Errorf("%s: machines that join trust\n%v", step, config.Clusters[""])
	}
	for range 150 {
		if configMap("default/configmaps/kube-root-ca.crt").Data["ca.crt"] == k.CA.Certificate {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Errorf("%s: pods trust\n%v", step, configMap("default/configmaps/kube-root-ca.crt").Data)
}

// checkFiles has this machine's own users call the API server, with the authorities that they
// trust.
func (m *controlPlaneMachine) checkFiles(t *testing.T, step string, k keySet) {
	t.Helper()
	for name, want := range map[string]string{
		"admin": "kubernetes-admin", "controller-manager": "system:kube-controller-manager",
		"scheduler": "system:kube-scheduler", "kubelet": "system:node:cp-1",
	} {
		config := must(clientcmd.LoadFromFile(m.d.at("/etc/kubernetes/" + name + ".conf")))(t)
		own := *m
		for _, cluster := range config.Clusters {
			own.ca = string(cluster.CertificateAuthorityData)
		}
		if own.ca != k.CA.Certificate {
			t.Errorf("%s: %s trusts\n%s", step, name, own.ca)
		}
		if got := own.whoami(t, user{certificate: m.clientOf(t, config)}); got != want {
			t.Errorf("%s: %s is %q to the API server, want %q", step, name, got, want)
		}
	}
}

func (m *controlPlaneMachine) clientOf(t *testing.T, config *clientcmdapi.Config) tls.Certificate {
	t.Helper()
	for _, user := range config.AuthInfos {
		if user.ClientCertificate != "" {
			return must(tls.LoadX509KeyPair(m.d.at(user.ClientCertificate), m.d.at(user.ClientKey)))(t)
		}
		return must(tls.X509KeyPair(user.ClientCertificateData, user.ClientKeyData))(t)
	}
	t.Fatal("there is no user")
	return tls.Certificate{}
}

// TestAllKeysAreReplaced replaces all keys of a control plane that runs, in the three steps of
// a rotation: no client is refused before the last one, and afterwards everything that belongs
// to the old keys is.
func TestAllKeysAreReplaced(t *testing.T) {
	t.Parallel()
	m, old := newControlPlaneMachine(t)
	next := keySet{keyPairs(t), []string{
		base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("fedcba9876543210"), 2)),
	}}
	// kubeadm init creates it.
	m.create(t, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", `{"metadata": {"name": `+
		`"kubeadm:cluster-admins"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", `+
		`"name": "cluster-admin"}, "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": `+
		`"kubeadm:cluster-admins"}]}`)
	m.create(t, "/api/v1/namespaces/default/serviceaccounts", `{"metadata": {"name": "default"}}`)
	info := must(clientcmd.Write(clientcmdapi.Config{Clusters: map[string]*clientcmdapi.Cluster{"": {
		Server: "https://api.example.com:6443", CertificateAuthorityData: []byte(old.CA.Certificate),
	}}}))(t)
	m.create(t, "/api/v1/namespaces/kube-public/configmaps", fmt.Sprintf(
		`{"metadata": {"name": "cluster-info"}, "data": {"kubeconfig": %s}}`, must(json.Marshal(string(info)))(t)))
	token := m.token(t)
	olds, news := identitiesOf(t, old, token), identitiesOf(t, next, token)
	etcdCAs := old.EtcdCA.Certificate + next.EtcdCA.Certificate
	m.etcdClient = etcdOf(t, old, etcdCAs)
	m.createSecret(t, "first")
	m.checkSecret(t, "before", "first", old.encryption[0])
	m.check(t, "before", olds, true)
	m.check(t, "before", news, false)
	m.checkServers(t, "before", old, next)
	for _, step := range []struct {
		name             string
		keys, signer     keySet
		server, notYet   keySet
		oldTaken, newToo bool
	}{
		{"trust", old.trusting(next), old, old, next, true, true},
		{"promote", next.trusting(old), next, next, old, true, true},
		{"distrust", next, next, next, old, false, true},
	} {
		m.replace(t, step.keys)
		if step.signer.CA == next.CA {
			m.admin = client(t, next.CA, pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}})
			m.etcdClient = etcdOf(t, next, etcdCAs)
		}
		m.check(t, step.name, olds, step.oldTaken)
		m.check(t, step.name, news, step.newToo)
		m.checkServers(t, step.name, step.server, step.notYet)
		if m.etcdTakes(t, old, etcdCAs) != step.oldTaken || !m.etcdTakes(t, next, etcdCAs) {
			t.Errorf("%s: etcd takes or refuses the wrong clients", step.name)
		}
		m.checkFiles(t, step.name, step.keys)
		m.checkPublished(t, step.name, step.keys)
		m.checkSigner(t, step.name, step.signer)
		m.createSecret(t, step.name)
		m.checkSecret(t, step.name, step.name, step.signer.encryption[0])
		switch step.name {
		case "trust":
			m.checkSecret(t, step.name, "first", old.encryption[0])
		case "promote":
			m.checkSecret(t, step.name, "first", old.encryption[0])
			for _, name := range []string{"first", "trust"} {
				m.rewriteSecret(t, name)
			}
			fallthrough
		default:
			m.checkSecret(t, step.name, "first", next.encryption[0])
		}
		if issuer := m.token(t); m.whoami(t, user{header: http.Header{"Authorization": {"Bearer " + issuer}}}) == "" {
			t.Errorf("%s: the API server refuses its own token", step.name)
		}
	}
}
