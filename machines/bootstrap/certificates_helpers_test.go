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
	"math/big"
	"sync"
	"testing"
	"time"
)

// testPair returns a certificate authority of ECDSA.
func testPair(tb testing.TB, name string) KeyPair {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return KeyPair{certificateFor(tb, name, key, true, x509.KeyUsageCertSign), privatePEM(tb, key)}
}

// certificateFor returns a certificate that its key has signed.
func certificateFor(tb testing.TB, name string, key crypto.Signer, isCA bool, usage x509.KeyUsage) string {
	tb.Helper()
	return selfSigned(tb, &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0),
		IsCA: isCA, BasicConstraintsValid: true, KeyUsage: usage,
	}, key)
}

// certificateUntil returns the certificate of an authority that is valid until end.
func certificateUntil(tb testing.TB, end time.Time, key crypto.Signer) string {
	tb.Helper()
	return selfSigned(tb, &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: end,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, key)
}

func selfSigned(tb testing.TB, template *x509.Certificate, key crypto.Signer) string {
	tb.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		tb.Fatal(err)
	}
	return pemText("CERTIFICATE", der)
}

func privatePEM(tb testing.TB, key crypto.PrivateKey) string {
	tb.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	return pemText("PRIVATE KEY", der)
}

func publicPEM(tb testing.TB, key crypto.PublicKey) string {
	tb.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	return pemText("PUBLIC KEY", der)
}

func pemText(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// serviceAccountKey is an RSA key, which takes a while to generate.
var serviceAccountKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// testCertificates are four key pairs, those of service accounts in the form of RSA's own.
func testCertificates(tb testing.TB) Certificates {
	tb.Helper()
	key, err := serviceAccountKey()
	if err != nil {
		tb.Fatal(err)
	}
	return Certificates{
		CA: testPair(tb, "kubernetes"), EtcdCA: testPair(tb, "etcd-ca"), FrontProxyCA: testPair(tb, "front-proxy-ca"),
		ServiceAccount: KeyPair{
			publicPEM(tb, key.Public()),
			pemText("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)),
		},
	}
}

// joinWith returns a join with certificates, whose pin is that of their CA.
func joinWith(tb testing.TB, c Certificates) Join {
	tb.Helper()
	hash, err := c.CA.CACertHash()
	if err != nil {
		tb.Fatal(err)
	}
	return Join{Token: testToken, CACertHashes: []string{hash}, Certificates: c}
}

// localEndpoint has the nodes of the control plane answer the endpoint's address.
func localEndpoint(c Cluster) Cluster {
	c.Endpoint, c.LocalEndpoint = "10.0.0.100:6443", true
	return c
}
