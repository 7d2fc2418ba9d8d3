package bootstrap

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io/fs"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// TestKubeadmTakesCertificates has kubeadm generate what a node of the control plane needs
// beside the key pairs that it was given: all four, or the CA alone. It may change none of
// them, and signs with them.
func TestKubeadmTakesCertificates(t *testing.T) {
	kubeadm := ensureKubeadm(t)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	all := bootstrap.Certificates{
		CA: authority(t, "kubernetes", rsaKey), EtcdCA: authority(t, "etcd-ca", ecdsaKey(t)),
		FrontProxyCA: authority(t, "front-proxy-ca", ecdsaKey(t)),
		ServiceAccount: bootstrap.KeyPair{
			Certificate: text("PUBLIC KEY", must(x509.MarshalPKIXPublicKey(rsaKey.Public()))(t)),
			PrivateKey:  text("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(rsaKey))(t)),
		},
	}
	for name, certificates := range map[string]bootstrap.Certificates{"all": all, "the CA alone": {CA: all.CA}} {
		t.Run(name, func(t *testing.T) {
			n := controlPlane(t, localEndpoint(cluster(network.HostGateway, "1.36")),
				bootstrap.Join{Certificates: certificates})
			dir := t.TempDir()
			configured := map[string]string{}
			for _, f := range n.files {
				if at, ok := strings.CutPrefix(f.Path, "/etc/mixedkube/pki/"); ok {
					at = filepath.Join(dir, at)
					configured[at] = f.Content
					if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(at, []byte(f.Content), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			// The configuration is the node's, with a directory of the test's own.
			config := strings.Replace(n.kubeadm(t).Content, "kind: ClusterConfiguration\n",
				"kind: ClusterConfiguration\ncertificatesDir: "+dir+"\n", 1)
			at := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(at, []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), kubeadm, "init", "phase", "certs", "all", "--config",
				at).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if made, want := len(readAll(t, dir)), map[string]int{"all": 23, "the CA alone": 22}[name]; made != want {
				t.Errorf("%d files:\n%s", made, out)
			}
			for at, want := range configured {
				if got, err := os.ReadFile(at); err != nil || string(got) != want {
					t.Errorf("%s is another one: %v\n%s", at, err, out)
				}
			}
			// The API server answers at the endpoint, too.
			server := certificate(t, filepath.Join(dir, "apiserver.crt"))
			if err := server.CheckSignatureFrom(certificate(t, filepath.Join(dir, "ca.crt"))); err != nil {
				t.Error(err)
			}
			for _, host := range []string{"10.0.0.100", "10.0.0.4"} {
				if err := server.VerifyHostname(host); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestKubeadmTakesAJoinWithCertificates validates it without a key to decrypt others.
func TestKubeadmTakesAJoinWithCertificates(t *testing.T) {
	key := ecdsaKey(t)
	ca := authority(t, "kubernetes", key)
	hash, err := ca.CACertHash()
	if err != nil {
		t.Fatal(err)
	}
	account := bootstrap.KeyPair{
		Certificate: text("PUBLIC KEY", must(x509.MarshalPKIXPublicKey(key.Public()))(t)),
		PrivateKey:  ca.PrivateKey,
	}
	files, err := bootstrap.NodeFiles(cluster(network.FlannelVXLAN, "1.36"), "cp-2", bootstrap.Join{
		Token: "tests0.notarealtoken000", CACertHashes: []string{hash},
		Certificates: bootstrap.Certificates{CA: ca, EtcdCA: ca, FrontProxyCA: ca, ServiceAccount: account},
	})
	if err != nil {
		t.Fatal(err)
	}
	config := node{name: "cp-2", files: files}.kubeadm(t).Content
	if out, err := validate(t, ensureKubeadm(t), config); err != nil {
		t.Errorf("%v: %s\n%s", err, out, config)
	}
}

func ecdsaKey(t *testing.T) crypto.Signer {
	t.Helper()
	return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
}

// authority returns a certificate authority.
func authority(t *testing.T, name string, key crypto.Signer) bootstrap.KeyPair {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0),
		NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	return bootstrap.KeyPair{
		Certificate: text("CERTIFICATE",
			must(x509.CreateCertificate(rand.Reader, template, template, key.Public(), key))(t)),
		PrivateKey: text("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(key))(t)),
	}
}

func text(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func certificate(t *testing.T, at string) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(must(os.ReadFile(at))(t))
	if block == nil {
		t.Fatalf("%s is not PEM", at)
	}
	return must(x509.ParseCertificate(block.Bytes))(t)
}

func readAll(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = append(found, at)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
