package machine

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// kubeconfig is the file of a discovery, with the fields that machines/bootstrap writes.
type kubeconfig struct {
	typeMeta `yaml:",inline"`
	Clusters []struct {
		Name    string `yaml:"name"`
		Cluster struct {
			Server               string `yaml:"server"`
			CertificateAuthority string `yaml:"certificate-authority"`
		} `yaml:"cluster"`
	} `yaml:"clusters"`
	Users []struct {
		Name string `yaml:"name"`
		User struct {
			Token string `yaml:"token"`
		} `yaml:"user"`
	} `yaml:"users"`
	Contexts []struct {
		Name    string `yaml:"name"`
		Context struct {
			Cluster string `yaml:"cluster"`
			User    string `yaml:"user"`
		} `yaml:"context"`
	} `yaml:"contexts"`
	CurrentContext string `yaml:"current-context"`
}

// extendedPrefix is the prefix of a Windows path that bypasses path parsing
// (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
const extendedPrefix = `\\?\`

// onDisk converts the path of a file to the form that the disk has.
func onDisk(path string) string {
	if rest, extended := strings.CutPrefix(path, extendedPrefix); extended {
		return strings.ReplaceAll(rest, `\`, "/")
	}
	return path
}

// readDiscovery reads the kubeconfig with which a machine finds the cluster.
func readDiscovery(disk files, path string) (*Bootstrap, error) {
	// kubeadm treats a path with a scheme as a URL (ValidateDiscoveryKubeConfigPath), and "C:" is a scheme.
	if u, err := url.Parse(path); err != nil || u.Scheme != "" {
		return nil, fmt.Errorf("%q is not a path to kubeadm", path)
	}
	at := onDisk(path)
	file, exists := disk[at]
	if !exists {
		return nil, fmt.Errorf("%s is not on the machine", at)
	}
	var c kubeconfig
	if err := readDocuments(file.content, map[typeMeta]any{{"v1", "Config"}: &c}); err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	if len(c.Clusters) != 1 || len(c.Users) != 1 || len(c.Contexts) != 1 || c.Contexts[0].Name != c.CurrentContext ||
		c.Contexts[0].Context.Cluster != c.Clusters[0].Name || c.Contexts[0].Context.User != c.Users[0].Name {
		return nil, fmt.Errorf("%s is not understood: bootstrap writes one cluster, one user, and a context of "+
			"both", at)
	}
	b, err := c.bootstrap(disk)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return b, nil
}

func (c kubeconfig) bootstrap(disk files) (*Bootstrap, error) {
	cluster := c.Clusters[0].Cluster
	endpoint, https := strings.CutPrefix(cluster.Server, "https://")
	if !https {
		return nil, fmt.Errorf("server: %q does not begin with https://", cluster.Server)
	}
	if err := checkEndpoint("server", endpoint); err != nil {
		return nil, err
	}
	ca, exists := disk[cluster.CertificateAuthority]
	if !exists {
		return nil, fmt.Errorf("certificate-authority: %q is not on the machine", cluster.CertificateAuthority)
	}
	// Without a token in it, kubeadm requests cluster-info as an anonymous user.
	token := c.Users[0].User.Token
	if !tokenFormat.MatchString(token) {
		return nil, errors.New("the user's token is not a token: " + tokenRule)
	}
	return &Bootstrap{Endpoint: endpoint, Token: token, CACert: ca.content}, nil
}
