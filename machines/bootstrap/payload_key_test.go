package bootstrap

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
)

// decrypted returns the plaintext of a payload.
func decrypted(t *testing.T, text string, key PayloadKey) []byte {
	t.Helper()
	plain, err := payload.Decrypt(text, key.File(platform.WindowsServer2022).Content)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// Existing machines keep their keys: the same secret always gives the same.
func TestPayloadVectors(t *testing.T) {
	t.Parallel()
	for _, v := range payload.Vectors() {
		key := NewPayloadKey([]byte(v.Secret))
		if got := key.File(platform.Linux).Content; got != v.Key {
			t.Errorf("the key of %q is %q, want %q", v.Secret, got, v.Key)
		}
		if got := key.encrypt(v.Plaintext); got != v.Payload {
			t.Errorf("%.20q is encrypted as %s, want %s", v.Plaintext, got, v.Payload)
		}
		if got := string(decrypted(t, v.Payload, key)); got != v.Plaintext {
			t.Errorf("%s is %q, want %q", v.Payload, got, v.Plaintext)
		}
	}
}

func TestPayloadKeyFile(t *testing.T) {
	t.Parallel()
	for p, path := range map[platform.Platform]string{
		platform.Linux: "/etc/mixedkube/payload.key", platform.WindowsServer2025: "C:/mixedkube/payload.key",
	} {
		file := scriptKey.File(p)
		if file.Path != path || !file.Secret || file.Executable || len(file.Content) != 130 {
			t.Errorf("%s: %+v", p, file)
		}
	}
}

// The salt depends on the files, and so do the key and the initialization vector: none is used
// for two plaintexts. Another secret changes all parts of the key.
func TestPayloadsShareNothing(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	once := func(what, value string) {
		t.Helper()
		if before, twice := seen[value]; twice {
			t.Errorf("%s is that of %s", what, before)
		}
		seen[value] = what
	}
	for _, secret := range []string{"a", "b"} {
		key := NewPayloadKey([]byte(strings.Repeat(secret, 32)))
		once("the encryption key of "+secret, key.encryption)
		once("the authentication key of "+secret, key.authentication)
		once("the salt key of "+secret, string(key.salt))
		for _, plaintext := range []string{"", "x", "y", strings.Repeat("x", 100), strings.Repeat("x", 101)} {
			text := key.encrypt(plaintext)
			if text != key.encrypt(plaintext) {
				t.Errorf("%q is encrypted in two ways", plaintext)
			}
			data, err := base64.StdEncoding.DecodeString(strings.Split(text, ".")[1])
			if err != nil {
				t.Fatal(err)
			}
			once("the salt of "+secret+" and "+plaintext, string(data[8:16]))
			once("the first block of "+secret+" and "+plaintext, string(data[16:32]))
		}
	}
}

func FuzzPayload(f *testing.F) {
	for n := range 20 {
		f.Add(rand.Text(), strings.Repeat("x", n))
	}
	f.Fuzz(func(t *testing.T, secret, plaintext string) {
		key := NewPayloadKey([]byte(secret))
		if got := string(decrypted(t, key.encrypt(plaintext), key)); got != plaintext {
			t.Errorf("%q became %q", plaintext, got)
		}
	})
}
