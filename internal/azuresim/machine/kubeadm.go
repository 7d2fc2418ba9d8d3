package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// kubeadmRuns are the runs of kubeadm that programs have.
type kubeadmRuns struct {
	// verbs are init and join.
	verbs map[string]bool
	// readsFile says that one has a file of configuration.
	readsFile bool
	// program is the first one.
	program string
}

// kubeadmCall is a call in a shell, in PowerShell, or what either says about it. It ends
// with the command or the line.
var kubeadmCall = regexp.MustCompile(`\bkubeadm(?:\.exe)?\b([^\n;|&#]{0,200}?)\b(init|join)\b([^\n;|&]*)`)

func (d *disk) kubeadmRuns() kubeadmRuns {
	runs := kubeadmRuns{verbs: map[string]bool{}}
	for _, t := range d.reached {
		if !t.program {
			continue
		}
		content := withoutComments(t.content)
		if d.windows {
			content = strings.ToLower(content)
		}
		for _, call := range kubeadmCall.FindAllStringSubmatch(content, -1) {
			if isWord(call[1], call[3]) && !strings.HasPrefix(strings.TrimLeft(call[3], ` '",`), "phase") {
				runs.verbs[call[2]] = true
				runs.readsFile = runs.readsFile || strings.Contains(content, "--config")
				runs.program = cmp.Or(runs.program, t.name)
			}
		}
	}
	return runs
}

// isWord sees that init and join are no part of a longer name, as of a service.
func isWord(before, after string) bool {
	return before != "" && !strings.HasSuffix(before, "-") && !strings.HasSuffix(before, ".") &&
		!strings.HasPrefix(after, "-")
}

var configurationLine = regexp.MustCompile(`(?m)^apiVersion:[ \t]*["']?kubeadm\.k8s\.io/`)

func isConfiguration(s string) bool { return configurationLine.MatchString(s) }

const kubeadmAPI = "kubeadm.k8s.io/v1beta4"

// configuration is kubeadm's, as far as a node depends on it
// (https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/).
type configuration struct {
	name    string
	init    *initConfiguration
	cluster *clusterConfiguration
	join    *joinConfiguration
}

type initConfiguration struct {
	BootstrapTokens []struct {
		Token string `yaml:"token"`
	} `yaml:"bootstrapTokens"`
	NodeRegistration nodeRegistration `yaml:"nodeRegistration"`
	LocalAPIEndpoint localEndpoint    `yaml:"localAPIEndpoint"`
}

type clusterConfiguration struct {
	KubernetesVersion    string `yaml:"kubernetesVersion"`
	ControlPlaneEndpoint string `yaml:"controlPlaneEndpoint"`
}

type joinConfiguration struct {
	Discovery struct {
		BootstrapToken *struct {
			APIServerEndpoint        string   `yaml:"apiServerEndpoint"`
			Token                    string   `yaml:"token"`
			CACertHashes             []string `yaml:"caCertHashes"`
			UnsafeSkipCAVerification bool     `yaml:"unsafeSkipCAVerification"`
		} `yaml:"bootstrapToken"`
	} `yaml:"discovery"`
	NodeRegistration nodeRegistration `yaml:"nodeRegistration"`
	ControlPlane     *struct {
		LocalAPIEndpoint localEndpoint `yaml:"localAPIEndpoint"`
	} `yaml:"controlPlane"`
}

type localEndpoint struct {
	AdvertiseAddress string `yaml:"advertiseAddress"`
	BindPort         int    `yaml:"bindPort"`
}

type nodeRegistration struct {
	Name string `yaml:"name"`
	// Taints are nil where there is no list: an empty one means none.
	Taints []struct {
		Key    string `yaml:"key"`
		Value  string `yaml:"value"`
		Effect string `yaml:"effect"`
	} `yaml:"taints"`
	KubeletExtraArgs []struct {
		Name  string `yaml:"name"`
		Value string `yaml:"value"`
	} `yaml:"kubeletExtraArgs"`
}

// configuration is nil if no reached text has one.
func (d *disk) configuration() (*configuration, error) {
	var config *configuration
	seen := map[string]bool{}
	for _, t := range d.reached {
		if t.program || seen[t.content] || !isConfiguration(t.content) {
			continue
		}
		seen[t.content] = true
		if config == nil {
			config = &configuration{name: t.name}
		}
		if err := config.read(t); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return config, nil
}

func (c *configuration) read(t text) error {
	decoder := yaml.NewDecoder(strings.NewReader(t.content))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the configuration of kubeadm is not valid YAML: %s", yamlReason(err))
		}
		if err := c.add(document); err != nil {
			return err
		}
	}
}

