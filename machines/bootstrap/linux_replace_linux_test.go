package bootstrap

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
)

// memory lists the files that a component has in memory, and the authority that has signed a certificate.
var memory = map[string][]string{
	"etcd": {"pki/etcd/ca.crt", "pki/etcd/server.crt", "pki/etcd/server.key", "pki/etcd/peer.crt", "pki/etcd/peer.key"},
	"kube-apiserver": {
		"pki/ca.crt", "pki/apiserver.crt", "pki/apiserver.key", "pki/apiserver-kubelet-client.crt",
		"pki/apiserver-kubelet-client.key", "pki/etcd/ca.crt", "pki/apiserver-etcd-client.crt",
		"pki/apiserver-etcd-client.key", "pki/front-proxy-ca.crt", "pki/front-proxy-client.crt",
		"pki/front-proxy-client.key", "pki/sa.pub", "pki/sa.key", "encryption.yaml",
	},
	"kube-controller-manager": {
		"pki/ca.crt", "pki/ca.key", "pki/signer.crt", "pki/front-proxy-ca.crt", "pki/sa.key", "controller-manager.conf",
	},
	"kube-scheduler": {"scheduler.conf"},
	"kubelet":        {"pki/ca.crt", "kubelet.conf", "kubelet-client-current.pem"},
}

var signedBy = map[string]string{
	"pki/apiserver.crt": "ca", "pki/apiserver-kubelet-client.crt": "ca", "pki/front-proxy-client.crt": "front-proxy-ca",
	"pki/apiserver-etcd-client.crt": "etcd/ca", "pki/etcd/server.crt": "etcd/ca", "pki/etcd/peer.crt": "etcd/ca",
	"pki/etcd/healthcheck-client.crt": "etcd/ca", "admin.conf": "ca", "controller-manager.conf": "ca",
	"scheduler.conf": "ca", "kubelet-client-current.pem": "ca",
}

// subjects are the subjects of users.
var subjects = map[string]pkix.Name{
	"admin.conf":                 {CommonName: "kubernetes-admin", Organization: []string{"kubeadm:cluster-admins"}},
	"controller-manager.conf":    {CommonName: "system:kube-controller-manager"},
	"scheduler.conf":             {CommonName: "system:kube-scheduler"},
	"kubelet-client-current.pem": {CommonName: "system:node:cp-1", Organization: []string{"system:nodes"}},
}

// generation is all that machines of a control plane are given.
type generation struct {
	certificates Certificates
	encryption   []string
}

// generations are two generations that share nothing. They are created once.
var generations = sync.OnceValue(func() (g [2]generation) {
	for i, key := range []string{testEncryptionKey, otherEncryptionKey} {
		pair := func(name string) KeyPair {
			private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				panic(err)
			}
			template := &x509.Certificate{
				SerialNumber: big.NewInt(int64(i)), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0),
				NotAfter: time.Unix(1<<33, 0), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
			}
			der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
			if err != nil {
				panic(err)
			}
			text, err := x509.MarshalPKCS8PrivateKey(private)
			if err != nil {
				panic(err)
			}
			return KeyPair{pemText("CERTIFICATE", der), pemText("PRIVATE KEY", text)}
		}
		account := pair("")
		private, err := parsePrivateKey(account.PrivateKey)
		if err != nil {
			panic(err)
		}
		public, err := x509.MarshalPKIXPublicKey(private.Public())
		if err != nil {
			panic(err)
		}
		account.Certificate = pemText("PUBLIC KEY", public)
		g[i] = generation{
			Certificates{
				CA: pair("kubernetes"), EtcdCA: pair("etcd-ca"), FrontProxyCA: pair("front-proxy-ca"),
				ServiceAccount: account,
			},
			[]string{key},
		}
	}
	return g
})

// trusting returns the generation, with that of the others trusted as well.
func (g generation) trusting(other generation) generation {
	with := func(p, other KeyPair) KeyPair { p.Certificate += other.Certificate; return p }
	c, o := g.certificates, other.certificates
	return generation{
		Certificates{
			with(c.CA, o.CA), with(c.EtcdCA, o.EtcdCA), with(c.FrontProxyCA, o.FrontProxyCA),
			with(c.ServiceAccount, o.ServiceAccount),
		},
		slices.Concat(g.encryption, other.encryption),
	}
}

