package pki_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

const (
	// fixed and other are two secrets that belong to no cluster.
	fixed = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	other = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWc="
	// vmID identifies one creation of a machine.
	vmID = "d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3b8"
)

// now is in the middle of a year.
var now = time.Date(2026, time.July, 14, 12, 0, 0, 0, time.UTC)

// created is when the keys of the tests were created.
var created = time.Date(2026, time.March, 5, 23, 30, 0, 0, time.UTC)

func secret(tb testing.TB, text string) pki.Secret {
	tb.Helper()
	s, err := pki.Generated(text, "shop")
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// keys returns the keys of secrets, one for each generation. The first generation signs.
func keys(tb testing.TB, texts ...string) pki.Keys {
	tb.Helper()
	var k pki.Keys
	for _, text := range texts {
		k.Generations = append(k.Generations, pki.Generation{Secret: secret(tb, text), Created: created})
	}
	return k
}

func certificates(tb testing.TB, text string) bootstrap.Certificates {
	tb.Helper()
	c, err := keys(tb, text).Certificates()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func kubeconfig(tb testing.TB, ca bootstrap.KeyPair, now time.Time) string {
	tb.Helper()
	k := keys(tb, fixed)
	k.Cluster.Configured = map[int]bootstrap.KeyPair{0: ca}
	text, err := k.Kubeconfig("shop", "203.0.113.10:6443", "kubernetes", now)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// client returns the certificate in a kubeconfig, and its key.
func client(tb testing.TB, kubeconfig string) (*x509.Certificate, crypto.Signer) {
	tb.Helper()
	var config struct {
		Users []struct {
			User struct {
				Certificate string `yaml:"client-certificate-data"`
				Key         string `yaml:"client-key-data"`
			}
		}
	}
	if err := yaml.Unmarshal([]byte(kubeconfig), &config); err != nil {
		tb.Fatal(err)
	}
	if len(config.Users) != 1 {
		tb.Fatalf("%d users", len(config.Users))
	}
	user := config.Users[0].User
	certificate, key, err := bootstrap.KeyPair{
		Certificate: decoded(tb, user.Certificate),
		PrivateKey:  decoded(tb, user.Key),
	}.ParseCA()
	if err != nil {
		tb.Fatal(err)
	}
	return certificate, key
}

func decoded(tb testing.TB, text string) string {
	tb.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

func parsed(tb testing.TB, ca bootstrap.KeyPair) *x509.Certificate {
	tb.Helper()
	certificate, _, err := ca.ParseCA()
	if err != nil {
		tb.Fatal(err)
	}
	return certificate
}

func encode(kind string, der []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// ownCertificate returns a self-signed certificate.
func ownCertificate(tb testing.TB, key crypto.Signer, until time.Time) string {
	tb.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "of my own"}, NotBefore: time.Unix(0, 0),
		NotAfter: until,
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return encode("CERTIFICATE", der, err)
}

// ownAuthorities returns authorities that the program does not create, with keys in all formats.
func ownAuthorities(tb testing.TB, until time.Time) map[string]bootstrap.KeyPair {
	tb.Helper()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		tb.Fatal(err)
	}
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	eight := func(key crypto.Signer) string {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		return encode("PRIVATE KEY", der, err)
	}
	ec := func(key *ecdsa.PrivateKey) string {
		der, err := x509.MarshalECPrivateKey(key)
		return encode("EC PRIVATE KEY", der, err)
	}
	one := encode("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey), nil)
	return map[string]bootstrap.KeyPair{
		"RSA in PKCS #1":          {Certificate: ownCertificate(tb, rsaKey, until), PrivateKey: one},
		"RSA in PKCS #8":          {Certificate: ownCertificate(tb, rsaKey, until), PrivateKey: eight(rsaKey)},
		"ECDSA P-256 in SEC 1":    {Certificate: ownCertificate(tb, p256, until), PrivateKey: ec(p256)},
		"ECDSA P-384 in PKCS #8":  {Certificate: ownCertificate(tb, p384, until), PrivateKey: eight(p384)},
		"the one from the secret": certificates(tb, fixed).CA,
		"a chain of certificates": {
			Certificate: ownCertificate(tb, p256, until) + ownCertificate(tb, rsaKey, until),
			PrivateKey:  ec(p256),
		},
		"with lines as of Windows": {
			Certificate: windowsLines(ownCertificate(tb, p256, until)),
			PrivateKey:  windowsLines(ec(p256)),
		},
	}
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
