package pki_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// The same secret, name and day give the same keys on each machine and in each later release of
// this library: a cluster whose keys change is lost. These hashes must never change.
func TestKeysOfASecretNeverChange(t *testing.T) {
	t.Parallel()
	k, c := keys(t, fixed), certificates(t, fixed)
	for name, tt := range map[string]struct{ material, want string }{
		"the CA's key": {
			c.CA.PrivateKey,
			"38270bd4bab296151fde79d29235b7e7df62256627b466235dba9d417ce7f574",
		},
		"the CA's certificate": {
			c.CA.Certificate,
			"255e899afc6e3292edc45d606db8f9ac289b046c5e351701ced507442ed896ed",
		},
		"etcd's key": {
			c.EtcdCA.PrivateKey,
			"a4f8d0e870ea46561cb1d4e42585183685d6fcb2798e5bca431d1bd76952102d",
		},
		"etcd's certificate": {
			c.EtcdCA.Certificate,
			"3b0b13d4fd4f1e7410ecb15fbab92b2c88359b343e5765489ccf3d51c1574edf",
		},
		"the front proxy's key": {
			c.FrontProxyCA.PrivateKey,
			"6fc71e491f251d52fd3dd3765e73b491a112348a581c35df11cbabb2ecde1943",
		},
		"the front proxy's certificate": {
			c.FrontProxyCA.Certificate,
			"6279329486a67feaa00a0db9fadfc5013c172d1505378c41955c47c6d2acb69f",
		},
		"the private key of the accounts": {
			c.ServiceAccount.PrivateKey,
			"d3734cc06afe2ae180511a977f44b85c878c4cd350ce1af2f92ddf4ec468168a",
		},
		"the public key of the accounts": {
			c.ServiceAccount.Certificate,
			"787d5cccb0213c13fd3f1df2eef17ab938f1765c4f6b43fc62452288552439f8",
		},
		"a token": {
			k.Token("win22-abc-0", vmID),
			"4c5521f3e0a4ef9a66b8dbe5faef27784fd650702a96afa42337a4d650e10467",
		},
		"a kubeconfig with all of its text": {
			kubeconfig(t, c.CA, now),
			"34a3e9700faf239779677f59020b73c2f08799434f108f5c0f2d665d0e24c754",
		},
	} {
		sum := sha256.Sum256([]byte(tt.material))
		equal(t, name, tt.want, hex.EncodeToString(sum[:]))
	}
}

func TestKeysAreDeterministic(t *testing.T) {
	t.Parallel()
	equal(t, "certificates", certificates(t, fixed), certificates(t, fixed))
	for name, ca := range ownAuthorities(t, now.AddDate(10, 0, 0)) {
		equal(t, "kubeconfig of "+name, kubeconfig(t, ca, now), kubeconfig(t, ca, now))
	}
}

// Each key has one use, and two secrets have no key in common.
func TestAllKeysAndSerialNumbersAreDifferent(t *testing.T) {
	t.Parallel()
	publics, numbers := map[string]string{}, map[string]string{}
	see := func(whose string, public any, number *big.Int) {
		der, err := x509.MarshalPKIXPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		if before, twice := publics[string(der)]; twice {
			t.Errorf("%s has the key of %s", whose, before)
		}
		publics[string(der)] = whose
		if number == nil {
			return
		}
		if before, twice := numbers[number.String()]; twice {
			t.Errorf("%s has the serial number of %s", whose, before)
		}
		numbers[number.String()] = whose
		if number.Sign() <= 0 || number.BitLen() > 159 {
			t.Errorf("%s has the serial number %s", whose, number)
		}
	}
	for _, text := range []string{fixed, other} {
		c := certificates(t, text)
		for name, pair := range map[string]bootstrap.KeyPair{
			"CA": c.CA, "etcd": c.EtcdCA,
			"front proxy": c.FrontProxyCA,
		} {
			certificate := parsed(t, pair)
			see(text+"'s "+name, certificate.PublicKey, certificate.SerialNumber)
		}
		block, _ := pem.Decode([]byte(c.ServiceAccount.Certificate))
		account, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		see(text+"'s accounts", account, nil)
		for week := range 3 {
			k, err := keys(t, text).Kubeconfig("shop", "a:6443", "kubernetes", now.AddDate(0, 0, 7*week))
			if err != nil {
				t.Fatal(err)
			}
			certificate, _ := client(t, k)
			see(fmt.Sprintf("%s's administrator of week %d", text, week), certificate.PublicKey,
				certificate.SerialNumber)
		}
	}
	equal(t, "keys", 14, len(publics))
	equal(t, "serial numbers", 12, len(numbers))
}

// The authorities equal kubeadm's (util/cert: NewSelfSignedCACert), except for the key and the
// dates.
func TestAuthoritiesEqualThoseOfKubeadm(t *testing.T) {
	t.Parallel()
	c := certificates(t, fixed)
	for name, pair := range map[string]bootstrap.KeyPair{
		"kubernetes": c.CA, "etcd-ca": c.EtcdCA,
		"front-proxy-ca": c.FrontProxyCA,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if errs := pair.ValidateCA(nil); len(errs) > 0 {
				t.Error(errs)
			}
			certificate := parsed(t, pair)
			equal(t, "name", "CN="+name, certificate.Subject.String())
			equal(t, "issuer", "CN="+name, certificate.Issuer.String())
			equal(t, "names", []string{name}, certificate.DNSNames)
			equal(t, "a CA", true, certificate.IsCA && certificate.BasicConstraintsValid)
			equal(t, "usage", x509.KeyUsageKeyEncipherment|x509.KeyUsageDigitalSignature|x509.KeyUsageCertSign,
				certificate.KeyUsage)
			equal(t, "from", time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC), certificate.NotBefore)
			equal(t, "until", time.Date(2036, time.March, 4, 0, 0, 0, 0, time.UTC), certificate.NotAfter)
			equal(t, "algorithm", x509.ECDSAWithSHA256, certificate.SignatureAlgorithm)
			key, ok := certificate.PublicKey.(*ecdsa.PublicKey)
			if !ok || key.Curve != elliptic.P256() {
				t.Errorf("the key is %T", certificate.PublicKey)
			}
			if len(certificate.SubjectKeyId) == 0 {
				t.Error("other certificates cannot name its key")
			}
			if err := certificate.CheckSignatureFrom(certificate); err != nil {
				t.Error(err)
			}
			wantBlock(t, pair.Certificate, "CERTIFICATE")
			wantBlock(t, pair.PrivateKey, "EC PRIVATE KEY")
		})
	}
}

// kubeadm reads sa.pub as a public key.
func TestTheKeyOfServiceAccountsHasNoCertificate(t *testing.T) {
	t.Parallel()
	pair := certificates(t, fixed).ServiceAccount
	wantBlock(t, pair.Certificate, "PUBLIC KEY")
	wantBlock(t, pair.PrivateKey, "EC PRIVATE KEY")
	block, _ := pem.Decode([]byte(pair.Certificate))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	block, _ = pem.Decode([]byte(pair.PrivateKey))
	private, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if !private.PublicKey.Equal(public) {
		t.Error("the two do not belong together")
	}
}

// wantBlock checks that a text is one block of PEM and nothing else.
func wantBlock(t *testing.T, text, kind string) {
	t.Helper()
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != kind || len(rest) > 0 || len(block.Headers) > 0 {
		t.Errorf("not one block %s", kind)
	}
}

func windowsLines(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
