package bootstrap

import (
	"crypto"
	"crypto/x509"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkCertificates finds what is wrong with the key pairs of a join. It shows none.
func (j Join) checkCertificates(first, controlPlane bool, path *field.Path) field.ErrorList {
	at := path.Child("certificates")
	switch {
	case j.Certificates == Certificates{}:
		return nil
	case !controlPlane:
		return field.ErrorList{hidden(at, "only nodes of the control plane may have the cluster's keys: leave it out")}
	}
	var errs field.ErrorList
	alone := first && j.Certificates.onlyCA()
	for i, pair := range j.Certificates.pairs() {
		child := at.Child(pair.field)
		switch {
		case pair.KeyPair != KeyPair{}:
			errs = append(errs, pair.check(child)...)
		case first && !alone:
			errs = append(errs, field.Required(child,
				"give all four key pairs, or the CA alone: kubeadm makes the others then"))
		case !first:
			errs = append(errs, field.Required(child,
				"a further node of the control plane needs all four key pairs of the others"))
		}
		if i == 0 && !first {
			errs = append(errs, j.checkPin(j.Certificates.CA, "certificates.ca", path)...)
		}
	}
	if j.CertificateKey != "" && !alone {
		errs = append(errs, hidden(path.Child("certificateKey"),
			"it decrypts the key pairs that kubeadm has uploaded, and certificates has them already: leave one of "+
				"the two out"))
	}
	return errs
}

// checkPin finds out whether a node would trust another certificate authority than the
// one that it is given, which is at a path.
func (j Join) checkPin(ca KeyPair, at string, path *field.Path) field.ErrorList {
	hash, err := ca.CACertHash()
	if err != nil || len(j.CACertHashes) == 0 || slices.Contains(j.CACertHashes, hash) {
		return nil // or it is reported already
	}
	return field.ErrorList{field.Invalid(path.Child("caCertHashes"), j.CACertHashes,
		fmt.Sprintf("the hash of %s is %s: the cluster would be another one", at, hash))}
}

// check finds what is wrong with a key pair that is given.
func (p namedPair) check(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("certificate")
	var public crypto.PublicKey
	if p.Certificate == "" {
		errs = append(errs, field.Required(at, "it belongs to the private key: give both"))
	} else if key, err := p.public(); err != nil {
		errs = append(errs, hidden(at, err.Error()))
	} else {
		public = key
	}
	at = path.Child("privateKey")
	if p.PrivateKey == "" {
		return append(errs, field.Required(at, "kubeadm signs with it: give both"))
	}
	private, err := parsePrivateKey(p.PrivateKey)
	switch {
	case err != nil:
		errs = append(errs, hidden(at, err.Error()))
	case public != nil && !belongs(private, public):
		errs = append(errs, hidden(at,
			"belongs to another public key than that of "+path.Child("certificate").String()))
	}
	return errs
}

// public is the public key of a certificate authority, or of the service accounts.
func (p namedPair) public() (crypto.PublicKey, error) {
	if p.certificate == "sa.pub" {
		return parsePublicKey(p.Certificate)
	}
	certificate, err := parseCertificate(p.Certificate)
	if err != nil {
		return nil, err
	}
	if !certificate.IsCA || certificate.KeyUsage != 0 && certificate.KeyUsage&x509.KeyUsageCertSign == 0 {
		return nil, errNoCA
	}
	return certificate.PublicKey, nil
}