func (c *configuration) add(document yaml.Node) error {
	var meta struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
	}
	if err := document.Decode(&meta); err != nil {
		return fmt.Errorf("the configuration of kubeadm has a document that is none: %s", yamlReason(err))
	}
	if !strings.HasPrefix(meta.APIVersion, "kubeadm.k8s.io/") {
		return nil // of the kubelet or kube-proxy
	}
	if meta.APIVersion != kubeadmAPI {
		return fmt.Errorf("the configuration of kubeadm has the version %s: only %s is known", meta.APIVersion,
			kubeadmAPI)
	}
	var err error
	switch meta.Kind {
	case "InitConfiguration":
		c.init, err = decoded(c.init, document, meta.Kind)
	case "ClusterConfiguration":
		c.cluster, err = decoded(c.cluster, document, meta.Kind)
	case "JoinConfiguration":
		c.join, err = decoded(c.join, document, meta.Kind)
	case "ResetConfiguration", "UpgradeConfiguration":
	default:
		err = fmt.Errorf("kubeadm knows no %q", meta.Kind)
	}
	return err
}

func decoded[T any](before *T, document yaml.Node, kind string) (*T, error) {
	if before != nil {
		return nil, fmt.Errorf("there are two documents of the kind %s", kind)
	}
	config := new(T)
	if err := document.Decode(config); err != nil {
		return nil, fmt.Errorf("the %s cannot be read: %s", kind, yamlReason(err))
	}
	return config, nil
}

