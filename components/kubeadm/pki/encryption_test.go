package pki_test

import (
	"encoding/base64"
	"testing"
)

// Secrets that are in etcd are read with the same key for ever: a new release of this library
// must make it again.
func TestTheKeyOfSecretsStaysTheSame(t *testing.T) {
	t.Parallel()
	key := secret(t, fixed).EncryptionKey()
	equal(t, "key", "O5pHrIpZls7G1WXeLrpQWJLlLuOgyZIC/YpMHAzSr7A=", key)
	if raw, err := base64.StdEncoding.DecodeString(key); err != nil || len(raw) != 32 {
		t.Errorf("%d bytes (%v)", len(raw), err)
	}
	if secret(t, other).EncryptionKey() == key {
		t.Error("another secret has the same key")
	}
}
