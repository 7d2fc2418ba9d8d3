package machine

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// bootstrap returns the run of kubeadm that the configuration is for.
func (c *configuration) bootstrap(m Machine, disk files) (*Bootstrap, error) {
	if c.role == roleInit {
		return c.initBootstrap(m, disk)
	}
	return c.joinBootstrap(m, disk)
}

var (
	versionFormat = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	tokenFormat   = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
	hashFormat    = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

const tokenRule = "it has 6 characters, a dot and 16 characters, a-z and 0-9"

func (c *configuration) initBootstrap(m Machine, disk files) (*Bootstrap, error) {
	b := &Bootstrap{
		Init: true, ControlPlane: true, Version: c.cluster.KubernetesVersion, Endpoint: c.cluster.ControlPlaneEndpoint,
	}
	if !versionFormat.MatchString(b.Version) {
		return nil, fmt.Errorf("kubernetesVersion: %q is not a version such as v1.36.1", b.Version)
	}
	if len(c.init.BootstrapTokens) > 0 {
		b.Token = c.init.BootstrapTokens[0].Token
		if !tokenFormat.MatchString(b.Token) {
			return nil, errors.New("bootstrapTokens[0].token is not a token: " + tokenRule)
		}
	}
	if err := checkEndpoint("controlPlaneEndpoint", b.Endpoint); err != nil {
		return nil, err
	}
	var err error
	if b.ClusterInfo, err = c.readAPIServer(disk); err != nil {
		return nil, fmt.Errorf("apiServer: %w", err)
	}
	return b, b.register(c.init.NodeRegistration, m)
}

func (c *configuration) joinBootstrap(m Machine, disk files) (*Bootstrap, error) {
	b, err := c.discover(disk)
	if err != nil {
		return nil, err
	}
	if m.Windows && c.join.ControlPlane != nil {
		return nil, errors.New("controlPlane: kubeadm does not support control planes on Windows")
	}
	b.ControlPlane = c.join.ControlPlane != nil
	return b, b.register(c.join.NodeRegistration, m)
}

// discover reads how the machine finds the cluster.
func (c *configuration) discover(disk files) (*Bootstrap, error) {
	switch byToken, byFile := c.join.Discovery.BootstrapToken, c.join.Discovery.File; {
	case (byToken == nil) == (byFile == nil):
		return nil, errors.New("discovery has to have one of bootstrapToken and file")
	case byFile != nil:
		b, err := readDiscovery(disk, byFile.KubeConfigPath)
		if err != nil {
			return nil, fmt.Errorf("discovery.file.kubeConfigPath: %w", err)
		}
		return b, nil
	default:
		return c.discoverByToken()
	}
}

func (c *configuration) discoverByToken() (*Bootstrap, error) {
	token := c.join.Discovery.BootstrapToken
	if !tokenFormat.MatchString(token.Token) {
		return nil, errors.New("discovery.bootstrapToken.token is not a token: " + tokenRule)
	}
	if len(token.CACertHashes) == 0 {
		return nil, errors.New("discovery.bootstrapToken.caCertHashes has no hash")
	}
	for i, hash := range token.CACertHashes {
		if !hashFormat.MatchString(hash) {
			return nil, fmt.Errorf("discovery.bootstrapToken.caCertHashes[%d]: %q is not sha256: and 64 hexadecimal "+
				"digits", i, hash)
		}
	}
	if err := checkEndpoint("discovery.bootstrapToken.apiServerEndpoint", token.APIServerEndpoint); err != nil {
		return nil, err
	}
	return &Bootstrap{
		Endpoint: token.APIServerEndpoint, Token: token.Token, CACertHashes: token.CACertHashes,
	}, nil
}

// patches returns the directory with patches of configurations.
func (c *configuration) patches() string {
	if c.role == roleInit {
		return c.init.Patches.Directory
	}
	return c.join.Patches.Directory
}

func checkEndpoint(path, endpoint string) error {
	host, port, err := net.SplitHostPort(endpoint)
	if n, _ := strconv.Atoi(port); err != nil || host == "" || n < 1 || n > 65535 {
		return fmt.Errorf("%s: %q is not host:port", path, endpoint)
	}
	return nil
}

// register reads how the node registers.
func (b *Bootstrap) register(r nodeRegistration, m Machine) error {
	b.NodeName = r.Name
	if len(validation.IsDNS1123Subdomain(b.NodeName)) > 0 {
		return fmt.Errorf("nodeRegistration.name: %q is not a valid name of a node", b.NodeName)
	}
	if r.Taints == nil {
		return errors.New("nodeRegistration.taints is missing: bootstrap writes a list, which may be empty")
	}
	b.Taints = []corev1.Taint{}
	for i, t := range r.Taints {
		taint := corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)}
		if !isTaint(taint) {
			return fmt.Errorf("nodeRegistration.taints[%d]: %q is not a valid taint", i, taint.ToString())
		}
		b.Taints = append(b.Taints, taint)
	}
	b.Labels = map[string]string{}
	for i, arg := range r.KubeletExtraArgs {
		if err := b.kubeletArg(arg.Name, arg.Value, m); err != nil {
			return fmt.Errorf("nodeRegistration.kubeletExtraArgs[%d]: %w", i, err)
		}
	}
	return nil
}

func isTaint(t corev1.Taint) bool {
	effects := []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
	}
	return len(validation.IsQualifiedName(t.Key)) == 0 && len(validation.IsValidLabelValue(t.Value)) == 0 &&
		slices.Contains(effects, t.Effect)
}

// kubeletArg reads an argument of the kubelet. The kubelet does not start with an address that the machine does not
// have.
func (b *Bootstrap) kubeletArg(name, value string, m Machine) error {
	switch name {
	case "node-labels":
		for pair := range strings.SplitSeq(value, ",") {
			key, label, found := strings.Cut(pair, "=")
			if !found || len(validation.IsQualifiedName(key)) > 0 || len(validation.IsValidLabelValue(label)) > 0 {
				return fmt.Errorf("node-labels has %q, which is not a valid label", pair)
			}
			b.Labels[key] = label
		}
	case "node-ip":
		if _, err := netip.ParseAddr(value); err != nil {
			return fmt.Errorf("node-ip: %q is not a valid address", value)
		}
		if m.Address.IsValid() && value != m.Address.String() {
			return fmt.Errorf("the kubelet does not start: node-ip %s is not the address of the machine, %s", value,
				m.Address)
		}
	case "windows-priorityclass":
	default:
		return fmt.Errorf("%s is not understood: bootstrap writes node-ip, node-labels and windows-priorityclass", name)
	}
	return nil
}
