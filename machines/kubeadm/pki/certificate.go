package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"io"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// signed returns a certificate for a key, with the key.
func signed(template, issuer *x509.Certificate, key *ecdsa.PrivateKey, by crypto.Signer) (bootstrap.KeyPair, error) {
	der, err := x509.CreateCertificate(nil, template, issuer, key.Public(), deterministic{by})
	if err != nil {
		return bootstrap.KeyPair{}, err
	}
	private, err := privatePEM(key)
	return bootstrap.KeyPair{Certificate: block("CERTIFICATE", der), PrivateKey: private}, err
}

// deterministic returns the same signature for the same digest each time (RFC 6979).
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
