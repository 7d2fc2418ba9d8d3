package stackconfig

import (
	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
)

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
	ControlPlane plan.ControlPlane `json:"controlPlane"`
	// Network is that of the pods.
	Network network.Network `json:"network"`
	// PodsReachInstanceMetadata leaves Azure's instance metadata service open to pods.
	PodsReachInstanceMetadata bool `json:"podsReachInstanceMetadata"`
	// LinuxAdmin and WindowsAdmin are the administrators of the machines. The password of
	// the latter is a value of its own, [KeyWindowsPassword].
	LinuxAdmin   LinuxAdmin        `json:"linuxAdmin"`
	WindowsAdmin plan.WindowsAdmin `json:"windowsAdmin"`
	// APIServer says who reaches it, and how it is protected.
	APIServer plan.APIServer `json:"apiServer"`
	// NodePortSources are who reaches NodePorts from elsewhere.
	NodePortSources []string `json:"nodePortSources"`
	// ServicePorts are those of the load balancer before the pools.
	ServicePorts []plan.ServicePort `json:"servicePorts"`
	// Keys says which keys of the cluster are in use, to replace one.
	Keys plan.Keys `json:"keys"`
	// Kubelet has options of the kubelets by the names of their pools.
	Kubelet map[string]bootstrap.KubeletOptions `json:"kubelet"`
	// Hashes are those of downloads by their addresses, beside the known ones.
	Hashes map[string]string `json:"hashes"`
	// Unprotected lets Pulumi delete the control plane.
	Unprotected bool `json:"unprotected"`
}

// LinuxAdmin is the administrator of the Linux machines.
type LinuxAdmin struct {
	Username     string `json:"username"`
	SSHPublicKey string `json:"sshPublicKey"`
}