// newReplacement returns a control plane that has the keys of a generation, with the script of the
// Run Command.
func newReplacement(t *testing.T, g generation) host {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("needs openssl: apt-get install openssl, as root")
	}
	h := newControlPlane(t)
	for _, file := range g.certificates.files("/etc/kubernetes/pki") {
		mode := fs.FileMode(0o600)
		if strings.HasSuffix(file.Path, ".crt") {
			mode = 0o644
		}
		write(t, filepath.Join(h.root, file.Path), file.Content, mode)
	}
	write(t, h.at("encryption.yaml"), APIServerOptions{}.encryption(g.encryption), 0o600)
	for name, ca := range signedBy {
		subject, isUser := subjects[name]
		if !isUser {
			subject.CommonName = strings.TrimSuffix(filepath.Base(name), ".crt")
		}
		certificate, key := h.sign(t, ca, subject)
		switch base, isPair := strings.CutSuffix(name, ".crt"); {
		case isPair:
			write(t, h.at(name), certificate, 0o644)
			write(t, h.at(base+".key"), key, 0o600)
		case strings.HasSuffix(name, ".pem"):
			write(t, h.at("../../var/lib/kubelet/pki/first.pem"), certificate+key, 0o600)
			if err := os.Symlink("first.pem", h.at(name)); err != nil {
				t.Fatal(err)
			}
		default:
			write(t, h.at(name), kubeconfigText(g.certificates.CA.Certificate, "    client-certificate-data: "+
				inBase64(certificate)+"\n    client-key-data: "+inBase64(key)+"\n"), 0o600)
		}
	}
	write(t, h.at("kubelet.conf"), kubeconfigText(g.certificates.CA.Certificate,
		"    client-certificate: /var/lib/kubelet/pki/kubelet-client-current.pem\n"), 0o600)
	write(t, filepath.Join(h.fake, "cluster-info"), kubeconfigText(g.certificates.CA.Certificate, ""), 0o644)
	for component, files := range memory {
		for _, name := range files {
			write(t, filepath.Join(h.fake, "memory", component, name), read(t, h.at(name)), 0o600)
		}
	}
	key := scriptKey.File(platform.Linux)
	write(t, filepath.Join(h.root, key.Path), key.Content, 0o600)
	write(t, filepath.Join(h.root, "deliver-keys.sh"), KeysScript(), 0o700)
	common := read(t, filepath.Join(h.root, "opt", "mixedkube", "control-plane.sh"))
	for was, becomes := range map[string]string{
		"\nROOT=\n": "\nROOT=" + h.root + "\n", "\nPAUSE=1\n": "\nPAUSE=0.05\n", "\nLIMIT=300\n": "\nLIMIT=20\n",
	} {
		if strings.Count(common, was) != 1 {
			t.Fatalf("%q does not occur exactly once", was)
		}
		common = strings.Replace(common, was, becomes, 1)
	}
	write(t, filepath.Join(h.root, "opt", "mixedkube", "control-plane.sh"), common, 0o755)
	return h
}

// kubeconfigText is one as kubeadm writes it.
func kubeconfigText(ca, user string) string {
	return "apiVersion: v1\nclusters:\n- cluster:\n    certificate-authority-data: " + inBase64(ca) +
		"\n    server: https://10.0.0.4:6443\n  name: \"\"\nusers:\n- name: user\n  user:\n" + user
}

// at returns where a file is that a component has in memory.
func (h host) at(name string) string {
	switch name {
	case "encryption.yaml":
		return filepath.Join(h.root, encryptionFile)
	case "kubelet-client-current.pem":
		return filepath.Join(h.root, "var", "lib", "kubelet", "pki", name)
	default:
		return filepath.Join(h.root, "etc", "kubernetes", name)
	}
}

