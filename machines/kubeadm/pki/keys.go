package pki

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// Keys are all keys of a cluster.
type Keys struct {
	// Generations create the keys without a configured pair.
	Generations []Generation
	// The kinds of keys. Encryption is the key that encrypts Secrets in etcd; it cannot have
	// configured pairs.
	Cluster, Etcd, FrontProxy, ServiceAccounts, Encryption Use
}

// Use configures which generations of one kind of key are in use.
type Use struct {
	// Generation is the number of the generation that signs, or encrypts.
	Generation int
	// Trusted are the other generations that are trusted.
	Trusted []int
	// Configured are the configured pairs, by generation. A pair that is only trusted needs no private
	// key.
	Configured map[int]bootstrap.KeyPair
}

// Kind is the name of a kind of key, as in the arguments of a cluster.
type Kind string

// The kinds.
const (
	ClusterCA       Kind = "cluster"
	EtcdCA          Kind = "etcd"
	FrontProxyCA    Kind = "frontProxy"
	ServiceAccounts Kind = "serviceAccounts"
	Encryption      Kind = "encryption"
)

// Kinds returns all kinds, in the order in which a cluster has them.
func Kinds() []Kind { return []Kind{ClusterCA, EtcdCA, FrontProxyCA, ServiceAccounts, Encryption} }

// ByKind returns the use of a kind.
func (k Keys) ByKind(kind Kind) Use {
	switch kind {
	case ClusterCA:
		return k.Cluster
	case EtcdCA:
		return k.Etcd
	case FrontProxyCA:
		return k.FrontProxy
	case ServiceAccounts:
		return k.ServiceAccounts
	default:
		return k.Encryption
	}
}

// Certificates returns the pairs that the machines of the control plane share. The certificates of
// several generations form a bundle; the generation that signs is the first.
func (k Keys) Certificates() (bootstrap.Certificates, error) {
	var c bootstrap.Certificates
	for _, shared := range []struct {
		kind Kind
		pair *bootstrap.KeyPair
	}{
		{ClusterCA, &c.CA},
		{EtcdCA, &c.EtcdCA},
		{FrontProxyCA, &c.FrontProxyCA},
		{ServiceAccounts, &c.ServiceAccount},
	} {
		var err error
		if *shared.pair, err = k.pair(shared.kind, k.ByKind(shared.kind).Generation); err != nil {
			return bootstrap.Certificates{}, err
		}
		if shared.pair.Certificate, err = k.bundle(shared.kind, k.ByKind(shared.kind).Trusted); err != nil {
			return bootstrap.Certificates{}, err
		}
	}
	return c, nil
}

// CACertificate returns the certificates that a machine that joins must trust: the cluster's
// authority that signs, and those that will sign later. By then API servers no longer have
// certificates of earlier ones.
func (k Keys) CACertificate() (string, error) {
	return k.bundle(ClusterCA, k.Cluster.Coming())
}

// Coming returns the trusted generations that will sign later.
func (u Use) Coming() []int {
	var coming []int
	for _, g := range u.Trusted {
		if g > u.Generation {
			coming = append(coming, g)
		}
	}
	return coming
}

// bundle returns the certificate, or public key, of the generation that signs, followed by those of
// others.
func (k Keys) bundle(kind Kind, others []int) (string, error) {
	var all strings.Builder
	for _, g := range append([]int{k.ByKind(kind).Generation}, others...) {
		pair, err := k.pair(kind, g)
		if err != nil {
			return "", err
		}
		all.WriteString(strings.TrimRight(pair.Certificate, "\r\n") + "\n")
	}
	return all.String(), nil
}

// EncryptionKeys returns the keys of Secrets in etcd. The first one encrypts.
func (k Keys) EncryptionKeys() []string {
	keys := []string{k.Generations[k.Encryption.Generation].encryptionKey()}
	for _, g := range k.Encryption.Trusted {
		keys = append(keys, k.Generations[g].encryptionKey())
	}
	return keys
}

// Token returns the bootstrap token of a machine, see [Secret.Token].
func (k Keys) Token(machine, vmID string) string { return k.administration().Token(machine, vmID) }

// PayloadKey returns the key that encrypts the secrets for a machine. A machine of the control
// plane keeps the key that it was created with; a machine of a pool is replaced when another
// generation signs.
func (k Keys) PayloadKey(machine string, controlPlane bool) []byte {
	if controlPlane {
		return k.Generations[0].Secret.PayloadKey(machine)
	}
	return k.administration().PayloadKey(machine)
}

// administration returns the secret of the generation in which the cluster's authority signs.
func (k Keys) administration() Secret { return k.Generations[k.Cluster.Generation].Secret }

// pair returns the configured or generated pair of a kind and a generation.
func (k Keys) pair(kind Kind, generation int) (bootstrap.KeyPair, error) {
	if pair, configured := k.ByKind(kind).Configured[generation]; configured {
		return pair, nil
	}
	if generation >= len(k.Generations) {
		return bootstrap.KeyPair{}, fmt.Errorf("there is no secret for generation %d", generation)
	}
	g := k.Generations[generation]
	switch kind {
	case ClusterCA:
		return g.authority("kubernetes")
	case EtcdCA:
		return g.authority("etcd-ca")
	case FrontProxyCA:
		return g.authority("front-proxy-ca")
	default:
		return g.serviceAccounts()
	}
}

// Fingerprints identify the keys of one generation without showing them, by kind: the SHA-256 in
// hexadecimal digits of a public key as in a certificate, or of the key of Secrets itself.
func (k Keys) Fingerprints(generation int) (map[Kind]string, error) {
	prints := map[Kind]string{Encryption: fingerprint([]byte(k.Generations[generation].encryptionKey()))}
	for _, kind := range []Kind{ClusterCA, EtcdCA, FrontProxyCA, ServiceAccounts} {
		pair, err := k.pair(kind, generation)
		if err != nil {
			return nil, err
		}
		if prints[kind], err = Fingerprint(pair.Certificate); err != nil {
			return nil, err
		}
	}
	return prints, nil
}

func fingerprint(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Fingerprint returns the fingerprint of the first key in certificates or public keys in PEM.
func Fingerprint(text string) (string, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return "", errors.New("must be a certificate or a public key in PEM")
	}
	if block.Type == "PUBLIC KEY" {
		return fingerprint(block.Bytes), nil
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return "", errors.New("must be a certificate or a public key in PEM")
	}
	return fingerprint(certificate.RawSubjectPublicKeyInfo), nil
}
