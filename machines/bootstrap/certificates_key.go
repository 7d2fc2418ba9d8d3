package bootstrap

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
)

// parsePrivateKey returns the first private key. Other blocks may precede it, as in kubeadm
// (ParsePrivateKeyPEM in k8s.io/client-go/util/keyutil).
func parsePrivateKey(text string) (crypto.Signer, error) {
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return nil, errNoPrivateKey
		}
		key, err := privateKeyOf(block)
		if err != nil {
			continue
		}
		switch key := key.(type) {
		case *rsa.PrivateKey:
			return key, nil
		case *ecdsa.PrivateKey:
			return key, nil
		default:
			return nil, errOtherKey
		}
	}
}

func privateKeyOf(block *pem.Block) (any, error) {
	switch block.Type {
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(block.Bytes)
	case "PRIVATE KEY":
		return x509.ParsePKCS8PrivateKey(block.Bytes)
	default:
		return nil, errNoPrivateKey
	}
}

// belongs reports whether a private key is that of a public one.
func belongs(private crypto.Signer, public crypto.PublicKey) bool {
	own, ok := private.Public().(interface{ Equal(x crypto.PublicKey) bool })
	return ok && own.Equal(public)
}
