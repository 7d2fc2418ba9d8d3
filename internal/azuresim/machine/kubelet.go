package machine

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Kubelet has the kubelet settings of a machine that its node shows
// (https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/).
type Kubelet struct {
	// SystemReserved and KubeReserved are not available to pods, and neither is the amount that EvictionHard keeps
	// free.
	SystemReserved map[string]string `json:"systemReserved,omitempty"`
	KubeReserved   map[string]string `json:"kubeReserved,omitempty"`
	EvictionHard   map[string]string `json:"evictionHard,omitempty"`
	// MaxPods is 0 for the kubelet's default.
	MaxPods int `json:"maxPods,omitempty"`
}

// kubeletConfiguration has the fields that machines/bootstrap writes.
type kubeletConfiguration struct {
	typeMeta                `yaml:",inline"`
	CgroupDriver            any               `yaml:"cgroupDriver"`
	CgroupsPerQOS           any               `yaml:"cgroupsPerQOS"`
	ClusterDNS              any               `yaml:"clusterDNS"`
	ClusterDomain           any               `yaml:"clusterDomain"`
	ContainerLogMaxFiles    any               `yaml:"containerLogMaxFiles"`
	ContainerLogMaxSize     any               `yaml:"containerLogMaxSize"`
	EnforceNodeAllocatable  any               `yaml:"enforceNodeAllocatable"`
	EvictionHard            map[string]string `yaml:"evictionHard"`
	EvictionSoft            any               `yaml:"evictionSoft"`
	EvictionSoftGracePeriod any               `yaml:"evictionSoftGracePeriod"`
	KubeReserved            map[string]string `yaml:"kubeReserved"`
	MaxPods                 int               `yaml:"maxPods"`
	ProtectKernelDefaults   any               `yaml:"protectKernelDefaults"`
	RegisterNode            any               `yaml:"registerNode"`
	ResolvConf              any               `yaml:"resolvConf"`
	SeccompDefault          any               `yaml:"seccompDefault"`
	ServerTLSBootstrap      any               `yaml:"serverTLSBootstrap"`
	SystemReserved          map[string]string `yaml:"systemReserved"`
	TLSMinVersion           any               `yaml:"tlsMinVersion"`
}

// kubeletPatch is the name of the file that kubeadm merges into the configuration of the kubelet.
const kubeletPatch = "kubeletconfiguration+merge.yaml"

// readKubelet reads the patch of the kubelet's configuration in a directory.
func readKubelet(disk files, dir string) (Kubelet, error) {
	path := dir + "/" + kubeletPatch
	patch, exists := disk[path]
	if !exists {
		return Kubelet{}, fmt.Errorf("%s is not on the machine", path)
	}
	var c kubeletConfiguration
	if err := readDocuments(patch.content,
		map[typeMeta]any{{kubeletAPI, "KubeletConfiguration"}: &c}); err != nil {
		return Kubelet{}, fmt.Errorf("%s: %w", path, err)
	}
	for _, reserved := range []struct {
		name string
		of   map[string]string
	}{{"systemReserved", c.SystemReserved}, {"kubeReserved", c.KubeReserved}} {
		for _, key := range slices.Sorted(maps.Keys(reserved.of)) {
			if _, err := resource.ParseQuantity(reserved.of[key]); err != nil {
				return Kubelet{}, fmt.Errorf("%s: %s.%s: %q is not a quantity", path, reserved.name, key,
					reserved.of[key])
			}
		}
	}
	return Kubelet{
		SystemReserved: c.SystemReserved, KubeReserved: c.KubeReserved, EvictionHard: c.EvictionHard,
		MaxPods: c.MaxPods,
	}, nil
}
