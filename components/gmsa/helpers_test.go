package gmsa_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/gmsa"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

const (
	specType    = "kubernetes:windows.k8s.io/v1:GMSACredentialSpec"
	bindingType = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"
	chartType   = "kubernetes:helm.sh/v4:Chart"
	secretType  = "kubernetes:core/v1:Secret"
)

// contoso returns the domain of all tests.
func contoso() gmsa.Domain {
	return gmsa.Domain{
		DNSName: "contoso.com", NetBIOSName: "CONTOSO",
		SID: "S-1-5-21-2126449477-2524075714-3094792973", GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
	}
}

// newSpec returns a program with the specification "web".
func newSpec(args *gmsa.CredentialSpecArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := gmsa.NewCredentialSpec(ctx, "web", args, opts...)
		return err
	}
}

// newWebhook returns a program with the webhook.
func newWebhook(args *gmsa.WebhookArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := gmsa.NewWebhook(ctx, "gmsa", args)
		return err
	}
}

// file is one that New-CredentialSpec could have written.
func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// issued is a certificate with its authority and its key, in PEM.
type issued struct{ authority, certificate, key string }

func issue(t *testing.T, host string, until time.Time) issued {
	t.Helper()
	caKey, key := newKey(t), newKey(t)
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: until.AddDate(-2, 0, 0),
		NotAfter: until,
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: until.AddDate(-2, 0, 0), NotAfter: until,
		DNSNames: []string{host}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return issued{
		authority:   sign(t, ca, ca, caKey, caKey),
		certificate: sign(t, leaf, ca, key, caKey),
		key:         block("EC PRIVATE KEY", der),
	}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) string {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	return block("CERTIFICATE", der)
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// later returns when certificates end that are good.
func later() time.Time { return time.Now().AddDate(1, 0, 0) }
