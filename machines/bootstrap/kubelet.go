package bootstrap

import (
	"encoding/binary"
	"fmt"
	"maps"

	"github.com/mixedkube/mixedkube/core/topology"
)

const (
	kubeletAPIVersion = "kubelet.config.k8s.io/v1beta1"
	kubeletKind       = "KubeletConfiguration"

	// kubeletPatchName makes kubeadm merge the file into the KubeletConfiguration that
	// it has read from the cluster
	// (https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/control-plane-flags/#patches).
	kubeletPatchName = "kubeletconfiguration+merge.yaml"

	// defaultPriorityClass keeps the kubelet responsive while containers use all CPUs
	// (https://kubernetes.io/docs/concepts/configuration/windows-resource-management/).
	defaultPriorityClass = "ABOVE_NORMAL_PRIORITY_CLASS"

	mebibyte = 1 << 20
	gibibyte = 1 << 30
	// leastWindowsMemory is what Windows and its services need for themselves, as the
	// same page says.
	leastWindowsMemory = 2 * gibibyte
	// windowsMemoryShare divides the memory of a large machine: they need one part of so many.
	windowsMemoryShare = 20
)

// KubeletOptions are options of the kubelets of a pool. A field that is not set has its
// default, and so does a single resource or signal of a map; "0" reserves nothing.
type KubeletOptions struct {
	// SystemReserved is kept from pods for the operating system: quantities of cpu,
	// memory, ephemeral-storage and, on Linux, pid. Defaults: 100m of cpu and 256Mi of
	// memory on Linux; 250m and, of memory, 2Gi or a twentieth of the node's, if that
	// is known and more, on Windows. Less than 2Gi on Windows is an error: Windows kills
	// nothing when memory runs out, it pages, and the whole node gets slow.
	SystemReserved map[string]string `json:"systemReserved" pulumi:"systemReserved,optional"`
	// KubeReserved is kept for the kubelet and the container runtime. Defaults: 100m of
	// cpu and, of memory, 256Mi on Linux and 512Mi on Windows.
	KubeReserved map[string]string `json:"kubeReserved" pulumi:"kubeReserved,optional"`
	// EvictionHard are the signals at which pods are evicted, memory.available: 500Mi
	// or nodefs.available: 10% for example; 0% switches one off. Defaults: the
	// kubelet's own. Windows has memory.available, nodefs.available and
	// imagefs.available.
	EvictionHard map[string]string `json:"evictionHard" pulumi:"evictionHard,optional"`
	// EvictionSoft are signals at which pods are evicted once the signal has lasted for a
	// time, memory.available: 1Gi for example; pods may end in their grace period then.
	// Default: none.
	EvictionSoft map[string]string `json:"evictionSoft" pulumi:"evictionSoft,optional"`
	// EvictionSoftGracePeriod is how long each signal of EvictionSoft must last before pods are
	// evicted, for example 1m30s.
	EvictionSoftGracePeriod map[string]string `json:"evictionSoftGracePeriod" pulumi:"evictionSoftGracePeriod,optional"`
	// ServerTLSBootstrap makes the kubelet request the certificate of its API from the cluster,
	// rather than sign one itself. Nothing approves these requests automatically, because only
	// you know which machine has which name and address. Until they are approved, with
	// `kubectl certificate approve` or a controller such as kubelet-csr-approver
	// (https://github.com/postfinance/kubelet-csr-approver), `kubectl logs` and `exec` and
	// metrics fail. When all nodes have such certificates, let the API server verify them:
	// with kubeadm, add the argument kubelet-certificate-authority with
	// /etc/kubernetes/pki/ca.crt. Default: off.
	ServerTLSBootstrap bool `json:"serverTLSBootstrap" pulumi:"serverTLSBootstrap,optional"`
	// TLSMinVersion is the oldest version of TLS that the kubelet's API speaks, VersionTLS12
	// or VersionTLS13. Default: VersionTLS12, the kubelet's own.
	TLSMinVersion string `json:"tlsMinVersion" pulumi:"tlsMinVersion,optional"`
	// DisableSeccompDefault runs containers that ask for no seccomp profile without one. By
	// default they have that of the runtime, RuntimeDefault, which takes away system calls
	// that hardly any program needs. Linux only.
	DisableSeccompDefault bool `json:"disableSeccompDefault" pulumi:"disableSeccompDefault,optional"`
	// ProtectKernelDefaults has the kubelet not start where the kernel is set otherwise than
	// it wants, rather than set it. The machine is set so in either case. Default: off, as
	// anything on the machine that changes it would take the node away at the next start.
	// Linux only.
	ProtectKernelDefaults bool `json:"protectKernelDefaults" pulumi:"protectKernelDefaults,optional"`
	// PriorityClass is the priority class of the kubelet's process on Windows, as in the flag
	// --windows-priorityclass: ABOVE_NORMAL_PRIORITY_CLASS by default.
	PriorityClass string `json:"priorityClass" pulumi:"priorityClass,optional"`
}