// sign creates a certificate of one of the machine's authorities.
func (h host) sign(t *testing.T, ca string, subject pkix.Name) (certificate, key string) {
	t.Helper()
	pair := KeyPair{read(t, h.at("pki/"+ca+".crt")), read(t, h.at("pki/"+ca+".key"))}
	authority, signer, err := pair.ParseCA()
	if err != nil {
		t.Fatal(err)
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(5), Subject: subject, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, authority, private.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return pemText("CERTIFICATE", der), privatePEM(t, private)
}

// replace runs the script of the Run Command with keys; after so many calls of programs the
// power fails, 0 for never.
func (h host) replace(t *testing.T, g generation, crash int) (string, error) {
	t.Helper()
	payload, err := KeysPayload(APIServerOptions{}, g.certificates, g.encryption, scriptKey)
	if err != nil {
		t.Fatal(err)
	}
	return h.runReplacement(t, crash, `source "$1/deliver-keys.sh"; ROOT=$1; main`, KeysParameter+"="+payload)
}

// bootAgain runs what the machine runs at a boot.
func (h host) bootAgain(t *testing.T) string {
	t.Helper()
	out, err := h.runReplacement(t, 0, `exec "$1/opt/mixedkube/replace-keys.sh"`, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

func (h host) runReplacement(t *testing.T, crash int, command, env string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", command, "test", h.root)
	cmd.Env = append(os.Environ(), "PATH="+h.programs+":"+os.Getenv("PATH"), "FAKE="+h.fake, "FAKE_ROOT="+h.root, env)
	if crash > 0 {
		cmd.Env = append(cmd.Env, "CRASH="+strconv.Itoa(crash))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), h.root, ""), err
}

func (h host) mustReplace(t *testing.T, g generation) string {
	t.Helper()
	out, err := h.replace(t, g, 0)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, strings.Join(h.calls(t), "\n"))
	}
	return out
}

// restarts returns the components that were restarted, in their order, and the ConfigMaps that
// were changed.
func (h host) restarts(t *testing.T) []string {
	t.Helper()
	var restarts []string
	patched := regexp.MustCompile(`^kubectl .* patch configmap (\S+) `)
	for _, call := range h.calls(t) {
		if component, ok := strings.CutPrefix(call, "restarted "); ok {
			restarts = append(restarts, component)
		} else if call == "systemctl restart kubelet.service" {
			restarts = append(restarts, "kubelet")
		} else if found := patched.FindStringSubmatch(call); found != nil {
			restarts = append(restarts, found[1])
		}
	}
	return restarts
}

// check holds a machine against the keys that it was given: all files exist, with the files
// that depend on them, every component has them in memory, and nothing is left beside them.
func (h host) check(t *testing.T, g generation) {
	t.Helper()
	for _, file := range g.certificates.files("/etc/kubernetes/pki") {
		mode := fs.FileMode(0o600)
		if strings.HasSuffix(file.Path, ".crt") {
			mode = 0o644
		}
		at := filepath.Join(h.root, file.Path)
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != mode || read(t, at) != file.Content {
			t.Errorf("%s: %v\n%s", file.Path, err, read(t, at))
		}
	}
	if got := read(t, h.at("encryption.yaml")); got != (APIServerOptions{}).encryption(g.encryption) {
		t.Errorf("the configuration of the encryption is\n%s", got)
	}
	for name, ca := range signedBy {
		h.checkLeaf(t, name, ca)
	}
	for _, name := range []string{"admin", "controller-manager", "scheduler", "kubelet"} {
		want := "    certificate-authority-data: " + inBase64(g.certificates.CA.Certificate) + "\n"
		if got := read(t, h.at(name+".conf")); !strings.Contains(got, want) ||
			!strings.Contains(got, "    server: https://10.0.0.4:6443\n") {
			t.Errorf("%s.conf:\n%s", name, got)
		}
	}
	for component, files := range memory {
		for _, name := range files {
			if got := read(t, filepath.Join(h.fake, "memory", component, name)); got != read(t, h.at(name)) {
				t.Errorf("%s has an old %s in memory", component, name)
			}
		}
	}
	for at := range h.state(t) {
		if strings.HasSuffix(at, ".new") || strings.HasPrefix(at, newKeys) || strings.Contains(at, "/replace-keys/") {
			t.Errorf("%s is left", at)
		}
	}
}

