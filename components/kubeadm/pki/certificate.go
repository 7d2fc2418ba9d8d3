package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"time"

	"github.com/mixedkube/mixedkube/components/bootstrap"
)

// The authorities are valid from a fixed day, as they must be the same each time, and
// for as long as anybody keeps a cluster.
var (
	validFrom  = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	validUntil = validFrom.AddDate(50, 0, 0)
)

// Certificates are the keys that the nodes of the control plane share. The authority of
// the cluster is the one that is given, if one is.
func (s Secret) Certificates(given bootstrap.KeyPair) (bootstrap.Certificates, error) {
	var c bootstrap.Certificates
	var err error
	c.CA = given
	if given == (bootstrap.KeyPair{}) {
		if c.CA, err = s.authority("kubernetes"); err != nil {
			return bootstrap.Certificates{}, err
		}
	}
	if c.EtcdCA, err = s.authority("etcd-ca"); err != nil {
		return bootstrap.Certificates{}, err
	}
	if c.FrontProxyCA, err = s.authority("front-proxy-ca"); err != nil {
		return bootstrap.Certificates{}, err
	}
	c.ServiceAccount, err = s.keyPair("service accounts")
	return c, err
}

// authority is a certificate authority as kubeadm makes it (client-go's util/cert:
// NewSelfSignedCACert).
func (s Secret) authority(name string) (bootstrap.KeyPair, error) {
	key := s.key(name)
	id, err := keyID(key)
	if err != nil {
		return bootstrap.KeyPair{}, err
	}
	template := &x509.Certificate{
		// Left out, it would be another one with another version of Go.
		SubjectKeyId:          id,
		SerialNumber:          s.serialNumber(name),
		Subject:               pkix.Name{CommonName: name},
		DNSNames:              []string{name},
		NotBefore:             validFrom,
		NotAfter:              validUntil,
		KeyUsage:              x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	return signed(template, template, key, key)
}

// keyID is the first of the methods of RFC 7093.
func keyID(key *ecdsa.PrivateKey) ([]byte, error) {
	public, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(public)
	return sum[:20], nil
}

// keyPair is a key without a certificate.
func (s Secret) keyPair(use string) (bootstrap.KeyPair, error) {
	key := s.key(use)
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return bootstrap.KeyPair{}, err
	}
	private, err := privatePEM(key)
	return bootstrap.KeyPair{Certificate: block("PUBLIC KEY", public), PrivateKey: private}, err
}

// signed is a certificate for a key, with the key.
func signed(template, issuer *x509.Certificate, key *ecdsa.PrivateKey, by crypto.Signer) (bootstrap.KeyPair, error) {
	der, err := x509.CreateCertificate(nil, template, issuer, key.Public(), deterministic{by})
	if err != nil {
		return bootstrap.KeyPair{}, err
	}
	private, err := privatePEM(key)
	return bootstrap.KeyPair{Certificate: block("CERTIFICATE", der), PrivateKey: private}, err
}

// deterministic signs the same with the same signature each time (RFC 6979).
type deterministic struct{ crypto.Signer }

func (d deterministic) Sign(_ io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return d.Signer.Sign(nil, digest, opts)
}

func privatePEM(key *ecdsa.PrivateKey) (string, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return "", err
	}
	return block("EC PRIVATE KEY", der), nil
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
