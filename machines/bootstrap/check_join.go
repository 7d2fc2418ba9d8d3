package bootstrap

import (
	"encoding/base64"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

var (
	tokenFormat          = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
	caHashFormat         = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	certificateKeyFormat = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// exampleToken is the token in kubeadm's documentation and in the output of `kubeadm config
// print init-defaults`.
const exampleToken = "abcdef.0123456789abcdef"

// check finds what is wrong with a join, for a node that joins a cluster or creates
// one, and of the certificate of the cluster's authority if that is known. It shows no
// secret.
func (j Join) check(first, controlPlane bool, ca string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch token := path.Child("token"); {
	case j.Token == "" && !first:
		errs = append(errs, field.Required(token, "a bootstrap token: create one with `kubeadm token create`"))
	case j.Token == exampleToken:
		errs = append(errs, hidden(token,
			"this is the example of kubeadm's documentation, which everyone knows: create another one with `kubeadm "+
				"token generate`"))
	case j.Token != "" && !tokenFormat.MatchString(j.Token):
		errs = append(errs, hidden(token,
			"a bootstrap token is six lower-case letters or digits, a period and sixteen more: create one with "+
				"`kubeadm token generate`"))
	}
	hashes := path.Child("caCertHashes")
	if len(j.CACertHashes) > 0 || !first && ca == "" {
		errs = append(errs, ValidateCACertHashes(j.CACertHashes, hashes)...)
	}
	if ca != "" {
		errs = append(errs, j.checkAuthority(first, ca, path)...)
	}
	errs = append(errs, j.checkEncryptionKeys(controlPlane, path.Child("encryptionKeys"))...)
	errs = append(errs, j.checkKey(first, controlPlane, path.Child("certificateKey"))...)
	return append(errs, j.checkCertificates(first, controlPlane, path)...)
}

// checkAuthority finds out whether the cluster would have another authority than the one
// whose certificate is known.
func (j Join) checkAuthority(first bool, ca string, path *field.Path) field.ErrorList {
	known := KeyPair{Certificate: ca}
	errs := j.checkPin(known, "cluster.caCertificate", path)
	own := path.Child("certificates", "ca")
	if first && j.Certificates.CA == (KeyPair{}) {
		return append(errs, field.Required(own,
			"kubeadm would create an authority that differs from cluster.caCertificate: set its key pair"))
	}
	want, err := known.CACertHash()
	got, ownErr := j.Certificates.CA.CACertHash()
	if err == nil && ownErr == nil && got != want {
		errs = append(errs, hidden(own.Child("certificate"), "must be the same as cluster.caCertificate"))
	}
	return errs
}

// encryptionKeyBytes is what the provider secretbox takes.
const encryptionKeyBytes = 32

// checkEncryptionKeys finds what is wrong with the keys for Secrets in etcd.
func (j Join) checkEncryptionKeys(controlPlane bool, path *field.Path) field.ErrorList {
	if len(j.EncryptionKeys) > 0 && !controlPlane {
		return field.ErrorList{hidden(path, "only nodes of the control plane read etcd: leave it out")}
	}
	return checkEncryptionKeys(j.EncryptionKeys, path)
}

func checkEncryptionKeys(keys []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, text := range keys {
		key, err := base64.StdEncoding.DecodeString(text)
		switch {
		case err != nil || len(key) != encryptionKeyBytes || base64.StdEncoding.EncodeToString(key) != text:
			errs = append(errs, hidden(path.Index(i),
				"must be 32 random bytes in base64: create one with `openssl rand -base64 32`"))
		case slices.Contains(keys[:i], text):
			errs = append(errs, hidden(path.Index(i), "is in the list already: remove one of the two"))
		}
	}
	return errs
}

// checkKey finds what is wrong with the certificate key.
func (j Join) checkKey(first, controlPlane bool, path *field.Path) field.ErrorList {
	switch {
	case j.CertificateKey == "" && j.Certificates == Certificates{} && controlPlane && !first:
		return field.ErrorList{field.Required(path,
			"an additional node of the control plane needs the existing certificates: set the key that `kubeadm "+
				"init phase upload-certs --upload-certs` shows, or certificates")}
	case j.CertificateKey != "" && !controlPlane:
		return field.ErrorList{hidden(path,
			"only nodes of the control plane may have the cluster's certificates: leave it out")}
	case j.CertificateKey != "" && !certificateKeyFormat.MatchString(j.CertificateKey):
		return field.ErrorList{hidden(path,
			"must be 64 lower-case hexadecimal digits: create one with `kubeadm certs certificate-key`")}
	}
	return nil
}

// hidden returns an error about a secret, which it does not show.
func hidden(path *field.Path, detail string) *field.Error {
	return field.Invalid(path, field.OmitValueType{}, detail)
}