var clientData = regexp.MustCompile(`client-(?:certificate|key)-data: (\S+)`)

// checkLeaf looks at a certificate, and at its key.
func (h host) checkLeaf(t *testing.T, name, ca string) {
	t.Helper()
	text := read(t, h.at(name))
	switch {
	case strings.HasSuffix(name, ".crt"):
		text += read(t, h.at(strings.TrimSuffix(name, ".crt")+".key"))
	case strings.HasSuffix(name, ".conf"):
		var decoded strings.Builder
		for _, field := range clientData.FindAllStringSubmatch(text, -1) {
			der, err := base64.StdEncoding.DecodeString(field[1])
			if err != nil {
				t.Fatal(err)
			}
			decoded.Write(der)
		}
		text = decoded.String()
	}
	certificates, err := parseCertificates(text)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	key, err := parsePrivateKey(text)
	if err != nil || !belongs(key, certificates[0].PublicKey) {
		t.Errorf("%s has the key of another (%v)", name, err)
	}
	signers, err := parseCertificates(read(t, h.at("pki/"+ca+".crt")))
	if err != nil {
		t.Fatal(err)
	}
	if err := certificates[0].CheckSignatureFrom(signers[0]); err != nil {
		t.Errorf("%s is not signed by the first of %s: %v", name, ca, err)
	}
	if want, isUser := subjects[name]; isUser && (certificates[0].Subject.CommonName != want.CommonName ||
		!slices.Equal(certificates[0].Subject.Organization, want.Organization)) {
		t.Errorf("%s is of %s", name, certificates[0].Subject)
	}
}

// A rotation has three steps, each of which can be repeated.
func TestKeysAreReplaced(t *testing.T) {
	t.Parallel()
	g := generations()
	h := newReplacement(t, g[0])
	all := []string{
		"etcd", "kube-apiserver", "extension-apiserver-authentication", "cluster-info", "kube-controller-manager",
		"kube-scheduler", "kubelet",
	}
	for _, step := range []struct {
		name string
		g    generation
		want []string
	}{
		{"the same", g[0], nil},
		{"trust", g[0].trusting(g[1]), all},
		{"promote", g[1].trusting(g[0]), all},
		{"distrust", g[1], all},
	} {
		for i, want := range [][]string{step.want, nil} {
			write(t, filepath.Join(h.fake, "calls"), "", 0o644)
			out := h.mustReplace(t, step.g)
			if diff := cmp.Diff(want, h.restarts(t)); diff != "" {
				t.Errorf("%s, run %d (-want +got):\n%s\n%s", step.name, i+1, diff, out)
			}
			if !strings.HasSuffix(out, " this machine has the new keys\n") {
				t.Errorf("%s said\n%s", step.name, out)
			}
			h.check(t, step.g)
			h.checkShown(t, out, step.g)
		}
	}
}

// checkShown makes sure that neither the output nor an argument of a program has a secret.
func (h host) checkShown(t *testing.T, out string, g generation) {
	t.Helper()
	shown := out + read(t, filepath.Join(h.fake, "calls"))
	secrets := slices.Clone(g.encryption)
	for _, name := range []string{"pki/apiserver.key", "pki/sa.key", "pki/ca.key", "kubelet-client-current.pem"} {
		block, rest := pem.Decode([]byte(read(t, h.at(name))))
		if block.Type == "CERTIFICATE" {
			block, _ = pem.Decode(rest)
		}
		text := string(pem.EncodeToMemory(block))
		secrets = append(secrets, strings.Split(text, "\n")[1], inBase64(text)[:80])
	}
	for _, secret := range secrets {
		if strings.Contains(shown, secret) {
			t.Errorf("shows a secret:\n%s", shown)
		}
	}
}

// kindsOfKeys take the keys of one kind from another generation.
var kindsOfKeys = map[string]func(to *generation, from generation){
	"ca":   func(to *generation, from generation) { to.certificates.CA = from.certificates.CA },
	"etcd": func(to *generation, from generation) { to.certificates.EtcdCA = from.certificates.EtcdCA },
	"front proxy": func(to *generation, from generation) {
		to.certificates.FrontProxyCA = from.certificates.FrontProxyCA
	},
	"service accounts": func(to *generation, from generation) {
		to.certificates.ServiceAccount = from.certificates.ServiceAccount
	},
	"encryption": func(to *generation, from generation) { to.encryption = from.encryption },
}

