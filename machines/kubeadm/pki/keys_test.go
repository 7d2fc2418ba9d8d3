package pki_test

import (
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// Secrets in etcd are decrypted with the same key forever: each new release of this library must
// derive the same key. This one was computed with Python's hmac, following RFC 5869.
func TestTheKeyOfSecretsStaysTheSame(t *testing.T) {
	t.Parallel()
	k := keys(t, fixed, other)
	equal(t, "key", []string{"igHiuFyJzxrkmh45zowhKbn+zuyCsGbGaSq4dezTTFQ="}, k.EncryptionKeys())
	k.Encryption = pki.Use{Generation: 1, Trusted: []int{0}}
	both := k.EncryptionKeys()
	equal(t, "keys", []string{keys(t, other).EncryptionKeys()[0], "igHiuFyJzxrkmh45zowhKbn+zuyCsGbGaSq4dezTTFQ="}, both)
	for _, key := range both {
		if raw, err := base64.StdEncoding.DecodeString(key); err != nil || len(raw) != 32 {
			t.Errorf("%d bytes (%v)", len(raw), err)
		}
	}
}

// rotations are the steps in which one generation replaces another: what signs, what is trusted,
// and what machines that join trust.
var rotations = []struct {
	name            string
	use             pki.Use
	trusted, joined []string
}{
	{"before", pki.Use{}, []string{fixed}, []string{fixed}},
	{"trusted", pki.Use{Trusted: []int{1}}, []string{fixed, other}, []string{fixed, other}},
	{"signing", pki.Use{Generation: 1, Trusted: []int{0}}, []string{other, fixed}, []string{other}},
	{"after", pki.Use{Generation: 1}, []string{other}, []string{other}},
}

// Each kind of key is replaced independently. Its bundle begins with the generation that signs.
func TestBundlesOfARotation(t *testing.T) {
	t.Parallel()
	of := map[pki.Kind]func(*pki.Keys) *pki.Use{
		pki.ClusterCA:       func(k *pki.Keys) *pki.Use { return &k.Cluster },
		pki.EtcdCA:          func(k *pki.Keys) *pki.Use { return &k.Etcd },
		pki.FrontProxyCA:    func(k *pki.Keys) *pki.Use { return &k.FrontProxy },
		pki.ServiceAccounts: func(k *pki.Keys) *pki.Use { return &k.ServiceAccounts },
	}
	for kind, use := range of {
		for _, step := range rotations {
			t.Run(string(kind)+" "+step.name, func(t *testing.T) {
				t.Parallel()
				k := keys(t, fixed, other)
				*use(&k) = step.use
				got, err := k.Certificates()
				if err != nil {
					t.Fatal(err)
				}
				want := pairs(certificates(t, fixed))
				want[kind] = bootstrap.KeyPair{PrivateKey: pairs(certificates(t, step.trusted[0]))[kind].PrivateKey}
				for _, text := range step.trusted {
					pair := want[kind]
					pair.Certificate += pairs(certificates(t, text))[kind].Certificate
					want[kind] = pair
				}
				equal(t, "pairs", want, pairs(got))
			})
		}
	}
}

func pairs(c bootstrap.Certificates) map[pki.Kind]bootstrap.KeyPair {
	return map[pki.Kind]bootstrap.KeyPair{
		pki.ClusterCA: c.CA, pki.EtcdCA: c.EtcdCA, pki.FrontProxyCA: c.FrontProxyCA,
		pki.ServiceAccounts: c.ServiceAccount,
	}
}

// A machine that joins trusts the generation that signs and those that will sign, but none that has
// signed before. An administrator trusts all, and has a certificate of the generation that signs.
func TestTrustedGenerationsDuringARotation(t *testing.T) {
	t.Parallel()
	for _, step := range rotations {
		t.Run(step.name, func(t *testing.T) {
			t.Parallel()
			k := keys(t, fixed, other)
			k.Cluster = step.use
			joined, err := k.CACertificate()
			if err != nil {
				t.Fatal(err)
			}
			bundle := func(texts []string) string {
				var all strings.Builder
				for _, text := range texts {
					all.WriteString(certificates(t, text).CA.Certificate)
				}
				return all.String()
			}
			equal(t, "trusted by machines", bundle(step.joined), joined)
			text, err := k.Kubeconfig("shop", "a:6443", "kubernetes", now)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text, "certificate-authority-data: "+inBase64(bundle(step.trusted))+"\n") {
				t.Error("the administrator does not trust all that are trusted")
			}
			certificate, _ := client(t, text)
			if err := certificate.CheckSignatureFrom(parsed(t, certificates(t, step.trusted[0]).CA)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Replacing an authority also replaces what is derived from its secret. A machine of the control plane
// keeps the key that it was created with.
func TestSecretsDerivedFromTheSigningAuthority(t *testing.T) {
	t.Parallel()
	first, second := keys(t, fixed, other), keys(t, fixed, other)
	second.Cluster.Generation = 1
	equal(t, "token", keys(t, other).Token("win22-0", vmID), second.Token("win22-0", vmID))
	equal(t, "payload key", keys(t, other).PayloadKey("win22-0", false), second.PayloadKey("win22-0", false))
	equal(t, "payload key of the control plane", first.PayloadKey("control-plane-0", true),
		second.PayloadKey("control-plane-0", true))
}

// A configured pair replaces exactly one generation of its kind.
func TestConfiguredKeyPairs(t *testing.T) {
	t.Parallel()
	own := certificates(t, inBase64(thirtyTwo))
	k := keys(t, fixed, other)
	k.Cluster = pki.Use{Trusted: []int{1}, Configured: map[int]bootstrap.KeyPair{1: {Certificate: own.CA.Certificate}}}
	k.ServiceAccounts = pki.Use{Configured: map[int]bootstrap.KeyPair{0: own.ServiceAccount}}
	got, err := k.Certificates()
	if err != nil {
		t.Fatal(err)
	}
	want := certificates(t, fixed)
	want.CA.Certificate += own.CA.Certificate
	want.ServiceAccount = own.ServiceAccount
	equal(t, "certificates", want, got)
}

// Two clusters with the same secret share no key, whether the secret is generated or configured.
func TestTwoClustersShareNoKey(t *testing.T) {
	t.Parallel()
	generated := func(cluster string) pki.Secret {
		s, err := pki.Generated(fixed, cluster)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, of := range map[string]func(string) pki.Secret{
		"generated":  generated,
		"configured": func(cluster string) pki.Secret { return configured(t, fixed, cluster) },
	} {
		shop, other := fingerprints(t, of("shop")), fingerprints(t, of("shop2"))
		equal(t, "kinds", 5, len(shop))
		seen := map[string]bool{}
		for _, print := range shop {
			seen[print] = true
		}
		for kind, print := range other {
			if seen[print] {
				t.Errorf("%s: the key of %s is one of the other cluster", name, kind)
			}
		}
	}
}

// A fingerprint does not depend on the day, and equals the one that openssl shows of a public key.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	k := keys(t, fixed)
	before, err := k.Fingerprints(0)
	if err != nil {
		t.Fatal(err)
	}
	k.Generations[0].Created = created.AddDate(1, 0, 0)
	after, err := k.Fingerprints(0)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "fingerprints of another day", before, after)
	equal(t, "fingerprint of the authority", "5b1b3f21c9e7a8551734fce3350274812b21dd156ae0acd9f3516619601d4edd",
		before[pki.ClusterCA])
	block, _ := pem.Decode([]byte(certificates(t, fixed).ServiceAccount.Certificate))
	if got, err := pki.Fingerprint(string(pem.EncodeToMemory(block))); err != nil ||
		got != before[pki.ServiceAccounts] {
		t.Errorf("%s (%v)", got, err)
	}
	for _, text := range []string{"", "hush", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"} {
		if got, err := pki.Fingerprint(text); err == nil || got != "" ||
			err.Error() != "must be a certificate or a public key in PEM" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
