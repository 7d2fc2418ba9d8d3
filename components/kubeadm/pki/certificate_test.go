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

	"github.com/mixedkube/mixedkube/components/bootstrap"
)

// What was made once is made again by each later version of this library: a cluster
// whose keys change is lost. These hashes must never change.
func TestTheKeysOfASecretAreForever(t *testing.T) {
	t.Parallel()
	s, c := secret(t, fixed), certificates(t, fixed)
	for name, tt := range map[string]struct{ material, want string }{
		"the CA's key": {
			c.CA.PrivateKey,
			"88324146a96c0c936d760cd33f01e11243c143d722bbfb8597bb5d2175e5c938",
		},
		"the CA's certificate": {
			c.CA.Certificate,
			"544351323c561f5534dbab4bf4cc60d9370b46be1ac4132701308bef3ac47ebc",
		},
		"etcd's key": {
			c.EtcdCA.PrivateKey,
			"7c4767116cdbf09630fccc86d245265df29ea9fa084fbf7c71e4f327d16d3101",
		},
		"etcd's certificate": {
			c.EtcdCA.Certificate,
			"357350c89f7488ef5c116a7e8d4c985fec172a560311977116b163a9836d9140",
		},
		"the front proxy's key": {
			c.FrontProxyCA.PrivateKey,
			"617d042616b5d238d20c50c312395044c5c0791f73b23bc68f1f4d71804c72ea",
		},
		"the front proxy's certificate": {
			c.FrontProxyCA.Certificate,
			"8f2d27320b4bd54ca17a5599b55072dbe30ad9f81be56ed78584cb6b439f3727",
		},
		"the private key of the accounts": {
			c.ServiceAccount.PrivateKey,
			"1a94712045e92ec8689288a23398950e1c06dd6f4e71f1536bb5d263e17ff494",
		},
		"the public key of the accounts": {
			c.ServiceAccount.Certificate,
			"fd7670ab2f7ec888fd642f6325c55356f75ed777852403845a708ad0eb729cdf",
		},
		"a token": {
			s.Token("win22-abc-0", vmID),
			"f0350fe16851a4f79ec692302ba70f1a87f3e7621e50fe7cb6fdc6e679655cea",
		},
		"a kubeconfig with all of its text": {
			kubeconfig(t, c.CA, now),
			"94431df5a7208193b890c06fc1e39434d973ed192dbfe6014b0d7ee1127acaa0",
		},
	} {
		sum := sha256.Sum256([]byte(tt.material))
		equal(t, name, tt.want, hex.EncodeToString(sum[:]))
	}
}

func TestTheSameSecretGivesTheSameEachTime(t *testing.T) {
	t.Parallel()
	equal(t, "certificates", certificates(t, fixed), certificates(t, fixed))
	for name, ca := range ownAuthorities(t, now.AddDate(10, 0, 0)) {
		equal(t, "kubeconfig of "+name, kubeconfig(t, ca, now), kubeconfig(t, ca, now))
	}
}

// No key is used for two things, and no two secrets have one in common.
func TestAllKeysAndSerialNumbersAreDifferent(t *testing.T) {
	t.Parallel()
	keys, numbers := map[string]string{}, map[string]string{}
	see := func(whose string, public any, number *big.Int) {
		der, err := x509.MarshalPKIXPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		if before, twice := keys[string(der)]; twice {
			t.Errorf("%s has the key of %s", whose, before)
		}
		keys[string(der)] = whose
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
		for year := range 3 {
			k, err := secret(t, text).Kubeconfig("shop", "a:6443", "kubernetes", c.CA, now.AddDate(year, 0, 0))
			if err != nil {
				t.Fatal(err)
			}
			certificate, _ := client(t, k)
			see(fmt.Sprintf("%s's administrator of year %d", text, year), certificate.PublicKey,
				certificate.SerialNumber)
		}
	}
	equal(t, "keys", 14, len(keys))
	equal(t, "serial numbers", 12, len(numbers))
}

// Like kubeadm's own (util/cert: NewSelfSignedCACert), but for the key and the dates.
func TestAuthoritiesAreThoseOfKubeadm(t *testing.T) {
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
			equal(t, "from", time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC), certificate.NotBefore)
			equal(t, "until", time.Date(2075, time.January, 1, 0, 0, 0, 0, time.UTC), certificate.NotAfter)
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

// wantBlock wants one block of PEM and nothing else.
func wantBlock(t *testing.T, text, kind string) {
	t.Helper()
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != kind || len(rest) > 0 || len(block.Headers) > 0 {
		t.Errorf("not one block %s", kind)
	}
}

// An authority of one's own takes the place of the cluster's, and of no other.
func TestAnAuthorityOfOnesOwn(t *testing.T) {
	t.Parallel()
	made := certificates(t, fixed)
	own := certificates(t, other).CA
	got, err := secret(t, fixed).Certificates(own)
	if err != nil {
		t.Fatal(err)
	}
	made.CA = own
	equal(t, "certificates", made, got)
}

func windowsLines(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
