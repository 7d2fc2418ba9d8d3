package pki_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/x509"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

func TestTheFieldsOfAKubeconfig(t *testing.T) {
	t.Parallel()
	ca := certificates(t, fixed).CA
	var got map[string]any
	if err := yaml.Unmarshal([]byte(kubeconfig(t, ca, now)), &got); err != nil {
		t.Fatal(err)
	}
	user := got["users"].([]any)[0].(map[string]any)["user"].(map[string]any)
	for _, name := range []string{"client-certificate-data", "client-key-data"} {
		decoded(t, user[name].(string))
		user[name] = "in base64"
	}
	equal(t, "kubeconfig", map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "shop",
		"clusters": []any{map[string]any{"name": "shop", "cluster": map[string]any{
			"server": "https://203.0.113.10:6443", "tls-server-name": "kubernetes", "certificate-authority-data": inBase64(ca.Certificate),
		}}},
		"users": []any{map[string]any{"name": "mixedkube", "user": map[string]any{
			"client-certificate-data": "in base64", "client-key-data": "in base64",
		}}},
		"contexts": []any{map[string]any{
			"name":    "shop",
			"context": map[string]any{"cluster": "shop", "user": "mixedkube"},
		}},
	}, got)
}

// The API server recognizes the certificate as a member of the group that kubeadm binds to
// cluster-admin, whichever authority has signed it.
func TestTheCertificateOfAnAdministrator(t *testing.T) {
	t.Parallel()
	for name, ca := range ownAuthorities(t, now.AddDate(30, 0, 0)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			certificate, key := client(t, kubeconfig(t, ca, now))
			equal(t, "subject", "CN=mixedkube,O=kubeadm:cluster-admins", certificate.Subject.String())
			equal(t, "a CA", false, certificate.IsCA)
			equal(t, "usage", x509.KeyUsageDigitalSignature, certificate.KeyUsage)
			equal(t, "what for", []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, certificate.ExtKeyUsage)
			if !key.(*ecdsa.PrivateKey).PublicKey.Equal(certificate.PublicKey.(crypto.PublicKey)) {
				t.Error("the key is that of another certificate")
			}
			roots := x509.NewCertPool()
			roots.AddCert(parsed(t, ca))
			for _, at := range []time.Time{
				now, time.Date(2026, 7, 13, 0, 0, 0, 0, time.UTC),
				time.Date(2026, 8, 12, 23, 59, 59, 0, time.UTC),
			} {
				if _, err := certificate.Verify(x509.VerifyOptions{
					Roots: roots, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
				}); err != nil {
					t.Errorf("at %s: %v", at, err)
				}
			}
		})
	}
}

// The dates follow from the week in UTC, which begins on Monday: they are the same all week in
// every time zone.
func TestTheDatesOfAnAdministratorsCertificate(t *testing.T) {
	t.Parallel()
	ca := certificates(t, fixed).CA
	auckland, honolulu := time.FixedZone("NZST", 12*60*60), time.FixedZone("HST", -10*60*60)
	for _, tt := range []struct {
		name        string
		now         time.Time
		from, until string
	}{
		{"on a Tuesday", now, "2026-07-12", "2026-08-13"},
		{"as the week begins", time.Date(2026, 7, 13, 0, 0, 0, 0, time.UTC), "2026-07-12", "2026-08-13"},
		{"as it ends", time.Date(2026, 7, 19, 23, 59, 59, 999, time.UTC), "2026-07-12", "2026-08-13"},
		{"as the next one begins", time.Date(2026, 7, 20, 0, 0, 0, 0, time.UTC), "2026-07-19", "2026-08-20"},
		{"where it is Monday already", time.Date(2026, 7, 20, 11, 0, 0, 0, auckland), "2026-07-12", "2026-08-13"},
		{"where it is still Sunday", time.Date(2026, 7, 19, 15, 0, 0, 0, honolulu), "2026-07-19", "2026-08-20"},
		{"at the end of the authority", time.Date(2036, 2, 20, 0, 0, 0, 0, time.UTC), "2036-02-17", "2036-03-04"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			certificate, _ := client(t, kubeconfig(t, ca, tt.now))
			equal(t, "dates", []string{tt.from + " 00:00:00", tt.until + " 00:00:00"},
				[]string{certificate.NotBefore.Format(time.DateTime), certificate.NotAfter.Format(time.DateTime)})
		})
	}
}

func TestKubeconfigIsStableForAWeek(t *testing.T) {
	t.Parallel()
	ca := certificates(t, fixed).CA
	first := time.Date(2026, 7, 13, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 0, 7).Add(-time.Second)
	equal(t, "kubeconfig", kubeconfig(t, ca, first), kubeconfig(t, ca, last))
	if kubeconfig(t, ca, last) == kubeconfig(t, ca, last.Add(time.Second)) {
		t.Error("the next week has the same one")
	}
}

func TestACertificateEndsWithItsAuthority(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	for name, ca := range ownAuthorities(t, until) {
		if name == "the one from the secret" {
			continue
		}
		certificate, _ := client(t, kubeconfig(t, ca, now))
		equal(t, name, until, certificate.NotAfter)
	}
}

func TestAnAuthorityThatCannotBeRead(t *testing.T) {
	t.Parallel()
	right := certificates(t, fixed).CA
	const (
		noCertificate = "must be a certificate in PEM"
		noKey         = "must be a private key in PEM, without a password"
	)
	for name, tt := range map[string]struct {
		ca   bootstrap.KeyPair
		want string
	}{
		"none":           {bootstrap.KeyPair{}, noCertificate},
		"no certificate": {bootstrap.KeyPair{Certificate: "hush", PrivateKey: right.PrivateKey}, noCertificate},
		"no private key": {bootstrap.KeyPair{Certificate: right.Certificate, PrivateKey: "hush"}, noKey},
		"the two exchanged": {
			bootstrap.KeyPair{Certificate: right.PrivateKey, PrivateKey: right.Certificate},
			noCertificate,
		},
		"an invalid key": {bootstrap.KeyPair{Certificate: right.Certificate, PrivateKey: right.Certificate}, noKey},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := keys(t, fixed)
			k.Cluster.Configured = map[int]bootstrap.KeyPair{0: tt.ca}
			text, err := k.Kubeconfig("shop", "a:6443", "kubernetes", now)
			if text != "" || err == nil || err.Error() != tt.want {
				t.Errorf("%q, %v, want %s", text, err, tt.want)
			}
		})
	}
}
