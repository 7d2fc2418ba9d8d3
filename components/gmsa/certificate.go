package gmsa

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
)

// usable returns the reason that the API server would not connect to a server with this name and certificate. The
// error shows nothing of the key.
func usable(authority, certificate, key, host string) error {
	// Go's own errors about keys name kinds of blocks, not content.
	pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
	if err != nil {
		return strip(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(authority)) {
		return errors.New("the authority is not a certificate in PEM")
	}
	between := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		parsed, err := x509.ParseCertificate(der)
		if err != nil {
			return strip(err)
		}
		between.AddCert(parsed)
	}
	_, err = pair.Leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: roots, Intermediates: between})
	return strip(err)
}

// strip takes the name of the package off.
func strip(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, prefix := range []string{"tls: ", "x509: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return errors.New(text)
}
