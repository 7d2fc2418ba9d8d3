package machine

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"slices"
)

// Identity is how a node and the API servers of its cluster identify each other. It contains no secrets, and is empty
// if unknown.
type Identity struct {
	// Signer is the certificate of the authority that signed the kubelet's certificate, in PEM.
	Signer string `json:"signer,omitempty"`
	// Trusted are the certificates of the authorities that the kubelet trusts to sign an API server's certificate.
	Trusted string `json:"trusted,omitempty"`
}

// clusterCA is the file with the certificates of the cluster's authority, the signer's first.
const clusterCA = "ca.crt"

// Identity returns the identity of the node that the machine becomes, or becomes again when its keys are replaced, in a
// cluster whose control plane has keys. kube-controller-manager signs with the first certificate. A discovery by hashes
// trusts all certificates in cluster-info.
func (b Bootstrap) Identity(controlPlane map[string]string) Identity {
	of, trusted := controlPlane[clusterCA], b.CACert
	if b.ControlPlane {
		of, trusted = b.Keys[clusterCA], b.Keys[clusterCA]
	}
	if trusted == "" {
		trusted = of
	}
	signers := authorities(of)
	if len(signers) == 0 {
		return Identity{}
	}
	signer := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signers[0].Raw})
	return Identity{Signer: string(signer), Trusted: trusted}
}

// Why a node and an API server do not accept each other.
var (
	ErrNotTrusted = errors.New("the API server answers Unauthorized: it does not trust the authority that has " +
		"signed the certificate of the kubelet")
	ErrUnknownAuthority = errors.New("x509: certificate signed by unknown authority: the kubelet does not trust the " +
		"authority that has signed the certificate of the API server")
)

// Reaches returns the reason why a kubelet and the API server of a machine with keys do not accept each other:
// [ErrUnknownAuthority] or [ErrNotTrusted], nil if they do.
func (i Identity) Reaches(keys map[string]string) error {
	clients, signer := authorities(keys[clusterCA]), authorities(i.Signer)
	if len(clients) == 0 || len(signer) == 0 {
		return nil
	}
	if !hasAuthority(authorities(i.Trusted), clients[0]) {
		return ErrUnknownAuthority
	}
	if !hasAuthority(clients, signer[0]) {
		return ErrNotTrusted
	}
	return nil
}

// hasAuthority compares the subject and the public key, which identify an authority when certificates are verified.
func hasAuthority(among []*x509.Certificate, one *x509.Certificate) bool {
	return slices.ContainsFunc(among, func(c *x509.Certificate) bool {
		return bytes.Equal(c.RawSubject, one.RawSubject) &&
			bytes.Equal(c.RawSubjectPublicKeyInfo, one.RawSubjectPublicKeyInfo)
	})
}

// authorities returns the certificates in a text in PEM, if it has any.
func authorities(text string) []*x509.Certificate {
	var list []*x509.Certificate
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return list
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			list = append(list, c)
		}
	}
}
