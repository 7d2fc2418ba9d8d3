package bootstrap

// The types are the used part of kubeadm's v1beta4
// (https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/). kubeadm's
// own are in a module that is too heavy for a library; tests/bootstrap has kubeadm read
// what is written with these.

type typeMeta struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
}

func kubeadmMeta(kind string) typeMeta {
	return typeMeta{APIVersion: "kubeadm.k8s.io/v1beta4", Kind: kind}
}

type initConfiguration struct {
	typeMeta         `yaml:",inline"`
	BootstrapTokens  []bootstrapToken `yaml:"bootstrapTokens,omitempty"`
	NodeRegistration nodeRegistration `yaml:"nodeRegistration"`
	LocalAPIEndpoint apiEndpoint      `yaml:"localAPIEndpoint"`
	CertificateKey   string           `yaml:"certificateKey,omitempty"`
	Patches          patches          `yaml:"patches"`
}

type bootstrapToken struct {
	Token       string   `yaml:"token"`
	Description string   `yaml:"description"`
	TTL         string   `yaml:"ttl"`
	Usages      []string `yaml:"usages"`
	Groups      []string `yaml:"groups"`
}

type clusterConfiguration struct {
	typeMeta             `yaml:",inline"`
	KubernetesVersion    string             `yaml:"kubernetesVersion"`
	ControlPlaneEndpoint string             `yaml:"controlPlaneEndpoint"`
	Networking           networking         `yaml:"networking"`
	APIServer            apiServerComponent `yaml:"apiServer"`
	ControllerManager    component          `yaml:"controllerManager"`
	Scheduler            component          `yaml:"scheduler"`
}

type networking struct {
	ServiceSubnet string `yaml:"serviceSubnet"`
	PodSubnet     string `yaml:"podSubnet"`
	DNSDomain     string `yaml:"dnsDomain"`
}

type component struct {
	ExtraArgs []arg `yaml:"extraArgs"`
}

type apiServerComponent struct {
	CertSANs     []string        `yaml:"certSANs,omitempty"`
	ExtraArgs    []arg           `yaml:"extraArgs"`
	ExtraVolumes []hostPathMount `yaml:"extraVolumes"`
}

type hostPathMount struct {
	Name      string `yaml:"name"`
	HostPath  string `yaml:"hostPath"`
	MountPath string `yaml:"mountPath"`
	ReadOnly  bool   `yaml:"readOnly"`
	PathType  string `yaml:"pathType"`
}

type joinConfiguration struct {
	typeMeta         `yaml:",inline"`
	CACertPath       string            `yaml:"caCertPath,omitempty"`
	Discovery        discovery         `yaml:"discovery"`
	NodeRegistration nodeRegistration  `yaml:"nodeRegistration"`
	ControlPlane     *joinControlPlane `yaml:"controlPlane,omitempty"`
	SkipPhases       []string          `yaml:"skipPhases,omitempty"`
	Patches          patches           `yaml:"patches"`
}

// discovery has one of the two.
type discovery struct {
	BootstrapToken *bootstrapTokenDiscovery `yaml:"bootstrapToken,omitempty"`
	File           *fileDiscovery           `yaml:"file,omitempty"`
}

type fileDiscovery struct {
	KubeConfigPath string `yaml:"kubeConfigPath"`
}

type bootstrapTokenDiscovery struct {
	APIServerEndpoint string   `yaml:"apiServerEndpoint"`
	Token             string   `yaml:"token"`
	CACertHashes      []string `yaml:"caCertHashes"`
}

type joinControlPlane struct {
	LocalAPIEndpoint apiEndpoint `yaml:"localAPIEndpoint"`
	CertificateKey   string      `yaml:"certificateKey,omitempty"`
}

type nodeRegistration struct {
	Name      string `yaml:"name"`
	CRISocket string `yaml:"criSocket"`
	// Taints are written even if there are none: kubeadm applies its default if the list is
	// missing, and no taints if it is empty.
	Taints           []taint `yaml:"taints"`
	KubeletExtraArgs []arg   `yaml:"kubeletExtraArgs"`
}

type taint struct {
	Key    string `yaml:"key"`
	Value  string `yaml:"value,omitempty"`
	Effect string `yaml:"effect"`
}

type arg struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

type apiEndpoint struct {
	AdvertiseAddress string `yaml:"advertiseAddress"`
	BindPort         int    `yaml:"bindPort"`
}

type patches struct {
	Directory string `yaml:"directory"`
}

type kubeProxyConfiguration struct {
	typeMeta    `yaml:",inline"`
	ClusterCIDR string `yaml:"clusterCIDR"`
	Mode        string `yaml:"mode"`
}
