package bootstrap

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"

	"github.com/mixedkube/mixedkube/core/platform"
)

// PayloadKey encrypts what [LinuxScript], [KeysScript] and [WindowsCommand] bring onto a machine. The key
// comes onto the machine in another way, as one of the files of its customData
// ([PayloadKey.File]): neither way alone reveals a secret.
//
// In Azure the script or command is in the protected settings of an extension. Azure
// encrypts those for the machine, and its WireServer (168.63.129.16) hands them out together
// with the means to decrypt them to whatever asks from the machine's address, pods included;
// it does not hand out customData. customData in turn is on the disk of the machine, and may
// be in templates and logs of deployments. Anyone who has both can read the secrets.
//
// The same secret gives the same key, and the same files the same text. Files that differ are
// encrypted with other keys and initialization vectors: the salt follows from the files.
type PayloadKey struct {
	// encryption and authentication are texts, which the scripts use unchanged.
	encryption, authentication string
	salt                       []byte
}

const (
	linuxPayloadKey   = linuxConfig + "/payload.key"
	windowsPayloadKey = windowsRoot + "/payload.key"

	// payloadVersion begins an encrypted payload.
	payloadVersion = "v1"
	// payloadIterations is the number of iterations of PBKDF2. The key is random, so guessing
	// needs no slowing down. 10000 is the default of openssl.
	payloadIterations = 10000
	// payloadSalt precedes the salt, as in `openssl enc`.
	payloadSalt = "Salted__"
)

// NewPayloadKey derives the key of a machine from a secret of its own, of 32 random bytes or
// more (HKDF, RFC 5869). No two machines may have the same secret.
func NewPayloadKey(secret []byte) PayloadKey {
	part := func(use string) []byte {
		b, err := hkdf.Key(sha256.New, secret, nil, "mixedkube payload "+use, sha256.Size)
		if err != nil {
			panic(err) // only for keys that are longer
		}
		return b
	}
	return PayloadKey{
		encryption:     hex.EncodeToString(part("encryption")),
		authentication: hex.EncodeToString(part("authentication")),
		salt:           part("salt"),
	}
}

// File returns the file that brings the key onto a machine, among its [PublicFiles]: two lines,
// the key that encrypts and the one that authenticates. On Linux the bootstrap removes it
// when the machine is a node, except where all of [Join.Certificates] were given, as other keys
// may come later ([KeysScript]): there it is for root only, as these keys themselves are. On
// Windows it is only in the customData.
func (k PayloadKey) File(p platform.Platform) File {
	path := linuxPayloadKey
	if p.IsWindows() {
		path = windowsPayloadKey
	}
	return File{Path: path, Content: k.encryption + "\n" + k.authentication + "\n", Secret: true}
}

// encrypt gives version, ciphertext and HMAC, between dots. The ciphertext is, in base64,
// what `openssl enc -aes-256-cbc -pbkdf2 -md sha256` writes and reads: "Salted__", the salt,
// and AES-256-CBC with the key and the initialization vector that PBKDF2 derives with the salt.
// The HMAC-SHA256, in hex, is that of all before its dot. These are what a Linux image and
// .NET Framework 4.7.2, that of Windows Server 2019, have: an AEAD is not among them.
func (k PayloadKey) encrypt(plaintext string) string {
	salt := hmacOf(k.salt, plaintext)[:8]
	derived, err := pbkdf2.Key(sha256.New, k.encryption, salt, payloadIterations, 32+aes.BlockSize)
	if err != nil {
		panic(err) // only for lengths that are never requested
	}
	block, err := aes.NewCipher(derived[:32])
	if err != nil {
		panic(err) // the key has the right length
	}
	// PKCS #7: as many bytes as are missing, each of them that number.
	missing := aes.BlockSize - len(plaintext)%aes.BlockSize
	padded := []byte(plaintext)
	for range missing {
		padded = append(padded, byte(missing))
	}
	cipher.NewCBCEncrypter(block, derived[32:]).CryptBlocks(padded, padded)
	signed := payloadVersion + "." + inBase64(payloadSalt+string(salt)+string(padded))
	return signed + "." + hex.EncodeToString(hmacOf([]byte(k.authentication), signed))
}

func hmacOf(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
