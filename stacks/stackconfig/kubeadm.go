package stackconfig

import "net/netip"

// Kubeadm says how the stack makes its cluster on Azure virtual machines. Its words are
// those of components/kubeadm, which checks them.
type Kubeadm struct {
	// ResourceGroupName is the group of the cluster. Empty for one of its own.
	ResourceGroupName string `json:"resourceGroupName"`
	// ClusterName begins the names in Azure. Empty for the stack's.
	ClusterName string `json:"clusterName"`
	// Location is the region. Empty for that of the provider's configuration.
	Location string `json:"location"`
	// ControlPlane is its machines.
	ControlPlane ControlPlane `json:"controlPlane"`
	// Network is that of the pods.
	Network PodNetwork `json:"network"`
	// LinuxAdmin and WindowsAdmin are the administrators of the machines. The password of
	// the latter is a value of its own, [KeyWindowsPassword].
	LinuxAdmin   LinuxAdmin   `json:"linuxAdmin"`
	WindowsAdmin WindowsAdmin `json:"windowsAdmin"`
	// APIServer says who reaches it.
	APIServer APIServer `json:"apiServer"`
	// NodePortSources are who reaches NodePorts from elsewhere.
	NodePortSources []string `json:"nodePortSources"`
	// ServicePorts are those of the load balancer before the pools.
	ServicePorts []ServicePort `json:"servicePorts"`
	// Kubelet has options of the kubelets by the names of their pools.
	Kubelet map[string]Kubelet `json:"kubelet"`
	// Hashes are those of downloads by their addresses, beside the known ones.
	Hashes map[string]string `json:"hashes"`
	// Unprotected lets Pulumi delete the control plane.
	Unprotected bool `json:"unprotected"`
}

// ControlPlane is the machines of a control plane.
type ControlPlane struct {
	Count        int      `json:"count"`
	Size         string   `json:"size"`
	OSDiskSizeGB int      `json:"osDiskSizeGB"`
	Zones        []string `json:"zones"`
}

// PodNetwork is the network of the pods of a self-managed cluster.
type PodNetwork struct {
	Kind         string       `json:"kind"`
	NodeCIDR     netip.Prefix `json:"nodeCIDR"`
	PodCIDR      netip.Prefix `json:"podCIDR"`
	ServiceCIDR  netip.Prefix `json:"serviceCIDR"`
	NodeMaskSize int          `json:"nodeMaskSize"`
}

// LinuxAdmin is the administrator of the Linux machines.
type LinuxAdmin struct {
	Username     string `json:"username"`
	SSHPublicKey string `json:"sshPublicKey"`
}

// APIServer says who reaches the API server.
type APIServer struct {
	AuthorizedIPRanges []string `json:"authorizedIPRanges"`
	Private            bool     `json:"private"`
}

// ServicePort is a port of a load balancer that leads to a NodePort.
type ServicePort struct {
	Port     int      `json:"port"`
	NodePort int      `json:"nodePort"`
	Sources  []string `json:"sources"`
}

// Kubelet is options of kubelets, as components/bootstrap has them.
type Kubelet struct {
	SystemReserved          map[string]string `json:"systemReserved"`
	KubeReserved            map[string]string `json:"kubeReserved"`
	EvictionHard            map[string]string `json:"evictionHard"`
	EvictionSoft            map[string]string `json:"evictionSoft"`
	EvictionSoftGracePeriod map[string]string `json:"evictionSoftGracePeriod"`
	PriorityClass           string            `json:"priorityClass"`
}
