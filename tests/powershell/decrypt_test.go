package powershell

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// hashName is a HashAlgorithmName.
type hashName string

// cryptography returns an interpreter with the classes of .NET that Unprotect-Payload uses, as
// documented (https://learn.microsoft.com/dotnet/api/system.security.cryptography).
func cryptography(t *testing.T) interpreter {
	t.Helper()
	return interpreter{
		variables: map[string]any{},
		functions: functionsOf(t, bootstrap.WindowsScript(nil)),
		static: map[string]func([]any) any{
			"Text.Encoding::ASCII": func([]any) any {
				return &object{methods: map[string]func([]any) any{
					"GetBytes": func(arguments []any) any { return []byte(arguments[0].(string)) },
				}}
			},
			"BitConverter::ToString": func(arguments []any) any {
				return strings.ToUpper(strings.ReplaceAll(fmt.Sprintf("% x", arguments[0].([]byte)), " ", "-"))
			},
			"Convert::FromBase64String": func(arguments []any) any {
				b, err := base64.StdEncoding.DecodeString(arguments[0].(string))
				if err != nil {
					panic(err)
				}
				return b
			},
			"Security.Cryptography.HashAlgorithmName::SHA256": func([]any) any { return hashName("SHA256") },
			"Security.Cryptography.Aes::Create":               func([]any) any { return newAES() },
		},
		constructors: map[string]func([]any) any{
			"Security.Cryptography.HMACSHA256":         newHMAC,
			"Security.Cryptography.Rfc2898DeriveBytes": newDeriveBytes,
		},
	}
}

func newHMAC(arguments []any) any {
	key := arguments[0].([]byte)
	return &object{methods: map[string]func([]any) any{"ComputeHash": func(arguments []any) any {
		digest := hmac.New(sha256.New, key)
		digest.Write(arguments[0].([]byte))
		return digest.Sum(nil)
	}}}
}

// newDeriveBytes is PBKDF2 with the requested hash: without one it would be SHA-1.
func newDeriveBytes(arguments []any) any {
	password, salt, iterations := arguments[0].(string), arguments[1].([]byte), arguments[2].(int)
	if arguments[3] != hashName("SHA256") {
		panic("another hash than SHA-256")
	}
	return &object{methods: map[string]func([]any) any{"GetBytes": func(arguments []any) any {
		b, err := pbkdf2.Key(sha256.New, password, salt, iterations, arguments[0].(int))
		if err != nil {
			panic(err)
		}
		return b
	}}}
}

// newAES has CBC and the padding of PKCS #7, the defaults.
func newAES() *object {
	made := &object{properties: map[string]any{}}
	decrypt := func(arguments []any) any {
		data, offset, count := arguments[0].([]byte), arguments[1].(int), arguments[2].(int)
		block, err := aes.NewCipher(made.properties["Key"].([]byte))
		if err != nil {
			panic(err)
		}
		plain := make([]byte, count)
		cipher.NewCBCDecrypter(block, made.properties["IV"].([]byte)).CryptBlocks(plain, data[offset:offset+count])
		return plain[:count-int(plain[count-1])]
	}
	made.methods = map[string]func([]any) any{"CreateDecryptor": func([]any) any {
		return &object{methods: map[string]func([]any) any{"TransformFinalBlock": decrypt}}
	}}
	return made
}

// The script of Windows decrypts the vectors that Go and the script of Linux decrypt.
func TestUnprotectPayload(t *testing.T) {
	for _, v := range payload.Vectors() {
		got, failure := cryptography(t).run("Unprotect-Payload", v.Payload, v.Key)
		if plain, _ := got.([]byte); failure != "" || string(plain) != v.Plaintext {
			t.Errorf("%q, %s, want %q", got, failure, v.Plaintext)
		}
	}
}

func TestUnprotectPayloadRefuses(t *testing.T) {
	v := payload.Vectors()[3]
	parts := strings.Split(v.Payload, ".")
	const notForIt = "the payload of the command was not encrypted with this machine's key, or it was changed: " +
		"nothing is written; a machine keeps the customData that it was created with, so create it again"
	const version = "the payload of the command is not of version v1"
	for name, c := range map[string]struct{ payload, key, want string }{
		"another key":     {v.Payload, strings.Repeat(strings.Repeat("a", 64)+"\n", 2), notForIt},
		"another text":    {parts[0] + "." + "AAAA" + parts[1][4:] + "." + parts[2], v.Key, notForIt},
		"another HMAC":    {parts[0] + "." + parts[1] + "." + strings.Repeat("0", 64), v.Key, notForIt},
		"capitals":        {parts[0] + "." + parts[1] + "." + strings.ToUpper(parts[2]), v.Key, notForIt},
		"no HMAC":         {parts[0] + "." + parts[1], v.Key, version},
		"another version": {"v2." + parts[1] + "." + parts[2], v.Key, version},
		"V1":              {"V1." + parts[1] + "." + parts[2], v.Key, version},
	} {
		if got, failure := cryptography(t).run("Unprotect-Payload", c.payload, c.key); got != nil || failure != c.want {
			t.Errorf("%s: %v, %q, want %q", name, got, failure, c.want)
		}
	}
}
