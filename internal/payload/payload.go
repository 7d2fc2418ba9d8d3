// Package payload decrypts what bootstrap.PayloadKey encrypts, as the scripts of
// components/bootstrap do on a machine: for simulated machines, and for tests. No component
// needs it.
package payload

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
)

// What is wrong with a payload or with a key. No error shows either.
var (
	ErrForm = errors.New("the payload is not encrypted: bootstrap writes v1, a ciphertext in base64 and an HMAC in " +
		"hex, between dots")
	ErrCiphertext = errors.New("the ciphertext of the payload is not understood: bootstrap writes Salted__, 8 bytes " +
		"of salt and blocks of AES")
	ErrKey = errors.New("the payload key is not understood: bootstrap writes two lines of 64 hex digits")
	ErrMAC = errors.New("the payload was not encrypted with this key, or it was changed")
)

var (
	form = regexp.MustCompile(`^(v1\.([A-Za-z0-9+/]+=*))\.([0-9a-f]{64})$`)
	keys = regexp.MustCompile(`^([0-9a-f]{64})\n([0-9a-f]{64})\n$`)
)

// Check reports whether a text may be a payload, which is all that anybody can say without its
// key: the error is [ErrForm] or [ErrCiphertext].
func Check(payload string) error {
	_, _, _, err := split(payload)
	return err
}

func split(payload string) (signed string, ciphertext []byte, mac string, err error) {
	found := form.FindStringSubmatch(payload)
	if found == nil {
		return "", nil, "", ErrForm
	}
	data, err := base64.StdEncoding.DecodeString(found[2])
	if err != nil || len(data) < 2*aes.BlockSize || len(data)%aes.BlockSize != 0 ||
		!bytes.HasPrefix(data, []byte("Salted__")) {
		return "", nil, "", ErrCiphertext
	}
	return found[1], data, found[3], nil
}

// Decrypt is the plaintext of a payload. The key is the content of the file that brings it
// onto the machine. The error is one of this package's.
func Decrypt(payload, key string) ([]byte, error) {
	lines := keys.FindStringSubmatch(key)
	if lines == nil {
		return nil, ErrKey
	}
	signed, data, mac, err := split(payload)
	if err != nil {
		return nil, err
	}
	digest := hmac.New(sha256.New, []byte(lines[2]))
	digest.Write([]byte(signed))
	if hex.EncodeToString(digest.Sum(nil)) != mac {
		return nil, ErrMAC
	}
	derived, err := pbkdf2.Key(sha256.New, lines[1], data[8:aes.BlockSize], 10000, 32+aes.BlockSize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived[:32])
	if err != nil {
		return nil, err
	}
	plain := make([]byte, len(data)-aes.BlockSize)
	cipher.NewCBCDecrypter(block, derived[32:]).CryptBlocks(plain, data[aes.BlockSize:])
	padding := int(plain[len(plain)-1])
	if padding == 0 || padding > aes.BlockSize ||
		!bytes.HasSuffix(plain, bytes.Repeat([]byte{byte(padding)}, padding)) {
		return nil, ErrCiphertext
	}
	return plain[:len(plain)-padding], nil
}

// In finds the payload of a script or command that was decoded: "" if there is none.
func In(text string) string { return inText.FindString(text) }

var inText = regexp.MustCompile(`v1\.[A-Za-z0-9+/]+=*\.[0-9a-f]{64}`)

// KeyIn finds the key among the files of customData that were decoded, where each of the two
// lines is a line or ends with \n as JSON has it: "" if there is none.
func KeyIn(text string) string {
	found := keyInText.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return strings.Join(found[1:], "\n") + "\n"
}

var keyInText = regexp.MustCompile(`([0-9a-f]{64})(?:\\n|\n\s*)([0-9a-f]{64})(?:\\n|\n)`)