// bootstrap is the run of kubeadm that the configuration is for.
func (c *configuration) bootstrap(m Machine, runs kubeadmRuns) (*Bootstrap, error) {
	creates := (c.init != nil || c.cluster != nil) && runs.verbs["init"]
	joins := c.join != nil && runs.verbs["join"]
	if creates == joins {
		if creates {
			return nil, fmt.Errorf("%s is for kubeadm init and for kubeadm join: what runs cannot be told", c.name)
		}
		return nil, fmt.Errorf("%s runs kubeadm, and %s has no configuration for that", runs.program, c.name)
	}
	read := c.joinBootstrap
	if creates {
		read = c.initBootstrap
	}
	if m.Windows && (creates || c.join.ControlPlane != nil) {
		return nil, fmt.Errorf("%s: kubeadm makes no control plane on Windows", c.name)
	}
	b, err := read(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return b, nil
}

const apiServerPort = 6443

func (c *configuration) initBootstrap(m Machine) (*Bootstrap, error) {
	config, cluster := initConfiguration{}, clusterConfiguration{}
	if c.init != nil {
		config = *c.init
	}
	if c.cluster != nil {
		cluster = *c.cluster
	}
	b := &Bootstrap{Init: true, ControlPlane: true}
	version := "v" + strings.TrimPrefix(cluster.KubernetesVersion, "v")
	if !versionFormat.MatchString(version) {
		return nil, fmt.Errorf("kubernetesVersion %q is not a valid version: kubeadm would ask the internet for one",
			cluster.KubernetesVersion)
	}
	b.Version = version
	if len(config.BootstrapTokens) > 0 {
		b.Token = config.BootstrapTokens[0].Token
		if !tokenFormat.MatchString(b.Token) {
			return nil, errors.New(
				"the token of bootstrapTokens is none: it has 6 characters, a dot and 16 characters, a-z and 0-9",
			)
		}
	}
	port := cmp.Or(config.LocalAPIEndpoint.BindPort, apiServerPort)
	endpoint := cluster.ControlPlaneEndpoint
	if endpoint == "" {
		endpoint = cmp.Or(config.LocalAPIEndpoint.AdvertiseAddress, m.Address.String())
	}
	var err error
	if b.Endpoint, err = hostPort(endpoint, port); err != nil {
		return nil, err
	}
	return b, b.register(config.NodeRegistration, m)
}

var (
	versionFormat = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	tokenFormat   = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
	hashFormat    = regexp.MustCompile(`^sha256:[0-9a-fA-F]{64}$`)
)

func (c *configuration) joinBootstrap(m Machine) (*Bootstrap, error) {
	token := c.join.Discovery.BootstrapToken
	if token == nil {
		return nil, errors.New("the JoinConfiguration has no discovery.bootstrapToken: no other discovery is known")
	}
	if !tokenFormat.MatchString(token.Token) {
		return nil, errors.New(
			"the token of discovery.bootstrapToken is none: it has 6 characters, a dot and 16 characters, a-z and 0-9",
		)
	}
	if len(token.CACertHashes) == 0 && !token.UnsafeSkipCAVerification {
		return nil, errors.New(
			"using token-based discovery without caCertHashes can be unsafe: set unsafeSkipCAVerification as true in " +
				"the configuration to continue",
		)
	}
	for _, hash := range token.CACertHashes {
		if !hashFormat.MatchString(hash) {
			return nil, fmt.Errorf("the hash %q of caCertHashes is none: it has sha256: and 64 hexadecimal digits",
				hash)
		}
	}
	endpoint, err := hostPort(token.APIServerEndpoint, 0)
	if err != nil {
		return nil, err
	}
	b := &Bootstrap{
		ControlPlane: c.join.ControlPlane != nil, Endpoint: endpoint, Token: token.Token,
		CACertHashes: token.CACertHashes,
	}
	return b, b.register(c.join.NodeRegistration, m)
}

// hostPort is an endpoint, with a port if it may be without.
func hostPort(endpoint string, port int) (string, error) {
	if _, err := netip.ParseAddr(endpoint); port != 0 && (err == nil || !strings.Contains(endpoint, ":")) {
		endpoint = net.JoinHostPort(endpoint, strconv.Itoa(port))
	}
	host, number, err := net.SplitHostPort(endpoint)
	n, _ := strconv.Atoi(number)
	if err != nil || host == "" || n < 1 || n > 65535 {
		return "", fmt.Errorf("the endpoint %q is not host:port", endpoint)
	}
	return endpoint, nil
}

// controlPlaneTaint is what kubeadm gives a node of the control plane that says nothing
// of taints.
var controlPlaneTaint = corev1.Taint{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}

// register reads how the node registers.
func (b *Bootstrap) register(r nodeRegistration, m Machine) error {
	b.NodeName = strings.ToLower(strings.TrimSpace(cmp.Or(r.Name, m.ComputerName)))
	if len(validation.IsDNS1123Subdomain(b.NodeName)) > 0 {
		return fmt.Errorf("the name %q of the node is none in Kubernetes", b.NodeName)
	}
	b.Taints = []corev1.Taint{}
	for _, t := range r.Taints {
		taint := corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)}
		if err := checkTaint(taint); err != nil {
			return err
		}
		b.Taints = append(b.Taints, taint)
	}
	if b.ControlPlane && r.Taints == nil {
		b.Taints = append(b.Taints, controlPlaneTaint)
	}
	b.Labels = map[string]string{}
	for _, arg := range r.KubeletExtraArgs {
		if err := b.kubeletArg(arg.Name, arg.Value, m); err != nil {
			return err
		}
	}
	return nil
}

func checkTaint(t corev1.Taint) error {
	effects := []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule,
		corev1.TaintEffectNoExecute,
	}
	if len(validation.IsQualifiedName(t.Key)) > 0 || len(validation.IsValidLabelValue(t.Value)) > 0 ||
		!slices.Contains(effects, t.Effect) {
		return fmt.Errorf("the taint %s is none", t.ToString())
	}
	return nil
}

// kubeletArg reads an argument of the kubelet. The kubelet does not start with an address
// that the machine does not have.
func (b *Bootstrap) kubeletArg(name, value string, m Machine) error {
	switch name {
	case "node-labels":
		for pair := range strings.SplitSeq(value, ",") {
			key, label, found := strings.Cut(strings.TrimSpace(pair), "=")
			if !found || len(validation.IsQualifiedName(key)) > 0 || len(validation.IsValidLabelValue(label)) > 0 {
				return fmt.Errorf("node-labels has %q, which is not a valid label", pair)
			}
			b.Labels[key] = label
		}
	case "node-ip":
		addresses := strings.Split(value, ",")
		for _, text := range addresses {
			if _, err := netip.ParseAddr(text); err != nil {
				return fmt.Errorf("node-ip has %q, which is not a valid address", text)
			}
		}
		if m.Address.IsValid() && !slices.Contains(addresses, m.Address.String()) {
			return fmt.Errorf("the kubelet does not start: node-ip %s is not the address of the machine, %s", value,
				m.Address)
		}
	}
	return nil
}
