package pki_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

func inBase64(b string) string { return base64.StdEncoding.EncodeToString([]byte(b)) }

const thirtyTwo = "0123456789abcdef0123456789abcdef"

func TestWhichSecretsAreAccepted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		taken      bool
	}{
		{"32 bytes in base64", inBase64(thirtyTwo), true},
		{"16 bytes in hexadecimal digits", "00112233445566778899aabbccddeeff", true},
		{"a phrase of 43 letters", "ThisIsMyVerySecretClusterPassphrase2024Azur", true},
		{"words", "correct horse battery staple and a dog", true},
		{"12 different characters", strings.Repeat("0123456789ab", 3), true},

		{"nothing", "", false},
		{"space", strings.Repeat(" \n", 40), false},
		{"31 characters", thirtyTwo[:31], false},
		{"31 characters with space around them", "  " + thirtyTwo[:31] + "  ", false},
		{"zeros", strings.Repeat("0", 64), false},
		{"11 different characters", strings.Repeat("0123456789a", 3), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := pki.CheckConfigured(tt.text)
			if tt.taken {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, pki.ErrSecret) {
				t.Errorf("the error is %v", err)
			}
			equal(t, "error", "must be at least 32 characters, 12 of them different: create one with "+
				"`openssl rand -base64 32`", pki.ErrSecret.Error())
			if s, err := pki.Configured(tt.text, "shop"); err == nil || fmt.Sprintf("%+v", s) != "{pseudorandom:[]}" {
				t.Errorf("%v, %v", s, err)
			}
		})
	}
}

func TestSecretsThatAreGeneratedHaveThirtyTwoBytes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", inBase64(thirtyTwo[:31]), inBase64(thirtyTwo + "0"), "hush", inBase64(thirtyTwo)[:43],
	} {
		if s, err := pki.Generated(text, "shop"); err == nil || err.Error() != "must be 32 random bytes in base64" ||
			fmt.Sprintf("%+v", s) != "{pseudorandom:[]}" {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}

func configured(tb testing.TB, text, cluster string) pki.Secret {
	tb.Helper()
	s, err := pki.Configured(text, cluster)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// The key of a configured secret, computed with Python's hashlib.scrypt and hmac, following RFC
// 7914 and RFC 5869.
func TestConfiguredSecretsAreStretched(t *testing.T) {
	t.Parallel()
	const phrase = "ThisIsMyVerySecretClusterPassphrase2024Azur"
	s := configured(t, " "+phrase+"\r\n", "shop")
	equal(t, "key", "5105e9b2e5bd002da33d2e8398b841e52e38db12b4661d30f52630e4d4523bbb",
		hex.EncodeToString(s.PayloadKey("linux-0")))
	if other := configured(t, phrase, "shop2"); slices.Equal(other.PayloadKey("linux-0"), s.PayloadKey("linux-0")) {
		t.Error("another cluster has the same key")
	}
}

// BenchmarkOneGuess measures the cost of a guess at a secret: to stretch it, and to derive the public
// key that the certificates of the cluster show. "one key" is the latter alone.
func BenchmarkOneGuess(b *testing.B) {
	b.Run("guess", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			fingerprints(b, configured(b, fmt.Sprintf("ThisIsMyVerySecretClusterPassphrase2024Azur%d", n), "shop"))
		}
	})
	b.Run("one key", func(b *testing.B) {
		s := secret(b, fixed)
		for b.Loop() {
			fingerprints(b, s)
		}
	})
}

func fingerprints(tb testing.TB, s pki.Secret) map[pki.Kind]string {
	tb.Helper()
	prints, err := pki.Keys{Generations: []pki.Generation{{Secret: s, Created: created}}}.Fingerprints(0)
	if err != nil {
		tb.Fatal(err)
	}
	return prints
}

// FuzzGenerated checks properties of every text: either it is accepted or an error shows nothing of it,
// and an accepted text leads to keys that match each other, and other keys for another cluster.
func FuzzGenerated(f *testing.F) {
	for _, text := range []string{"", fixed, other + "\n", inBase64(strings.Repeat("\x00", 32)), "-_-_", "\xff"} {
		f.Add(text, "win22-abc-0")
	}
	f.Fuzz(func(t *testing.T, text, node string) {
		s, err := pki.Generated(text, "shop")
		if err != nil {
			equal(t, "error", "must be 32 random bytes in base64", err.Error())
			return
		}
		if token := s.Token(node, node); !tokenFormat.MatchString(token) {
			t.Errorf("the token is %q", token)
		}
		k := pki.Keys{Generations: []pki.Generation{{Secret: s, Created: created}}}
		c, err := k.Certificates()
		if err != nil {
			t.Fatal(err)
		}
		if errs := c.CA.ValidateCA(nil); len(errs) > 0 {
			t.Error(errs)
		}
		other, err := pki.Generated(text, "shop2")
		if err != nil {
			t.Fatal(err)
		}
		prints := fingerprints(t, s)
		for kind, print := range fingerprints(t, other) {
			if prints[kind] == print {
				t.Errorf("both clusters have the same key of %s", kind)
			}
		}
	})
}

// A machine keeps the key that it was created with, and no other machine has the same.
func TestPayloadKeysNeverChange(t *testing.T) {
	t.Parallel()
	s := secret(t, inBase64(thirtyTwo))
	// Computed with Python's HMAC-SHA256, following RFC 5869.
	for machine, want := range map[string]string{
		"linux-0": "895753e77add9236950b201699b95954707150ca72022c3709ee5877c66be9a7",
		"linux-1": "ccb678b675a2f39fed2faca795307b2489a7a5ad4075ed3ae1f4daa20fb3818c",
	} {
		equal(t, "key of "+machine, want, hex.EncodeToString(s.PayloadKey(machine)))
	}
}