// What has nothing of a key in memory continues.
func TestComponentsThatUseEachKey(t *testing.T) {
	t.Parallel()
	g := generations()
	const published = "extension-apiserver-authentication"
	ofCA := []string{
		"kube-apiserver", published, "cluster-info", "kube-controller-manager", "kube-scheduler", "kubelet",
	}
	for name, tt := range map[string]struct{ trust, promoted []string }{
		"ca":   {ofCA, ofCA},
		"etcd": {[]string{"etcd", "kube-apiserver"}, []string{"etcd", "kube-apiserver"}},
		"front proxy": {
			[]string{"kube-apiserver", published, "cluster-info", "kube-controller-manager"},
			[]string{"kube-apiserver", published, "cluster-info", "kube-controller-manager"},
		},
		"service accounts": {[]string{"kube-apiserver"}, []string{"kube-apiserver", "kube-controller-manager"}},
		"encryption":       {[]string{"kube-apiserver"}, []string{"kube-apiserver"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newReplacement(t, g[0])
			trust, promoted := g[0], g[0]
			kindsOfKeys[name](&trust, g[0].trusting(g[1]))
			kindsOfKeys[name](&promoted, g[1].trusting(g[0]))
			for i, step := range []generation{trust, promoted} {
				write(t, filepath.Join(h.fake, "calls"), "", 0o644)
				h.mustReplace(t, step)
				if diff := cmp.Diff([][]string{tt.trust, tt.promoted}[i], h.restarts(t)); diff != "" {
					t.Errorf("step %d (-want +got):\n%s", i+1, diff)
				}
				h.check(t, step)
			}
		})
	}
}

// Whenever the power fails, the machine continues at the next boot by itself if it has all keys,
// and otherwise when they are brought again; no component is left with an old key.
func TestReplacementAfterAPowerFailure(t *testing.T) {
	t.Parallel()
	g := generations()
	before, after := g[0].trusting(g[1]), g[1].trusting(g[0])
	whole := newReplacement(t, before)
	whole.mustReplace(t, after)
	calls := len(whole.calls(t))
	if calls < 100 {
		t.Fatalf("%d programs were run", calls)
	}
	step := 60
	if *allCrashes {
		step = 1
	}
	for crash := 1; crash <= calls; crash += step {
		t.Run(strconv.Itoa(crash), func(t *testing.T) {
			t.Parallel()
			h := newReplacement(t, before)
			if out, err := h.replace(t, after, crash); err == nil && crash < calls/2 {
				t.Fatalf("the power did not fail:\n%s", out)
			}
			had := exists(h.root, newKeys) || exists(h.root, "/var/lib/mixedkube/replace-keys")
			out := h.bootAgain(t)
			switch text := read(t, h.at("pki/ca.crt")); {
			case had || text == after.certificates.CA.Certificate:
				h.check(t, after)
			case text != before.certificates.CA.Certificate || !strings.HasSuffix(out, " there are no new keys\n"):
				t.Errorf("said %q", out)
			}
			h.mustReplace(t, after)
			h.check(t, after)
		})
	}
}

// Each kind of key is replaced alone as well, and the power fails in the middle of each step.
func TestReplacementOfOneKindAfterAPowerFailure(t *testing.T) {
	t.Parallel()
	g := generations()
	steps := []generation{g[0], g[0].trusting(g[1]), g[1].trusting(g[0]), g[1]}
	for kind, change := range kindsOfKeys {
		for i, step := range []string{"trust", "promote", "distrust"} {
			t.Run(kind+" "+step, func(t *testing.T) {
				t.Parallel()
				before, after := g[0], g[0]
				change(&before, steps[i])
				change(&after, steps[i+1])
				whole := newReplacement(t, before)
				whole.mustReplace(t, after)
				calls := len(whole.calls(t))
				crash, failed := calls/2, 0
				if *allCrashes {
					crash = 1
				}
				// A call in a pipeline with another one may be missed.
				for ; crash <= calls && (*allCrashes || failed == 0); crash++ {
					h := newReplacement(t, before)
					if _, err := h.replace(t, after, crash); err != nil {
						failed++
					}
					h.mustReplace(t, after)
					h.check(t, after)
				}
				if failed == 0 {
					t.Error("the power did not fail")
				}
			})
		}
	}
}

