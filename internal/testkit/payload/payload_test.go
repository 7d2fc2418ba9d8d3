package payload_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
)

func TestVectors(t *testing.T) {
	t.Parallel()
	vectors := payload.Vectors()
	if len(vectors) < 4 {
		t.Errorf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		got, err := payload.Decrypt(v.Payload, v.Key)
		if err != nil || string(got) != v.Plaintext {
			t.Errorf("%q, %v, want %q", got, err, v.Plaintext)
		}
		if err := payload.Check(v.Payload); err != nil {
			t.Errorf("%s: %v", v.Payload, err)
		}
		if got := payload.In("x='" + v.Payload + "'"); got != v.Payload {
			t.Errorf("found %q, want %q", got, v.Payload)
		}
		lines := strings.Split(v.Key, "\n")
		inYAML, inJSON := "    "+lines[0]+"\n    "+lines[1]+"\n", `"`+lines[0]+`\n`+lines[1]+`\n"`
		for _, text := range []string{inYAML, inJSON} {
			if got := payload.KeyIn(text); got != v.Key {
				t.Errorf("found %q in %q, want %q", got, text, v.Key)
			}
		}
	}
	if payload.In("v1.x") != "" || payload.KeyIn(strings.Repeat("a", 64)+"\n") != "" {
		t.Error("found a payload or a key in a text without one")
	}
}

func TestDecryptErrors(t *testing.T) {
	t.Parallel()
	v := payload.Vectors()[2]
	parts := strings.Split(v.Payload, ".")
	sealed := func(ciphertext string) string {
		return "v1." + base64.StdEncoding.EncodeToString([]byte(ciphertext)) + "." + parts[2]
	}
	for name, c := range map[string]struct {
		payload, key string
		want         error
	}{
		"nothing":          {"", v.Key, payload.ErrForm},
		"another version":  {"v2" + v.Payload[2:], v.Key, payload.ErrForm},
		"no HMAC":          {parts[0] + "." + parts[1], v.Key, payload.ErrForm},
		"no salt":          {sealed(strings.Repeat("x", 32)), v.Key, payload.ErrCiphertext},
		"no block":         {sealed("Salted__12345678"), v.Key, payload.ErrCiphertext},
		"half a block":     {sealed("Salted__12345678" + "12345678"), v.Key, payload.ErrCiphertext},
		"another HMAC":     {parts[0] + "." + parts[1] + "." + strings.Repeat("0", 64), v.Key, payload.ErrMAC},
		"another text":     {sealed("Salted__12345678" + strings.Repeat("x", 16)), v.Key, payload.ErrMAC},
		"another key":      {v.Payload, strings.Repeat(strings.Repeat("a", 64)+"\n", 2), payload.ErrMAC},
		"half a key":       {v.Payload, v.Key[:65], payload.ErrKey},
		"a key in capital": {v.Payload, strings.ToUpper(v.Key), payload.ErrKey},
	} {
		got, err := payload.Decrypt(c.payload, c.key)
		if !errors.Is(err, c.want) || got != nil {
			t.Errorf("%s: %q, %v, want %v", name, got, err, c.want)
		}
	}
}
