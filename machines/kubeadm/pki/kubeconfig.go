package pki

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"time"

	"gopkg.in/yaml.v3"
)

// administrators is the group that kubeadm binds to the role cluster-admin.
const administrators = "kubeadm:cluster-admins"

// The certificate of an administrator is valid for 32 days, starting with the day before the week
// begins, and is replaced each week: a new kubeconfig is valid for at least 24 more days.
const (
	administratorWindow = 7 * day
	administratorLife   = 32 * day
)

// Kubeconfig returns a configuration for kubectl of an administrator of a cluster, with a
// certificate of its own, which is the same all week.
//
// The server is an address, host:port, and serverName a name in its certificate, which any trusted
// authority of the cluster may have signed.
func (k Keys) Kubeconfig(cluster, server, serverName string, now time.Time) (string, error) {
	ca, err := k.pair(ClusterCA, k.Cluster.Generation)
	if err != nil {
		return "", err
	}
	authority, signer, err := ca.ParseCA()
	if err != nil {
		return "", err
	}
	trusted, err := k.bundle(ClusterCA, k.Cluster.Trusted)
	if err != nil {
		return "", err
	}
	from := now.UTC().Truncate(administratorWindow).Add(-day)
	until := from.Add(administratorLife)
	if until.After(authority.NotAfter) {
		until = authority.NotAfter
	}
	use, s := "administrator "+from.Format(time.DateOnly), k.administration()
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
			Server: "https://" + server, TLSServerName: serverName, CertificateAuthorityData: encoded(trusted),
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
