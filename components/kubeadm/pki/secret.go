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
)

// Secret is what all keys are made from.
type Secret struct{ bytes []byte }

// leastBytes is as much as the strongest key in use has.
const leastBytes = 32

// ErrSecret says what a secret has to be. It shows nothing of what was given.
var ErrSecret = errors.New("must be at least 32 random bytes in base64: make one with `openssl rand -base64 32`")

// ParseSecret reads a secret. Characters that repeat are no random bytes: what has fewer
// than a dozen different ones is refused.
func ParseSecret(text string) (Secret, error) {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(b) < leastBytes {
		return Secret{}, ErrSecret
	}
	different := map[byte]bool{}
	for _, c := range b {
		different[c] = true
	}
	if len(different) < 12 {
		return Secret{}, ErrSecret
	}
	return Secret{b}, nil
}

// bytesFor are n bytes for one use, which say nothing about those for another
// (RFC 5869).
func (s Secret) bytesFor(use string, n int) []byte {
	b, err := hkdf.Key(sha256.New, s.bytes, nil, "mixedkube "+use, n)
	if err != nil {
		panic(err) // only for lengths that nobody asks for
	}
	return b
}

// PayloadKey are 32 bytes for a machine alone, which what it is told in secret is encrypted
// with.
func (s Secret) PayloadKey(machine string) []byte { return s.bytesFor("payload "+machine, 32) }

// key is an ECDSA key of the curve P-256: kubeadm takes RSA and ECDSA.
func (s Secret) key(use string) *ecdsa.PrivateKey {
	for attempt := 0; ; attempt++ {
		// Of 2^32 numbers, one is no key.
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

// serialNumber is that of the certificate for a use: positive, and of 20 bytes at most
// (RFC 5280).
func (s Secret) serialNumber(use string) *big.Int {
	b := s.bytesFor("serial number "+use, 16)
	b[0] |= 0x40
	b[0] &= 0x7f
	return new(big.Int).SetBytes(b)
}
