package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"strings"
	"time"
)

// etcdKey has the files by which etcd and the API server authenticate each other. etcd listens on
// loopback, which every user of this machine reaches, and kwokctl has no option for TLS: without
// these files etcd would accept every client. One key and a self-signed certificate are enough for
// two programs of the same user.
type etcdKey struct{ certificate, key string }

// etcdLife is how long the certificate is valid, as long as the certificates of kwokctl.
const etcdLife = 100 * 365 * 24 * time.Hour

// write creates the key and the certificate. Only their owner can read them.
func (k etcdKey) write() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "mixedkube-lab-etcd"},
		// Clocks are sometimes set back.
		NotBefore:             time.Now().Add(-24 * time.Hour),
		NotAfter:              time.Now().Add(etcdLife),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(k.certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600),
		os.WriteFile(k.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600),
	)
}

// patches returns the arguments for etcd and the API server in kwokctl's configuration. The
// ports are etcd's, for its clients and for its peers. The lab's etcd has no peers.
func (k etcdKey) patches(client, peer int) string {
	clients, peers := fmt.Sprintf("https://127.0.0.1:%d", client), fmt.Sprintf("https://127.0.0.1:%d", peer)
	return patch("etcd",
		replaced("advertise-client-urls", clients),
		replaced("listen-client-urls", clients),
		replaced("initial-advertise-peer-urls", peers),
		replaced("listen-peer-urls", peers),
		replaced("initial-cluster", "node0="+peers),
		added("client-cert-auth", "true"),
		added("trusted-ca-file", k.certificate),
		added("cert-file", k.certificate),
		added("key-file", k.key),
		added("peer-client-cert-auth", "true"),
		added("peer-trusted-ca-file", k.certificate),
		added("peer-cert-file", k.certificate),
		added("peer-key-file", k.key),
	) + patch("kube-apiserver",
		replaced("etcd-servers", clients),
		added("etcd-cafile", k.certificate),
		added("etcd-certfile", k.certificate),
		added("etcd-keyfile", k.key),
	)
}

// patch returns an element of componentsPatches.
func patch(component string, arguments ...string) string {
	return "- name: " + component + "\n  extraArgs:\n" + strings.Join(arguments, "")
}

// added returns an argument that kwokctl does not set. YAML reads the quoted value as Go does.
func added(key, value string) string { return fmt.Sprintf("  - {key: %s, value: %q}\n", key, value) }

// replaced returns an argument that replaces one of kwokctl.
func replaced(key, value string) string {
	return fmt.Sprintf("  - {key: %s, value: %q, override: true}\n", key, value)
}
