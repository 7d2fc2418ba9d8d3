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
// (https://kubernetes.io/docs/setup/best-practices/certificates/). They give full control of
// the cluster: anyone who has them can act as any user.
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
	// Certificate is public. The first in it is that of the key, which signs. More
	// certificate authorities may follow, or for service accounts more public keys: what they
	// have signed is trusted as well, while a key pair is replaced.
	Certificate string
	// PrivateKey has no password.
	PrivateKey string
}

// CACertHash returns the hash that [Join.CACertHashes] pins, if the key pair is the cluster's
// certificate authority: the hash of the public key in the first certificate, as `kubeadm token
// create --print-join-command` shows it. It fails if there is no certificate in PEM.
func (p KeyPair) CACertHash() (string, error) {
	hashes, err := p.CACertHashes()
	if err != nil {
		return "", err
	}
	return hashes[0], nil
}

// CACertHashes returns the hashes of all certificates in their order, for [Join.CACertHashes]
// while the authority is replaced. kubeadm requires that one of the cluster's authorities is
// pinned, and then trusts all that the cluster names.
func (p KeyPair) CACertHashes() ([]string, error) {
	certificates, err := parseCertificates(p.Certificate)
	if err != nil {
		return nil, fmt.Errorf("bootstrap: the key pair's certificate %w", err)
	}
	hashes := make([]string, len(certificates))
	for i, certificate := range certificates {
		hash := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
		hashes[i] = "sha256:" + hex.EncodeToString(hash[:])
	}
	return hashes, nil
}

// signer returns the first certificate alone, which is right if it can be parsed.
func (p KeyPair) signer() string {
	for rest := []byte(p.Certificate); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return ""
		}
		if isCertificate(block) {
			return string(pem.EncodeToMemory(block))
		}
	}
}

// namedPair is a key pair with the name of its field, and where kubeadm looks for it
// below its directory (cmd/kubeadm/app/constants).
type namedPair struct {
	KeyPair
	field                   string
	certificate, privateKey string
}

// pairs returns all four, with the CA first.
func (c Certificates) pairs() []namedPair {
	return []namedPair{
		{c.CA, "ca", "ca.crt", "ca.key"},
		{c.EtcdCA, "etcdCA", "etcd/ca.crt", "etcd/ca.key"},
		{c.FrontProxyCA, "frontProxyCA", "front-proxy-ca.crt", "front-proxy-ca.key"},
		{c.ServiceAccount, "serviceAccount", "sa.pub", "sa.key"},
	}
}

// onlyCA reports whether the CA is the only key pair.
func (c Certificates) onlyCA() bool {
	return c.CA != KeyPair{} && c == Certificates{CA: c.CA}
}

// replaceable reports whether all four are given: then kubeadm generates none of them.
func (c Certificates) replaceable() bool {
	return c != Certificates{} && !c.onlyCA()
}

// signerFile is the cluster's authority alone, below the directory of kubeadm. While ca.crt has
// several, kube-controller-manager cannot sign with it: it takes one certificate
// (pkg/controller/certificates/signer/ca_provider.go in Kubernetes).
const signerFile = "signer.crt"

// files returns the files of a directory. bootstrap.sh copies them from [linuxPKI] to where
// kubeadm looks for them. They are not written there directly, because kubeadm reset would
// remove them.
func (c Certificates) files(dir string) []File {
	var files []File
	add := func(name, content string) {
		files = append(files, File{Path: dir + "/" + name, Content: unixText(content), Secret: true})
	}
	for _, pair := range c.pairs() {
		if pair.KeyPair != (KeyPair{}) {
			add(pair.certificate, pair.Certificate)
			add(pair.privateKey, pair.PrivateKey)
		}
	}
	if c.replaceable() {
		add(signerFile, c.CA.signer())
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

	errPrivateKeyToo = errors.New("has a private key: give the certificate alone, which everyone may see")
)

// parseCertificates returns all certificates, at least one. All must be valid, as in kubeadm
// (ParseCertsPEM in k8s.io/client-go/util/cert).
func parseCertificates(text string) ([]*x509.Certificate, error) {
	var certificates []*x509.Certificate
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if !isCertificate(block) {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errNoCertificate
		}
		certificates = append(certificates, certificate)
	}
	if len(certificates) == 0 {
		return nil, errNoCertificate
	}
	return certificates, nil
}

func isCertificate(block *pem.Block) bool {
	return block.Type == "CERTIFICATE" && len(block.Headers) == 0
}

// parsePublicKeys gives the keys of all blocks, at least one. The API server takes the tokens
// that any of them has signed.
func parsePublicKeys(text string) ([]crypto.PublicKey, error) {
	var keys []crypto.PublicKey
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type != "PUBLIC KEY" {
			return nil, errNoPublicKey
		}
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, errNoPublicKey
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errNoPublicKey
	}
	return keys, nil
}
