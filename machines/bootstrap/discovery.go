package bootstrap

const (
	linuxDiscovery   = linuxConfig + "/kubeadm/discovery.yaml"
	linuxCA          = linuxConfig + "/kubeadm/ca.crt"
	windowsDiscovery = windowsRoot + "/kubeadm/discovery.yaml"
	windowsJoinCA    = windowsRoot + "/kubeadm/ca.crt"
)

// discoveryOf returns how a node finds the cluster: by a file, where the certificate authority is
// known, or by the ConfigMap cluster-info that everyone may read.
func discoveryOf(m machine) discovery {
	if m.ca == "" {
		return discovery{BootstrapToken: &bootstrapTokenDiscovery{
			APIServerEndpoint: m.endpoint,
			Token:             m.join.Token,
			CACertHashes:      m.join.CACertHashes,
		}}
	}
	path := linuxDiscovery
	if m.pool.Platform.IsWindows() {
		// kubeadm takes what has a colon after letters for a URL, and wants https
		// (ValidateDiscoveryKubeConfigPath in cmd/kubeadm/app/apis/kubeadm/validation):
		// C:/ is a scheme. Windows itself knows another way to write a path from its root.
		path = `\\?\` + backslashes(windowsDiscovery)
	}
	return discovery{File: &fileDiscovery{path}}
}

// tokenUsages returns the usages of the token that the first node creates: it must sign
// cluster-info for nodes that discover the cluster with that.
func (m machine) tokenUsages() []string {
	if m.ca == "" {
		return []string{"signing", "authentication"}
	}
	return []string{"authentication"}
}

type kubeconfig struct {
	typeMeta       `yaml:",inline"`
	Clusters       []namedCluster `yaml:"clusters"`
	Users          []namedUser    `yaml:"users"`
	Contexts       []namedContext `yaml:"contexts"`
	CurrentContext string         `yaml:"current-context"`
}

type namedCluster struct {
	Name    string            `yaml:"name"`
	Cluster kubeconfigCluster `yaml:"cluster"`
}

type kubeconfigCluster struct {
	Server               string `yaml:"server"`
	CertificateAuthority string `yaml:"certificate-authority"`
}

type namedUser struct {
	Name string         `yaml:"name"`
	User kubeconfigUser `yaml:"user"`
}

type kubeconfigUser struct {
	Token string `yaml:"token"`
}

type namedContext struct {
	Name    string            `yaml:"name"`
	Context kubeconfigContext `yaml:"context"`
}

type kubeconfigContext struct {
	Cluster string `yaml:"cluster"`
	User    string `yaml:"user"`
}

// discoveryFiles returns what a node finds the cluster by: the certificate authority, which is
// public, and a kubeconfig with the token. The token is in it rather than in the
// tlsBootstrapToken of the JoinConfiguration: kubeadm asks for cluster-info in any case,
// and takes 403, which a user with a token gets, for a reason to continue without it, but not
// 401, which an anonymous one gets (cmd/kubeadm/app/discovery/file/file.go).
func discoveryFiles(m machine) []File {
	if m.ca == "" || m.first {
		return nil
	}
	file, ca := linuxDiscovery, linuxCA
	if m.pool.Platform.IsWindows() {
		file, ca = windowsDiscovery, windowsJoinCA
	}
	const cluster, user, context = "kubernetes", "tls-bootstrap-token-user", "tls-bootstrap-token-user@kubernetes"
	config := kubeconfig{
		typeMeta: typeMeta{APIVersion: "v1", Kind: "Config"},
		Clusters: []namedCluster{{cluster, kubeconfigCluster{
			Server: "https://" + m.endpoint, CertificateAuthority: ca,
		}}},
		Users:          []namedUser{{user, kubeconfigUser{m.join.Token}}},
		Contexts:       []namedContext{{context, kubeconfigContext{cluster, user}}},
		CurrentContext: context,
	}
	return []File{
		{Path: ca, Content: unixText(m.ca)},
		{Path: file, Content: yamlDocuments(config), Secret: true},
	}
}
