package kubeapi

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"

	"gopkg.in/yaml.v3"
)

// kubeconfig has the parts of a kubeconfig that are used: the cluster and the user of its current
// context, with a client certificate. Other ways to authenticate are refused.
type kubeconfig struct {
	CurrentContext string `yaml:"current-context"`
	Contexts       []struct {
		Name    string
		Context struct{ Cluster, User string }
	}
	Clusters []struct {
		Name    string
		Cluster struct {
			Server        string
			TLSServerName string `yaml:"tls-server-name"`
			CA            string `yaml:"certificate-authority-data"`
		}
	}
	Users []struct {
		Name string
		User struct {
			Certificate string `yaml:"client-certificate-data"`
			Key         string `yaml:"client-key-data"`
		}
	}
}

// parse returns the server of a kubeconfig, and the TLS configuration for it. Its errors show
// nothing of the text except the server and the name of the context.
func parse(text string) (*url.URL, *tls.Config, error) {
	var k kubeconfig
	if err := yaml.Unmarshal([]byte(text), &k); err != nil {
		return nil, nil, errors.New("the kubeconfig is not valid YAML")
	}
	var clusterName, userName string
	for _, c := range k.Contexts {
		if c.Name == k.CurrentContext {
			clusterName, userName = c.Context.Cluster, c.Context.User
		}
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	var server *url.URL
	for _, c := range k.Clusters {
		if c.Name != clusterName {
			continue
		}
		var err error
		if server, err = url.Parse(c.Cluster.Server); err != nil || server.Scheme != "https" || server.Host == "" {
			return nil, nil, fmt.Errorf("the server of the kubeconfig is not an https URL: %q", c.Cluster.Server)
		}
		config.ServerName = c.Cluster.TLSServerName
		ca, err := base64.StdEncoding.DecodeString(c.Cluster.CA)
		config.RootCAs = x509.NewCertPool()
		if err != nil || !config.RootCAs.AppendCertsFromPEM(ca) {
			return nil, nil, errors.New("certificate-authority-data of the kubeconfig has no certificate")
		}
	}
	if server == nil {
		return nil, nil, fmt.Errorf("the kubeconfig has no cluster for its current context %q", k.CurrentContext)
	}
	for _, u := range k.Users {
		if u.Name != userName {
			continue
		}
		certificate, err := base64.StdEncoding.DecodeString(u.User.Certificate)
		if err != nil {
			certificate = nil
		}
		key, err := base64.StdEncoding.DecodeString(u.User.Key)
		if err != nil {
			key = nil
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, nil, errors.New(
				"client-certificate-data and client-key-data of the kubeconfig are not a certificate and its key")
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if config.Certificates == nil {
		return nil, nil, fmt.Errorf("the kubeconfig has no user for its current context %q", k.CurrentContext)
	}
	return server, config, nil
}
