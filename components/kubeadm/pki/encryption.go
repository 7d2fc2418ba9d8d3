package pki

import "encoding/base64"

// EncryptionKey is the key that Secrets are encrypted with in etcd, 32 bytes in base64, the
// same each time.
func (s Secret) EncryptionKey() string {
	return base64.StdEncoding.EncodeToString(s.bytesFor("encryption of secrets in etcd", 32))
}
