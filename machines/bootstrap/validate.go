package bootstrap

import (
	"crypto"
	"crypto/x509"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns everything that is wrong with the cluster, with paths below path (nil
// for the root). Fields that are not set have their defaults.
func (c Cluster) Validate(path *field.Path) field.ErrorList { return c.WithDefaults().check(path) }

// ValidateCACertHashes returns everything that is wrong with the hashes that a node which
// joins has, see [Join.CACertHashes], with paths below path.
func ValidateCACertHashes(hashes []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(hashes) == 0 {
		errs = append(errs, field.Required(path,
			"without it the node would trust any server that answers: give the hash that `kubeadm token create "+
				"--print-join-command` shows"))
	}
	for i, hash := range hashes {
		if !caHashFormat.MatchString(hash) {
			errs = append(errs, field.Invalid(path.Index(i), hash,
				"must be sha256: and 64 lower-case hexadecimal digits"))
		}
	}
	return errs
}

// ValidateCACertificate returns what is wrong with the certificate of a cluster's authority,
// see [Cluster.CACertificate], with paths below path.
func ValidateCACertificate(text string, path *field.Path) field.ErrorList {
	_, problems := namedPair{KeyPair: KeyPair{Certificate: text}, certificate: "ca.crt"}.public()
	var errs field.ErrorList
	for _, problem := range problems {
		errs = append(errs, hidden(path, problem))
	}
	return errs
}

// ValidateCA returns everything that is wrong with a certificate authority of the
// cluster, with paths below path. It shows no value.
func (p KeyPair) ValidateCA(path *field.Path) field.ErrorList {
	return namedPair{KeyPair: p, certificate: "ca.crt"}.check(path)
}

// ValidateServiceAccount returns everything that is wrong with the pair of the service
// accounts, with paths below path. It shows no value.
func (p KeyPair) ValidateServiceAccount(path *field.Path) field.ErrorList {
	return namedPair{KeyPair: p, certificate: "sa.pub"}.check(path)
}

// ParseCA gives the certificate and the private key of a certificate authority, the one that
// signs if there are several certificates.
func (p KeyPair) ParseCA() (*x509.Certificate, crypto.Signer, error) {
	certificates, err := parseCertificates(p.Certificate)
	if err != nil {
		return nil, nil, err
	}
	key, err := parsePrivateKey(p.PrivateKey)
	return certificates[0], key, err
}