// A replacement that cannot continue is reported, and continues once the reason is removed.
func TestReasonsForFailedReplacements(t *testing.T) {
	t.Parallel()
	g := generations()
	for name, tt := range map[string]struct{ file, content, want string }{
		"kubeadm fails": {"fake/kubeadm-fails", "", ""},
		"etcd does not come back": {
			"fake/unhealthy", ":2381/",
			"error: 1 seconds after its manifest has changed, etcd is not restarted and healthy: the others are " +
				"restarted when this is run again\n",
		},
		"the kubelet does not come back": {
			"fake/unhealthy", ":10248/",
			"error: 1 seconds after its restart, the kubelet is not healthy: see journalctl --unit=kubelet\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newReplacement(t, g[0].trusting(g[1]))
			common := filepath.Join(h.root, "opt", "mixedkube", "control-plane.sh")
			write(t, common, strings.Replace(read(t, common), "LIMIT=20", "LIMIT=1", 1), 0o755)
			file := filepath.Join(filepath.Dir(h.fake), tt.file)
			write(t, file, tt.content, 0o644)
			out, err := h.replace(t, g[1].trusting(g[0]), 0)
			if err == nil || !strings.HasSuffix(out, tt.want) {
				t.Errorf("%v\n%s", err, out)
			}
			h.checkShown(t, out, g[1])
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			h.bootAgain(t)
			h.check(t, g[1].trusting(g[0]))
		})
	}
}

