package machine

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
	"fmt"
	"regexp"
	"strings"
)

// Where customData has the key that the extension's files are encrypted with.
const (
	linuxPayloadKey   = "/etc/mixedkube/payload.key"
	windowsPayloadKey = "C:/mixedkube/payload.key"
)

// encrypted is a payload as a bootstrap.PayloadKey encrypts it: a version, a ciphertext in
// base64 and an HMAC in hex, between dots.
var encrypted = regexp.MustCompile(`^v1\.([A-Za-z0-9+/]+=*)\.([0-9a-f]{64})$`)

// checkEncrypted says whether a payload may be one. That is all that anybody can say who has
// no key.
func checkEncrypted(payload string) error {
	_, _, err := splitEncrypted(payload)
	return err
}

func splitEncrypted(payload string) (ciphertext []byte, mac string, err error) {
	found := encrypted.FindStringSubmatch(payload)
	if found == nil {
		return nil, "", errors.New("the value is not encrypted: bootstrap writes v1, a ciphertext in base64 and an " +
			"HMAC in hex, between dots")
	}
	data, err := base64.StdEncoding.DecodeString(found[1])
	if err != nil || len(data) < 2*aes.BlockSize || len(data)%aes.BlockSize != 0 ||
		!bytes.HasPrefix(data, []byte("Salted__")) {
		return nil, "", errors.New("the ciphertext is not understood: bootstrap writes Salted__, 8 bytes of salt and " +
			"blocks of AES")
	}
	return data, found[2], nil
}

// payloadKey is the file with the key: two lines, for the cipher and for the HMAC.
var payloadKey = regexp.MustCompile(`^([0-9a-f]{64})\n([0-9a-f]{64})\n$`)

// decrypt is the plaintext of a payload, if it was encrypted with the key in a file. It does
// what deliver.sh and deliver.ps1 do.
func decrypt(payload string, disk files, path string) ([]byte, error) {
	file, there := disk[path]
	if !there {
		return nil, fmt.Errorf("customData does not bring %s, which the extension's files are decrypted with", path)
	}
	keys := payloadKey.FindStringSubmatch(file.content)
	if keys == nil {
		return nil, fmt.Errorf("customData: %s is not understood: bootstrap writes two lines of 64 hex digits", path)
	}
	data, mac, err := splitEncrypted(payload)
	if err != nil {
		return nil, err
	}
	signed, _, _ := strings.Cut(payload, "."+mac)
	digest := hmac.New(sha256.New, []byte(keys[2]))
	digest.Write([]byte(signed))
	if hex.EncodeToString(digest.Sum(nil)) != mac {
		return nil, fmt.Errorf("the payload was not encrypted with the key in %s, or it was changed: a machine keeps the "+
			"customData that it was made with", path)
	}
	derived, err := pbkdf2.Key(sha256.New, keys[1], data[8:aes.BlockSize], 10000, 32+aes.BlockSize)
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
	if padding == 0 || padding > aes.BlockSize {
		return nil, errors.New("the payload does not end with the padding of PKCS #7")
	}
	return plain[:len(plain)-padding], nil
}