// kubeletConfiguration has the fields of Kubernetes' type that are used. All of them exist in
// 1.24 and newer, and are fields rather than flags: the flags of the same names are deprecated.
// singleProcessOOMKill and userNamespaces must never be among them: with either the kubelet
// does not start on Windows (pkg/kubelet/apis/config/validation/validation_windows.go).
type kubeletConfiguration struct {
	typeMeta                `yaml:",inline"`
	CgroupDriver            string            `yaml:"cgroupDriver,omitempty"`
	CgroupsPerQOS           *bool             `yaml:"cgroupsPerQOS,omitempty"`
	ClusterDNS              []string          `yaml:"clusterDNS,omitempty"`
	ClusterDomain           string            `yaml:"clusterDomain,omitempty"`
	ContainerLogMaxFiles    int               `yaml:"containerLogMaxFiles,omitempty"`
	ContainerLogMaxSize     string            `yaml:"containerLogMaxSize,omitempty"`
	EnforceNodeAllocatable  *[]string         `yaml:"enforceNodeAllocatable,omitempty"`
	EvictionHard            map[string]string `yaml:"evictionHard,omitempty"`
	EvictionSoft            map[string]string `yaml:"evictionSoft,omitempty"`
	EvictionSoftGracePeriod map[string]string `yaml:"evictionSoftGracePeriod,omitempty"`
	KubeReserved            map[string]string `yaml:"kubeReserved,omitempty"`
	MaxPods                 int               `yaml:"maxPods,omitempty"`
	ProtectKernelDefaults   bool              `yaml:"protectKernelDefaults,omitempty"`
	RegisterNode            *bool             `yaml:"registerNode,omitempty"`
	ResolvConf              *string           `yaml:"resolvConf,omitempty"`
	SeccompDefault          bool              `yaml:"seccompDefault,omitempty"`
	ServerTLSBootstrap      bool              `yaml:"serverTLSBootstrap,omitempty"`
	SystemReserved          map[string]string `yaml:"systemReserved,omitempty"`
	TLSMinVersion           string            `yaml:"tlsMinVersion,omitempty"`
}

// kubeletPatch returns what differs between a node's kubelet and the cluster's common
// configuration, for kubeadm to merge.
func kubeletPatch(m machine) string {
	registers := true
	config := kubeletConfiguration{
		typeMeta:     typeMeta{APIVersion: kubeletAPIVersion, Kind: kubeletKind},
		RegisterNode: &registers,
		MaxPods:      maxPods(m),
		// A container's log takes 50 MB at most.
		ContainerLogMaxSize:     "10Mi",
		ContainerLogMaxFiles:    5,
		SystemReserved:          m.kubelet.systemReserved(m.pool),
		KubeReserved:            m.kubelet.kubeReserved(m.pool),
		EvictionHard:            m.kubelet.evictionHard(m.pool),
		EvictionSoft:            m.kubelet.EvictionSoft,
		EvictionSoftGracePeriod: m.kubelet.EvictionSoftGracePeriod,
		ProtectKernelDefaults:   m.kubelet.ProtectKernelDefaults,
		ServerTLSBootstrap:      m.kubelet.ServerTLSBootstrap,
		TLSMinVersion:           m.kubelet.TLSMinVersion,
	}
	if m.pool.Platform.IsWindows() {
		// There are no cgroups; the list must be empty rather than absent, or the
		// kubelet takes its default, and then refuses the two together. An empty
		// resolvConf is what kubeadm sets on Windows as well.
		var (
			no   bool
			none string
		)
		config.CgroupsPerQOS, config.EnforceNodeAllocatable, config.ResolvConf = &no, &[]string{}, &none
	} else {
		config.CgroupDriver = "systemd"
		config.SeccompDefault = !m.kubelet.DisableSeccompDefault
	}
	return yamlDocuments(config)
}

func (o KubeletOptions) systemReserved(p topology.Pool) map[string]string {
	defaults := map[string]string{"cpu": "100m", "memory": "256Mi"}
	if p.Platform.IsWindows() {
		defaults = map[string]string{"cpu": "250m", "memory": windowsMemory(p)}
	}
	return merged(defaults, o.SystemReserved)
}

func (o KubeletOptions) kubeReserved(p topology.Pool) map[string]string {
	defaults := map[string]string{"cpu": "100m", "memory": "256Mi"}
	if p.Platform.IsWindows() {
		defaults["memory"] = "512Mi"
	}
	return merged(defaults, o.KubeReserved)
}

// windowsMemory returns the default for Windows itself. The share is ours: what the services
// of Windows, its file cache and the compute processes of containers take grows with the
// machine, and 2Gi are too little of 64.
func windowsMemory(p topology.Pool) string {
	reserved := int64(leastWindowsMemory)
	if capacity, ok := p.Capacity(); ok {
		reserved = max(reserved, capacity.Memory().Value()/windowsMemoryShare)
	}
	if reserved%gibibyte == 0 {
		return fmt.Sprintf("%dGi", reserved/gibibyte)
	}
	return fmt.Sprintf("%dMi", reserved/mebibyte)
}

func merged(defaults, own map[string]string) map[string]string {
	all := maps.Clone(defaults)
	maps.Copy(all, own)
	return all
}

// defaultMaxPods is the kubelet's.
const defaultMaxPods = 110

// maxPods returns 0 if the kubelet's default is right. A node never gets more pods than it has
// addresses: further pods would be scheduled and never start.
func maxPods(m machine) int {
	addresses := podAddresses(m)
	if configured := m.pool.MaxPods; configured != 0 {
		return min(configured, addresses)
	}
	if addresses < defaultMaxPods {
		return addresses
	}
	return 0
}

// podAddresses returns how many pods can have an address on the node.
func podAddresses(m machine) int {
	windows := m.pool.Platform.IsWindows()
	// Without a plan, pods cannot have the first and the last address of a range, nor the
	// gateway's; Windows takes one more for the host.
	taken := 3
	switch kind := m.network.Kind; {
	case kind.Planned():
		first, last := m.plan.FirstPod.As4(), m.plan.LastPod.As4()
		return int(binary.BigEndian.Uint32(last[:])-binary.BigEndian.Uint32(first[:])) + 1
	case kind.IsCalico() && !windows:
		// A Linux node takes as many blocks as it needs.
		return 1 << 16
	case windows:
		taken = 4
	}
	return 1<<(32-m.network.NodeMaskSize) - taken
}