// Machines whose keys cannot be replaced report this, and do not change.
func TestMachinesWhoseKeysCannotBeReplaced(t *testing.T) {
	t.Parallel()
	g := generations()
	for name, tt := range map[string]struct{ without, want string }{
		"no key": {
			linuxPayloadKey,
			"error: there is no /etc/mixedkube/payload.key on this machine: it was not created with keys that can be " +
				"replaced\n",
		},
		"kubeadm's own keys": {
			"/etc/kubernetes/pki/signer.crt",
			"error: there is no /etc/kubernetes/pki/signer.crt: kubeadm has created this cluster's key pairs, which " +
				"cannot be replaced so\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newReplacement(t, g[0])
			if err := os.Remove(filepath.Join(h.root, tt.without)); err != nil {
				t.Fatal(err)
			}
			before := h.state(t)
			out, err := h.replace(t, g[1], 0)
			if err == nil || !strings.HasSuffix(out, tt.want) {
				t.Errorf("%v\n%s", err, out)
			}
			state := h.state(t)
			maps.DeleteFunc(state, func(at, _ string) bool {
				return strings.HasPrefix(at, newKeys+"/") || strings.HasSuffix(at, ".lock")
			})
			if diff := cmp.Diff(before, state); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The script takes nothing that was encrypted for another machine, or changed.
func TestKeysOfAnotherMachine(t *testing.T) {
	t.Parallel()
	g := generations()
	h := newReplacement(t, g[0])
	before := h.state(t)
	other := NewPayloadKey([]byte("another machine's 32 random bytes"))
	payload, err := KeysPayload(APIServerOptions{}, g[1].certificates, g[1].encryption, other)
	if err != nil {
		t.Fatal(err)
	}
	for name, payload := range map[string]string{"another machine's": payload, "none": ""} {
		want := "nothing of it is written; a machine keeps the customData that it was created with, so create it " +
			"again\n"
		if payload == "" {
			want = "error: the payload of this script is not of version v1\n"
		}
		out, err := h.runReplacement(t, 0, `source "$1/deliver-keys.sh"; ROOT=$1; main`, KeysParameter+"="+payload)
		if err == nil || !strings.HasSuffix(out, want) {
			t.Errorf("%s: %v, %q", name, err, out)
		}
		state := h.state(t)
		delete(state, "/var/lib/mixedkube/control-plane.lock")
		if diff := cmp.Diff(before, state); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The change that a renewal by kubeadm makes to the authorities in a kubeconfig is undone.
func TestRenewalKeepsTrustedAuthorities(t *testing.T) {
	t.Parallel()
	g := generations()
	both := g[0].trusting(g[1])
	h := newReplacement(t, both)
	if out, err := h.renew(t, 20, 0); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !slices.Contains(h.calls(t, "kubeadm"), "kubeadm certs renew all") {
		t.Error("nothing was renewed")
	}
	h.check(t, both)
}

// The script has no secret, and its payload only what belongs to one machine.
func TestKeysPayload(t *testing.T) {
	t.Parallel()
	g := generations()[0]
	wrong := g.certificates
	wrong.EtcdCA, wrong.CA.PrivateKey = KeyPair{}, wrong.FrontProxyCA.PrivateKey
	_, err := KeysPayload(APIServerOptions{}, wrong, []string{"key"}, scriptKey)
	want := `
  keys.certificates.ca.privateKey: Invalid value: does not match the public key of keys.certificates.ca.certificate
  keys.certificates.etcdCA: Required value: give all four key pairs, those that stay as well
  keys.encryptionKeys[0]: Invalid value: must be 32 random bytes in base64: create one with ` +
		"`openssl rand -base64 32`"
	if diff := cmp.Diff(want, message(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	script := KeysScript()
	if strings.Contains(script, "source ") || !strings.Contains(script, "${"+KeysParameter+":-}") ||
		!strings.Contains(script, "\ndecrypt() {\n") {
		t.Errorf("is not self-contained:\n%s", script)
	}
	// Azure passes a parameter as a variable of the environment: Linux takes 128 KiB of one.
	// RSA keys of 4096 bits take twice as much as those here.
	twelve := func(p KeyPair) KeyPair {
		return KeyPair{strings.Repeat(p.Certificate, 12), p.PrivateKey}
	}
	c, own := g.certificates, rsaCertificates(t)
	for name, c := range map[string]Certificates{
		"twelve of each": {twelve(c.CA), twelve(c.EtcdCA), twelve(c.FrontProxyCA), twelve(c.ServiceAccount)},
		"RSA, two of each": {
			KeyPair{own.CA.Certificate + own.EtcdCA.Certificate, own.CA.PrivateKey},
			KeyPair{own.EtcdCA.Certificate + own.CA.Certificate, own.EtcdCA.PrivateKey},
			KeyPair{own.FrontProxyCA.Certificate + own.CA.Certificate, own.FrontProxyCA.PrivateKey},
			KeyPair{strings.Repeat(own.ServiceAccount.Certificate, 2), own.ServiceAccount.PrivateKey},
		},
	} {
		payload, err := KeysPayload(APIServerOptions{}, c, []string{testEncryptionKey, otherEncryptionKey}, scriptKey)
		if err != nil || len(payload) > 32<<10 {
			t.Errorf("%s: %d bytes (%v)", name, len(payload), err)
		}
		t.Logf("%s: %d bytes", name, len(payload))
	}
}

// rsaCertificates are pairs with RSA keys.
func rsaCertificates(t *testing.T) Certificates {
	t.Helper()
	pair := func(name string) KeyPair {
		private, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		template := &x509.Certificate{
			SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0),
			NotAfter: time.Unix(1<<33, 0), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		}
		der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
		if err != nil {
			t.Fatal(err)
		}
		text := pemText("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(private))
		if name != "" {
			return KeyPair{pemText("CERTIFICATE", der), text}
		}
		public, err := x509.MarshalPKIXPublicKey(private.Public())
		if err != nil {
			t.Fatal(err)
		}
		return KeyPair{pemText("PUBLIC KEY", public), text}
	}
	return Certificates{
		CA: pair("kubernetes"), EtcdCA: pair("etcd-ca"), FrontProxyCA: pair("front-proxy-ca"), ServiceAccount: pair(""),
	}
}
