package pki

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"

	"golang.org/x/crypto/scrypt"
)

// Secret is the secret that keys of one cluster are derived from.
type Secret struct{ pseudorandom []byte }

// GeneratedBytes is the length of a generated secret: as long as the strongest key in use.
const GeneratedBytes = 32

// Salt returns a text for [Generated] and [Configured] that only one cluster has: with the same
// secret, clusters of other projects and stacks have other keys. Record the text at first use, because a
// project and a stack can be renamed.
func Salt(project, stack, cluster string) string { return project + "/" + stack + "/" + cluster }

// Generated returns the generated secret of a cluster. The text is [GeneratedBytes] random bytes in base64.
func Generated(text, salt string) (Secret, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) != GeneratedBytes {
		return Secret{}, fmt.Errorf("must be %d random bytes in base64", GeneratedBytes)
	}
	return newSecret(b, salt)
}

const (
	// leastCharacters is the length of 128 random bits in hexadecimal digits, or of six words of a
	// list.
	leastCharacters = 32
	// leastDifferent refuses texts that were typed only to fill the field.
	leastDifferent = 12
)

// ErrSecret states the requirements for a configured secret. It shows nothing of the secret.
var ErrSecret = errors.New("must be at least 32 characters, 12 of them different: create one with " +
	"`openssl rand -base64 32`")

// CheckConfigured returns [ErrSecret] if a configured secret is too short or too uniform. It cannot
// check whether someone could guess it.
func CheckConfigured(text string) error {
	text = strings.TrimSpace(text)
	different := map[rune]bool{}
	for _, c := range text {
		different[c] = true
	}
	if len(text) < leastCharacters || len(different) < leastDifferent {
		return ErrSecret
	}
	return nil
}

// The cost of a guess: 128 MiB of memory and some tenths of a second
// (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt).
const (
	scryptN = 1 << 17
	scryptR = 8
	scryptP = 1
)

// Configured returns the configured secret of a cluster. With the cluster's public certificates anyone
// can check a guess at it, so guesses are made expensive (scrypt, RFC 7914). Space around the text
// is ignored.
func Configured(text, salt string) (Secret, error) {
	if err := CheckConfigured(text); err != nil {
		return Secret{}, err
	}
	text = strings.TrimSpace(text)
	if s, ok := stretched.Load([2]string{text, salt}); ok {
		return s.(Secret), nil
	}
	b, err := scrypt.Key([]byte(text), []byte("mixedkube secret of "+salt), scryptN, scryptR, scryptP, GeneratedBytes)
	if err != nil {
		return Secret{}, err
	}
	s, err := newSecret(b, salt)
	if err == nil {
		stretched.Store([2]string{text, salt}, s)
	}
	return s, err
}

// stretched are the secrets that this process has stretched, by text and salt.
var stretched sync.Map

// newSecret binds a secret to a salt, so that two clusters with the same one share no key (RFC 5869,
// 3.1).
func newSecret(b []byte, salt string) (Secret, error) {
	pseudorandom, err := hkdf.Extract(sha256.New, b, []byte("mixedkube 1 "+salt))
	return Secret{pseudorandom}, err
}

// bytesFor derives n bytes for one use. They give away nothing about the bytes for another use.
func (s Secret) bytesFor(use string, n int) []byte {
	b, err := hkdf.Expand(sha256.New, s.pseudorandom, use, n)
	if err != nil {
		panic(err) // only for lengths that this package does not use
	}
	return b
}

// PayloadKey returns 32 bytes for one machine, from which the key of its secrets is derived.
func (s Secret) PayloadKey(machine string) []byte { return s.bytesFor("payload "+machine, 32) }

// key returns an ECDSA key of the curve P-256: kubeadm accepts RSA and ECDSA.
func (s Secret) key(use string) *ecdsa.PrivateKey {
	for attempt := 0; ; attempt++ {
		// About one in 2^32 numbers is not a valid key.
		raw := s.bytesFor(fmt.Sprintf("key %d %s", attempt, use), 32)
		if _, err := ecdh.P256().NewPrivateKey(raw); err != nil {
			continue
		}
		key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
		if err != nil {
			panic(err) // the same check has passed above
		}
		return key
	}
}

// serialNumber returns the serial number of the certificate for a use: positive, and at most 20
// bytes (RFC 5280).
func (s Secret) serialNumber(use string) *big.Int {
	b := s.bytesFor("serial number "+use, 16)
	b[0] |= 0x40
	b[0] &= 0x7f
	return new(big.Int).SetBytes(b)
}
