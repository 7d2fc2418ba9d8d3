package machine

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// configuration is kubeadm's, with the fields that machines/bootstrap writes
// (https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/). Fields that a node does not depend on have
// the type any.
type configuration struct {
	// role selects the document that the file must have.
	role    string
	init    initConfiguration
	cluster clusterConfiguration
	kubelet kubeletConfiguration
	proxy   kubeProxyConfiguration
	join    joinConfiguration
}

type typeMeta struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
}

type initConfiguration struct {
	typeMeta        `yaml:",inline"`
	BootstrapTokens []struct {
		Token       string `yaml:"token"`
		Description any    `yaml:"description"`
		TTL         any    `yaml:"ttl"`
		Usages      any    `yaml:"usages"`
		Groups      any    `yaml:"groups"`
	} `yaml:"bootstrapTokens"`
	NodeRegistration nodeRegistration `yaml:"nodeRegistration"`
	LocalAPIEndpoint any              `yaml:"localAPIEndpoint"`
	CertificateKey   any              `yaml:"certificateKey"`
	Patches          patches          `yaml:"patches"`
}

type clusterConfiguration struct {
	typeMeta             `yaml:",inline"`
	KubernetesVersion    string `yaml:"kubernetesVersion"`
	ControlPlaneEndpoint string `yaml:"controlPlaneEndpoint"`
	Networking           any    `yaml:"networking"`
	APIServer            struct {
		CertSANs     any        `yaml:"certSANs"`
		ExtraArgs    []argument `yaml:"extraArgs"`
		ExtraVolumes []struct {
			Name      any    `yaml:"name"`
			HostPath  string `yaml:"hostPath"`
			MountPath string `yaml:"mountPath"`
			ReadOnly  any    `yaml:"readOnly"`
			PathType  any    `yaml:"pathType"`
		} `yaml:"extraVolumes"`
	} `yaml:"apiServer"`
	ControllerManager any `yaml:"controllerManager"`
	Scheduler         any `yaml:"scheduler"`
}

// argument is an argument of a component.
type argument struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

type joinConfiguration struct {
	typeMeta   `yaml:",inline"`
	CACertPath any `yaml:"caCertPath"`
	Discovery  struct {
		BootstrapToken *struct {
			APIServerEndpoint string   `yaml:"apiServerEndpoint"`
			Token             string   `yaml:"token"`
			CACertHashes      []string `yaml:"caCertHashes"`
		} `yaml:"bootstrapToken"`
		File *struct {
			KubeConfigPath string `yaml:"kubeConfigPath"`
		} `yaml:"file"`
	} `yaml:"discovery"`
	NodeRegistration nodeRegistration `yaml:"nodeRegistration"`
	ControlPlane     *struct {
		LocalAPIEndpoint any `yaml:"localAPIEndpoint"`
		CertificateKey   any `yaml:"certificateKey"`
	} `yaml:"controlPlane"`
	SkipPhases any     `yaml:"skipPhases"`
	Patches    patches `yaml:"patches"`
}

type patches struct {
	Directory string `yaml:"directory"`
}

type nodeRegistration struct {
	Name      string `yaml:"name"`
	CRISocket any    `yaml:"criSocket"`
	// Taints is nil if the configuration has no list. An empty list means no taints.
	Taints []struct {
		Key    string `yaml:"key"`
		Value  string `yaml:"value"`
		Effect string `yaml:"effect"`
	} `yaml:"taints"`
	KubeletExtraArgs []argument `yaml:"kubeletExtraArgs"`
}

type kubeProxyConfiguration struct {
	typeMeta    `yaml:",inline"`
	ClusterCIDR any `yaml:"clusterCIDR"`
	Mode        any `yaml:"mode"`
}

const (
	kubeadmAPI   = "kubeadm.k8s.io/v1beta4"
	kubeletAPI   = "kubelet.config.k8s.io/v1beta1"
	kubeProxyAPI = "kubeproxy.config.k8s.io/v1alpha1"
)

// readConfiguration reads kubeadm's configuration file for a role.
func readConfiguration(disk files, role string) (config *configuration, path string, err error) {
	c := &configuration{role: role}
	path = linuxConfig
	kinds := map[typeMeta]any{{kubeadmAPI, "JoinConfiguration"}: &c.join}
	switch role {
	case roleInit:
		kinds = map[typeMeta]any{
			{kubeadmAPI, "InitConfiguration"}:        &c.init,
			{kubeadmAPI, "ClusterConfiguration"}:     &c.cluster,
			{kubeletAPI, "KubeletConfiguration"}:     &c.kubelet,
			{kubeProxyAPI, "KubeProxyConfiguration"}: &c.proxy,
		}
	case roleWindows:
		path = windowsConfig
	}
	return c, path, readDocuments(disk[path].content, kinds)
}

// separator is the line that bootstrap writes between documents.
const separator = "\n---\n"

// readDocuments decodes each document into the pointer for its kind: exactly one of each, without unknown keys.
func readDocuments(content string, kinds map[typeMeta]any) error {
	read, before := map[typeMeta]bool{}, 0
	for text := range strings.SplitSeq(content, separator) {
		// With an empty line for each line before, decoding errors have the line numbers of the file.
		document := strings.Repeat("\n", before) + text
		var meta typeMeta
		if err := yaml.Unmarshal([]byte(document), &meta); err != nil {
			return errors.New(yamlReason(err))
		}
		into, known := kinds[meta]
		switch {
		case !known:
			return fmt.Errorf("the document at line %d is not understood: %s", before+1, understood(kinds))
		case read[meta]:
			return fmt.Errorf("the document at line %d is the second %s", before+1, meta.Kind)
		}
		read[meta] = true
		decoder := yaml.NewDecoder(strings.NewReader(document))
		decoder.KnownFields(true)
		if err := decoder.Decode(into); err != nil {
			return errors.New(yamlReason(err))
		}
		if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
			return fmt.Errorf("the document at line %d is not understood: bootstrap writes a line --- before the next",
				before+1)
		}
		before += strings.Count(text+separator, "\n")
	}
	for _, meta := range sortedKinds(kinds) {
		if !read[meta] {
			return fmt.Errorf("there is no %s: %s", meta.Kind, understood(kinds))
		}
	}
	return nil
}

func sortedKinds(kinds map[typeMeta]any) []typeMeta {
	all := make([]typeMeta, 0, len(kinds))
	for meta := range kinds {
		all = append(all, meta)
	}
	slices.SortFunc(all, func(a, b typeMeta) int { return strings.Compare(a.Kind, b.Kind) })
	return all
}

// understood lists the kinds of documents that are read.
func understood(kinds map[typeMeta]any) string {
	var names []string
	for _, meta := range sortedKinds(kinds) {
		names = append(names, meta.APIVersion+" "+meta.Kind)
	}
	return "bootstrap writes one document each of " + strings.Join(names, ", ")
}
