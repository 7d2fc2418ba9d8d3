package bootstrap

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"
	"time"

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
			if certificates, err := parseCertificates(pair.Certificate); alone && err == nil && len(certificates) > 1 {
				errs = append(errs, hidden(child.Child("certificate"),
					"has several certificates, and kube-controller-manager signs with one: give all four key pairs, "+
						"or one certificate"))
			}
		case first && !alone:
			errs = append(errs, field.Required(child,
				"give all four key pairs, or the CA alone: kubeadm then creates the others"))
		case !first:
			errs = append(errs, field.Required(child,
				"set all four key pairs: an additional node of the control plane needs those of the existing nodes"))
		}
		if i == 0 && !first {
			errs = append(errs, j.checkPin(j.Certificates.CA, "certificates.ca", path)...)
		}
	}
	if j.CertificateKey != "" && !alone {
		errs = append(errs, hidden(path.Child("certificateKey"),
			"cannot be combined with certificates, which has the key pairs that this key decrypts: leave one of the "+
				"two out"))
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
		fmt.Sprintf("does not contain the hash of %s, which is %s: use hashes and certificates of the same "+
			"cluster", at, hash))}
}

// check finds what is wrong with a key pair that is given.
func (p namedPair) check(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("certificate")
	var public []crypto.PublicKey
	if p.Certificate == "" {
		errs = append(errs, field.Required(at, "required together with the private key: set both"))
	} else if keys, problems := p.public(); len(problems) > 0 {
		for _, problem := range problems {
			errs = append(errs, hidden(at, problem))
		}
	} else {
		public = keys
	}
	key := path.Child("privateKey")
	if p.PrivateKey == "" {
		return append(errs, field.Required(key, "required together with the certificate: set both"))
	}
	private, err := parsePrivateKey(p.PrivateKey)
	if err != nil {
		return append(errs, hidden(key, err.Error()))
	}
	isOwn := func(public crypto.PublicKey) bool { return belongs(private, public) }
	switch i := slices.IndexFunc(public, isOwn); {
	case len(public) == 0 || i == 0:
	case i > 0:
		errs = append(errs, hidden(at, fmt.Sprintf(
			"the private key belongs to certificate %d: put this certificate first, because it signs", i+1)))
	default:
		errs = append(errs, hidden(key, "does not match the public key of "+at.String()))
	}
	return errs
}

// public returns the public keys of certificate authorities, or of the service accounts, and what
// is wrong with them.
func (p namedPair) public() ([]crypto.PublicKey, []string) {
	if p.certificate == "sa.pub" {
		keys, err := parsePublicKeys(p.Certificate)
		if err != nil {
			return nil, []string{err.Error()}
		}
		return keys, problemsOf(keys, problemOfKey)
	}
	certificates, err := parseCertificates(p.Certificate)
	switch {
	case err != nil:
		return nil, []string{err.Error()}
	case strings.Contains(p.Certificate, "PRIVATE KEY"):
		return nil, []string{errPrivateKeyToo.Error()}
	}
	keys := make([]crypto.PublicKey, len(certificates))
	for i, certificate := range certificates {
		keys[i] = certificate.PublicKey
	}
	return keys, problemsOf(certificates, problemOfAuthority)
}

// problemsOf returns the problem of each item, with its number if there are several items.
func problemsOf[T any](all []T, problem func(T) string) []string {
	var problems []string
	for i, each := range all {
		found := problem(each)
		if found != "" && len(all) > 1 {
			found = fmt.Sprintf("certificate %d %s", i+1, found)
		}
		if found != "" {
			problems = append(problems, found)
		}
	}
	return problems
}

func problemOfKey(key crypto.PublicKey) string {
	switch key.(type) {
	case *rsa.PublicKey, *ecdsa.PublicKey:
		return ""
	default:
		return errOtherKey.Error()
	}
}

func problemOfAuthority(certificate *x509.Certificate) string {
	switch end := certificate.NotAfter; {
	case !certificate.IsCA || certificate.KeyUsage != 0 && certificate.KeyUsage&x509.KeyUsageCertSign == 0:
		return errNoCA.Error()
	case time.Now().After(end):
		return fmt.Sprintf("expired on %s: replace or remove it, because nothing that it signed is accepted",
			end.UTC().Format(time.DateOnly))
	default:
		return ""
	}
}
