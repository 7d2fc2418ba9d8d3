package powershell

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/bootstrap"
)

// The classes of .NET that Unprotect-Payload uses, as their documentation has them
// (https://learn.microsoft.com/dotnet/api/system.security.cryptography).
type (
	asciiEncoding struct{}
	hmacSHA256    struct{ key []byte }
	deriveBytes   struct {
		password   string
		salt       []byte
		iterations int
	}
	aesCipher struct{ key, iv []byte }
	decryptor struct{ aesCipher }
	// hashName is a HashAlgorithmName.
	hashName string
)

func (asciiEncoding) set(string, any) { panic("Text.Encoding has no property to set") }
func (asciiEncoding) call(method string, arguments []any) any {
	if method != "GetBytes" {
		panic("Text.Encoding." + method)
	}
	return []byte(arguments[0].(string))
}

func (hmacSHA256) set(string, any) { panic("HMACSHA256 has no property to set") }
func (h hmacSHA256) call(method string, arguments []any) any {
	if method != "ComputeHash" {
		panic("HMACSHA256." + method)
	}
	digest := hmac.New(sha256.New, h.key)
	digest.Write(arguments[0].([]byte))
	return digest.Sum(nil)
}

func (deriveBytes) set(string, any) { panic("Rfc2898DeriveBytes has no property to set") }
func (d deriveBytes) call(method string, arguments []any) any {
	if method != "GetBytes" {
		panic("Rfc2898DeriveBytes." + method)
	}
	b, err := pbkdf2.Key(sha256.New, d.password, d.salt, d.iterations, arguments[0].(int))
	if err != nil {
		panic(err)
	}
	return b
}

func (a *aesCipher) set(property string, value any) {
	switch property {
	case "Key":
		a.key = value.([]byte)
	case "IV":
		a.iv = value.([]byte)
	default:
		panic("Aes." + property)
	}
}

func (a *aesCipher) call(method string, _ []any) any {
	if method != "CreateDecryptor" || len(a.key) != 32 || len(a.iv) != aes.BlockSize {
		panic(fmt.Sprintf("Aes.%s with a key of %d bytes and %d of an IV", method, len(a.key), len(a.iv)))
	}
	return decryptor{*a}
}

func (decryptor) set(string, any) { panic("ICryptoTransform has no property to set") }

// call decrypts with CBC and removes the padding of PKCS #7, the defaults.
func (d decryptor) call(method string, arguments []any) any {
	if method != "TransformFinalBlock" {
		panic("ICryptoTransform." + method)
	}
	offset, count := arguments[1].(int), arguments[2].(int)
	block, err := aes.NewCipher(d.key)
	if err != nil {
		panic(err)
	}
	plain := make([]byte, count)
	cipher.NewCBCDecrypter(block, d.iv).CryptBlocks(plain, arguments[0].([]byte)[offset:offset+count])
	return plain[:count-int(plain[count-1])]
}

// dotNet is an interpreter with these classes.
func dotNet() interpreter {
	return interpreter{
		variables: map[string]any{},
		static: func(member string, arguments []any) any {
			switch member {
			case "Text.Encoding::ASCII":
				return asciiEncoding{}
			case "BitConverter::ToString":
				return strings.ToUpper(strings.ReplaceAll(fmt.Sprintf("% x", arguments[0].([]byte)), " ", "-"))
			case "Convert::FromBase64String":
				b, err := base64.StdEncoding.DecodeString(arguments[0].(string))
				if err != nil {
					panic(err)
				}
				return b
			case "Security.Cryptography.HashAlgorithmName::SHA256":
				return hashName("SHA256")
			case "Security.Cryptography.Aes::Create":
				return &aesCipher{}
			}
			panic("no member " + member)
		},
		make: func(kind string, arguments []any) any {
			switch {
			case kind == "Security.Cryptography.HMACSHA256" && len(arguments) == 1:
				return hmacSHA256{arguments[0].([]byte)}
			case kind == "Security.Cryptography.Rfc2898DeriveBytes" && len(arguments) == 4 &&
				arguments[3] == hashName("SHA256"):
				return deriveBytes{arguments[0].(string), arguments[1].([]byte), arguments[2].(int)}
			}
			panic(fmt.Sprintf("no constructor of %s with %d arguments", kind, len(arguments)))
		},
	}
}

// unprotect is the function that decrypts in the script that delivers.
func unprotect(t *testing.T) node {
	t.Helper()
	var found node
	parse(t, bootstrap.WindowsScript(nil)).Tree.each(func(n node) {
		if n.Type == "function_statement" && n.Children[1].source() == "Unprotect-Payload" {
			found = n
		}
	})
	if found.Type == "" {
		t.Fatal("there is no function Unprotect-Payload")
	}
	return found
}

type payloadVector struct{ Key, Plaintext, Payload string }

func payloadVectors(t *testing.T) []payloadVector {
	t.Helper()
	text, err := os.ReadFile("../../components/bootstrap/testdata/payload-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []payloadVector
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) < 4 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	return vectors
}

// The script of Windows decrypts the vectors that Go and the script of Linux decrypt.
func TestUnprotectPayload(t *testing.T) {
	function := unprotect(t)
	for _, v := range payloadVectors(t) {
		got, failure := dotNet().run(t, function, v.Payload, v.Key)
		if plain, _ := got.([]byte); failure != "" || string(plain) != v.Plaintext {
			t.Errorf("%q, %s, want %q", got, failure, v.Plaintext)
		}
	}
}

func TestUnprotectPayloadRefuses(t *testing.T) {
	function := unprotect(t)
	v := payloadVectors(t)[3]
	parts := strings.Split(v.Payload, ".")
	const notForIt = "the payload of the command was not encrypted with this machine's key, or it was changed: nothing " +
		"is written; a machine keeps the customData that it was made with, so make it again"
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
		if got, failure := dotNet().run(t, function, c.payload, c.key); got != nil || failure != c.want {
			t.Errorf("%s: %v, %q, want %q", name, got, failure, c.want)
		}
	}
}
