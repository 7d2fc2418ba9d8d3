package pki

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/bootstrap"
)

// administrators is the group that kubeadm binds to the role cluster-admin.
const administrators = "kubeadm:cluster-admins"

// Kubeconfig is the configuration of an administrator of a cluster, for kubectl, with a
// certificate of its own. The certificate is valid from the beginning of the year of now
// to the end of the next one: the same all year, and another one after it.
//
// The server is its address, host:port, and serverName a name in its certificate.
func (s Secret) Kubeconfig(cluster, server, serverName string, ca bootstrap.KeyPair, now time.Time) (string, error) {
	authority, signer, err := ca.ParseCA()
	if err != nil {
		return "", err
	}
	year := now.UTC().Year()
	from := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -1)
	until := time.Date(year+2, time.January, 1, 0, 0, 0, 0, time.UTC)
	if until.After(authority.NotAfter) {
		until = authority.NotAfter
	}
	use := "administrator " + from.Format(time.DateOnly)
	client, err := signed(&x509.Certificate{
		SerialNumber: s.serialNumber(use),
		Subject:      pkix.Name{CommonName: "mixedkube", Organization: []string{administrators}},
		NotBefore:    from,
		NotAfter:     until,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, authority, s.key(use), signer)
	if err != nil {
		return "", err
	}
	const user = "mixedkube"
	return text(config{
		APIVersion: "v1", Kind: "Config",
		Clusters: []named{{Name: cluster, Cluster: &clusterData{
			Server: "https://" + server, TLSServerName: serverName, CertificateAuthorityData: encoded(ca.Certificate),
		}}},
		Users:          []named{{Name: user, User: &userData{encoded(client.Certificate), encoded(client.PrivateKey)}}},
		Contexts:       []named{{Name: cluster, Context: &contextData{cluster, user}}},
		CurrentContext: cluster,
	})
}

type config struct {
	APIVersion     string  `yaml:"apiVersion"`
	Kind           string  `yaml:"kind"`
	Clusters       []named `yaml:"clusters"`
	Users          []named `yaml:"users"`
	Contexts       []named `yaml:"contexts"`
	CurrentContext string  `yaml:"current-context"`
}

type named struct {
	Name    string       `yaml:"name"`
	Cluster *clusterData `yaml:"cluster,omitempty"`
	User    *userData    `yaml:"user,omitempty"`
	Context *contextData `yaml:"context,omitempty"`
}

type clusterData struct {
	Server                   string `yaml:"server"`
	TLSServerName            string `yaml:"tls-server-name"`
	CertificateAuthorityData string `yaml:"certificate-authority-data"`
}

type userData struct {
	ClientCertificateData string `yaml:"client-certificate-data"`
	ClientKeyData         string `yaml:"client-key-data"`
}

type contextData struct {
	Cluster string `yaml:"cluster"`
	User    string `yaml:"user"`
}

func encoded(pem string) string { return base64.StdEncoding.EncodeToString([]byte(pem)) }

func text(c config) (string, error) {
	b, err := yaml.Marshal(c)
	return string(b), err
}
