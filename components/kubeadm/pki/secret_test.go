package pki_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
)

func inBase64(b string) string { return base64.StdEncoding.EncodeToString([]byte(b)) }

const thirtyTwo = "0123456789abcdef0123456789abcdef"

func TestWhichSecretsAreTaken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		taken      bool
	}{
		{"32 bytes", inBase64(thirtyTwo), true},
		{"more bytes", inBase64(strings.Repeat(thirtyTwo, 100)), true},
		{"a line, as openssl writes it", inBase64(thirtyTwo) + "\n", true},
		{"a line of Windows", inBase64(thirtyTwo) + "\r\n", true},
		{"space around it", "  \t" + inBase64(thirtyTwo) + " ", true},
		{"several lines", "MDEyMzQ1Njc4OWFiY2Rl\nZjAxMjM0NTY3ODlhYmNkZWY=\n", true},
		{"12 different bytes", inBase64(strings.Repeat("0123456789ab", 3)), true},

		{"nothing", "", false},
		{"space", " \n", false},
		{"31 bytes", inBase64(thirtyTwo[:31]), false},
		{"32 characters of base64", inBase64(thirtyTwo)[:32], false},
		{"no base64", strings.Repeat("correct horse battery staple ", 3), false},
		{"hexadecimal digits that are too few", "00112233445566778899aabbccddeeff", false},
		{"base64 for addresses", "-_8yMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", false},
		{"without its end", strings.TrimRight(inBase64(thirtyTwo), "="), false},
		{"space inside", "MDEyMzQ1Njc4OWFiY2Rl ZjAxMjM0NTY3ODlhYmNkZWY=", false},
		{"zeros", inBase64(strings.Repeat("\x00", 32)), false},
		{"11 different bytes", inBase64(strings.Repeat("0123456789a", 3)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := pki.ParseSecret(tt.text)
			if tt.taken {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, pki.ErrSecret) || fmt.Sprintf("%+v", s) != "{bytes:[]}" {
				t.Errorf("%v, %v", s, err)
			}
			equal(t, "error", "must be at least 32 random bytes in base64: make one with `openssl rand -base64 32`",
				err.Error())
		})
	}
}

func TestSpaceAroundASecretChangesNothing(t *testing.T) {
	t.Parallel()
	equal(t, "token", secret(t, fixed).Token("win22-0", vmID),
		secret(t, " "+fixed+"\r\n").Token("win22-0", strings.ToUpper(vmID)))
}

// FuzzParseSecret holds what is true of every text: it is taken or it is not, nothing of
// it is in the error, and what is taken makes keys that go together.
func FuzzParseSecret(f *testing.F) {
	for _, text := range []string{"", fixed, other + "\n", inBase64(strings.Repeat("\x00", 32)), "-_-_", "\xff"} {
		f.Add(text, "win22-abc-0")
	}
	f.Fuzz(func(t *testing.T, text, node string) {
		s, err := pki.ParseSecret(text)
		if err != nil {
			if err.Error() != pki.ErrSecret.Error() {
				t.Errorf("the error is %q", err)
			}
			return
		}
		token := s.Token(node, node)
		if !tokenFormat.MatchString(token) {
			t.Errorf("the token is %q", token)
		}
		c, err := s.Certificates(bootstrap.KeyPair{})
		if err != nil {
			t.Fatal(err)
		}
		if errs := c.CA.ValidateCA(nil); len(errs) > 0 {
			t.Error(errs)
		}
	})
}

// A machine keeps the key that it was made with, which no other machine has.
func TestPayloadKeysAreForever(t *testing.T) {
	t.Parallel()
	s, err := pki.ParseSecret(inBase64(thirtyTwo))
	if err != nil {
		t.Fatal(err)
	}
	// Computed with HMAC-SHA256 of Python, as RFC 5869 has it.
	for machine, want := range map[string]string{
		"linux-0": "2e5439289e5c7107ef0a00c8f3e4d0da52e3f25b3868ee74154d775b84ec9c4b",
		"linux-1": "81086fa663799efb7010b37bfe09cde791709700d12d0e6b5dc0b7660252cbe4",
	} {
		equal(t, "key of "+machine, want, hex.EncodeToString(s.PayloadKey(machine)))
	}
}
