// Package payload decrypts the output of bootstrap.PayloadKey, as the scripts of
// machines/bootstrap do on a machine. It is for simulated machines and for tests; no component
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

// The errors of a payload or a key. No error shows either of them.
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

// Check reports whether a text can be a payload, which is all that can be checked without its key.
// The error is [ErrForm] or [ErrCiphertext].
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

// Decrypt returns the plaintext of a payload. The key is the content of the key's file on the
// machine. The error is one of this package's.
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

// In returns the payload in a decoded script or command, or "" if there is none.
func In(text string) string { return inText.FindString(text) }

var inText = regexp.MustCompile(`v1\.[A-Za-z0-9+/]+=*\.[0-9a-f]{64}`)

// KeyIn returns the key among the files of decoded customData, or "" if there is none. Each of its
// two lines is a line or, as in JSON, ends with \n.
func KeyIn(text string) string {
	found := keyInText.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return strings.Join(found[1:], "\n") + "\n"
}

var keyInText = regexp.MustCompile(`([0-9a-f]{64})(?:\\n|\n\s*)([0-9a-f]{64})(?:\\n|\n)`)
