package apiserver

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"strings"
	"time"

	certutil "k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// authority is the certificate authority of a machine, with what the machine's API server derives from it.
type authority struct {
	// clients are the authorities that it trusts to sign client certificates: all of ca.crt (--client-ca-file,
	// https://kubernetes.io/docs/reference/access-authn-authz/authentication/).
	clients *x509.CertPool
	serving tls.Certificate
}

// newAuthority returns an error if kubeadm or the API server would not start with the keys.
func newAuthority(keys Keys, address string) (*authority, error) {
	certs, err := certutil.ParseCertsPEM([]byte(keys.CACert))
	if err != nil {
		return nil, fmt.Errorf("ca.crt has no certificate: %w", err)
	}
	ca := certs[0] // kubeadm signs with the first
	if !ca.IsCA {
		return nil, errors.New("ca.crt is not the certificate of an authority")
	}
	parsed, err := keyutil.ParsePrivateKeyPEM([]byte(keys.CAKey))
	if err != nil {
		return nil, errors.New("ca.key has no private key")
	}
	key, ok := parsed.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("ca.key is a %T, which cannot sign", parsed)
	}
	if public, ok := key.Public().(interface{ Equal(x crypto.PublicKey) bool }); !ok || !public.Equal(ca.PublicKey) {
		return nil, errors.New("ca.key is not the key of ca.crt")
	}
	a := &authority{clients: x509.NewCertPool()}
	for _, cert := range certs {
		a.clients.AddCert(cert)
	}
	a.serving, err = servingCertificate(ca, key, address)
	return a, err
}

// servingCertificate returns the certificate that kubeadm issues for an API server: its names are those inside every
// cluster and the server's address.
func servingCertificate(ca *x509.Certificate, caKey crypto.Signer, address string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "kube-apiserver"},
		DNSNames: []string{
			"kubernetes", "kubernetes.default", "kubernetes.default.svc",
			"kubernetes.default.svc.cluster.local",
		},
		NotBefore:   ca.NotBefore,
		NotAfter:    time.Now().AddDate(1, 0, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return tls.Certificate{}, err
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = append(template.DNSNames, host)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca, key.Public(), caKey)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// tls requests client certificates and leaves their verification to user: as with kube-apiserver, a wrong certificate
// is answered with a refusal, and the connection stays open.
func (a *authority) tls() *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{a.serving},
		ClientAuth:   tls.RequestClientCert,
		ClientCAs:    a.clients,
		NextProtos:   []string{"h2", "http/1.1"},
	}
}

// user is the user that a request authenticates as.
type user struct {
	name   string
	groups []string
}

var anonymous = user{"system:anonymous", []string{"system:unauthenticated"}}

// user authenticates a request as kube-apiserver does: by the name and organizations of a client certificate, or as
// anonymous without one. There are no tokens here, so none is valid.
func (a *authority) user(r *http.Request) (user, error) {
	if certs := r.TLS.PeerCertificates; len(certs) > 0 {
		options := x509.VerifyOptions{
			Roots: a.clients, Intermediates: x509.NewCertPool(),
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		}
		for _, cert := range certs[1:] {
			options.Intermediates.AddCert(cert)
		}
		if _, err := certs[0].Verify(options); err != nil {
			return user{}, err
		}
		if name := certs[0].Subject.CommonName; name != "" {
			return user{name, certs[0].Subject.Organization}, nil
		}
	}
	if kind, _, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " "); strings.EqualFold(kind,
		"Bearer") {
		return user{}, errors.New("a token")
	}
	return anonymous, nil
}
