package pki

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"time"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// Generation derives keys of each kind from one secret.
type Generation struct {
	Secret Secret
	// Created is when the secret was first used. Its authorities are valid from the day before, so
	// that a machine whose clock is slow accepts them.
	Created time.Time
}

// authorityYears is how long an authority is valid, the same as for kubeadm's.
const authorityYears = 10

// authority creates a certificate authority in the way that kubeadm does (client-go's util/cert:
// NewSelfSignedCACert).
func (g Generation) authority(name string) (bootstrap.KeyPair, error) {
	key := g.Secret.key(name)
	id, err := keyID(key)
	if err != nil {
		return bootstrap.KeyPair{}, err
	}
	from := g.Created.UTC().Truncate(day).Add(-day)
	template := &x509.Certificate{
		// The default depends on the version of Go.
		SubjectKeyId:          id,
		SerialNumber:          g.Secret.serialNumber(name),
		Subject:               pkix.Name{CommonName: name},
		DNSNames:              []string{name},
		NotBefore:             from,
		NotAfter:              from.AddDate(authorityYears, 0, 0),
		KeyUsage:              x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	return signed(template, template, key, key)
}

const day = 24 * time.Hour

// keyID uses the first of the methods of RFC 7093.
func keyID(key *ecdsa.PrivateKey) ([]byte, error) {
	public, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(public)
	return sum[:20], nil
}

// serviceAccounts creates a key without a certificate.
func (g Generation) serviceAccounts() (bootstrap.KeyPair, error) {
	key := g.Secret.key("service accounts")
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return bootstrap.KeyPair{}, err
	}
	private, err := privatePEM(key)
	return bootstrap.KeyPair{Certificate: block("PUBLIC KEY", public), PrivateKey: private}, err
}

// encryptionKey creates the key that encrypts Secrets in etcd, 32 bytes in base64.
func (g Generation) encryptionKey() string {
	return base64.StdEncoding.EncodeToString(g.Secret.bytesFor("encryption of secrets in etcd", 32))
}
