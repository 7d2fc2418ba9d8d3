package bootstrap

import (
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// Certificates are the key pairs that all nodes of a control plane share
// (https://kubernetes.io/docs/setup/best-practices/certificates/). They are the cluster:
// whoever has them can be anybody in it.
type Certificates struct {
	// CA is the cluster's certificate authority.
	CA KeyPair
	// EtcdCA is the certificate authority of etcd.
	EtcdCA KeyPair
	// FrontProxyCA is the certificate authority by which an aggregated API server knows
	// that it is the cluster's own that calls it.
	FrontProxyCA KeyPair
	// ServiceAccount signs the tokens of service accounts. It has no certificate: its
	// Certificate is the public key, a PEM block PUBLIC KEY.
	ServiceAccount KeyPair
}

// KeyPair is a certificate and its private key, RSA or ECDSA, in PEM.
type KeyPair struct {
	// Certificate is public. If it is a chain, its first is that of the key.
	Certificate string
	// PrivateKey has no password.
	PrivateKey string
}

// CACertHash is the hash that [Join.CACertHashes] pins, if the key pair is the cluster's
// certificate authority: that of the public key in the certificate, as `kubeadm token
// create --print-join-command` shows it. It fails if there is no certificate in PEM.
func (p KeyPair) CACertHash() (string, error) {
	certificate, err := parseCertificate(p.Certificate)
	if err != nil {
		return "", fmt.Errorf("bootstrap: the key pair's certificate %w", err)
	}
	hash := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
	return "sha256:" + hex.EncodeToString(hash[:]), nil
}

// namedPair is a key pair with the name of its field, and where kubeadm looks for it
// below its folder (cmd/kubeadm/app/constants).
type namedPair struct {
	KeyPair
	field                   string
	certificate, privateKey string
}

// pairs are all four, with the CA first.
func (c Certificates) pairs() []namedPair {
	return []namedPair{
		{c.CA, "ca", "ca.crt", "ca.key"},
		{c.EtcdCA, "etcdCA", "etcd/ca.crt", "etcd/ca.key"},
		{c.FrontProxyCA, "frontProxyCA", "front-proxy-ca.crt", "front-proxy-ca.key"},
		{c.ServiceAccount, "serviceAccount", "sa.pub", "sa.key"},
	}
}

// onlyCA says whether there is no other key pair than the CA.
func (c Certificates) onlyCA() bool {
	return c.CA != KeyPair{} && c == Certificates{CA: c.CA}
}

// files are those that bootstrap.sh copies to where kubeadm looks for them. They are not
// put there at once: a reset of kubeadm would remove them.
func (c Certificates) files() []File {
	var files []File
	for _, pair := range c.pairs() {
		if pair.KeyPair == (KeyPair{}) {
			continue
		}
		files = append(files,
			File{Path: linuxPKI + "/" + pair.certificate, Content: unixText(pair.Certificate), Secret: true},
			File{Path: linuxPKI + "/" + pair.privateKey, Content: unixText(pair.PrivateKey), Secret: true})
	}
	return files
}

// unixText has Unix lines, the last one too.
func unixText(s string) string {
	return strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n") + "\n"
}

var (
	errNoCertificate = errors.New("must be a certificate in PEM")
	errNoCA          = errors.New("must be the certificate of a certificate authority, which may sign others")
	errNoPublicKey   = errors.New(
		"must be a public key in PEM, a block PUBLIC KEY: a service account has no certificate",
	)
	errNoPrivateKey = errors.New("must be a private key in PEM, without a password")
	errOtherKey     = errors.New("must be a key of RSA or ECDSA: kubeadm takes no other")

	errPrivateKeyToo = errors.New("has a private key: give the certificate alone, which everybody may see")
)

// parseCertificate gives the first certificate, and wants all that follow to be right, as
// kubeadm does (ParseCertsPEM in k8s.io/client-go/util/cert).
func parseCertificate(text string) (*x509.Certificate, error) {
	var first *x509.Certificate
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" || len(block.Headers) > 0 {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errNoCertificate
		}
		if first == nil {
			first = certificate
		}
	}
	if first == nil {
		return nil, errNoCertificate
	}
	return first, nil
}

// parsePublicKey gives the key of the first block. Further ones may follow, whose tokens
// the API server takes as well.
func parsePublicKey(text string) (crypto.PublicKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "PUBLIC KEY" {
		return nil, errNoPublicKey
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, errNoPublicKey
	}
	return key, nil
}
