package bootstrap

import (
	"crypto"
	"crypto/x509"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns everything that is wrong with the cluster, with paths below path (nil
// for the root). What was left out counts as its default.
func (c Cluster) Validate(path *field.Path) field.ErrorList { return c.WithDefaults().check(path) }

// ValidateCA returns everything that is wrong with a certificate authority of the
// cluster, with paths below path. It shows no value.
func (p KeyPair) ValidateCA(path *field.Path) field.ErrorList {
	return namedPair{KeyPair: p, certificate: "ca.crt"}.check(path)
}

// ParseCA gives the certificate and the private key of a certificate authority.
func (p KeyPair) ParseCA() (*x509.Certificate, crypto.Signer, error) {
	certificate, err := parseCertificate(p.Certificate)
	if err != nil {
		return nil, nil, err
	}
	key, err := parsePrivateKey(p.PrivateKey)
	return certificate, key, err
}
