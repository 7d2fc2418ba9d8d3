package stackconfig

import (
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// Kubeadm describes how the stack creates its cluster on Azure virtual machines.
// components/kubeadm has the same fields, and checks their values.
type Kubeadm struct {
	// ResourceGroupName is the group of the cluster. If empty, the cluster gets a new group.
	ResourceGroupName string `json:"resourceGroupName"`
	// ClusterName begins the names in Azure. If empty, it is the stack's name.
	ClusterName string `json:"clusterName"`
	// Location is the region. If empty, it is the region of the provider's configuration.
	Location string `json:"location"`
	// ControlPlane describes the machines of the control plane.
	ControlPlane plan.ControlPlane `json:"controlPlane"`
	// Network is the network of the pods.
	Network network.Network `json:"network"`
	// PodsReachInstanceMetadata lets pods reach Azure's instance metadata service.
	PodsReachInstanceMetadata bool `json:"podsReachInstanceMetadata"`
	// LinuxAdmin and WindowsAdmin are the administrators of the machines. The password of
	// the latter is a separate value, [KeyWindowsPassword].
	LinuxAdmin   LinuxAdmin        `json:"linuxAdmin"`
	WindowsAdmin plan.WindowsAdmin `json:"windowsAdmin"`
	// APIServer describes who can reach the API server, and how it is protected.
	APIServer plan.APIServer `json:"apiServer"`
	// NodePortSources are the addresses outside of the network that can reach NodePorts.
	NodePortSources []string `json:"nodePortSources"`
	// ServicePorts are the ports of the load balancer in front of the pools.
	ServicePorts []plan.ServicePort `json:"servicePorts"`
	// Keys are the keys of the cluster that are in use, to replace one.
	Keys plan.Keys `json:"keys"`
	// Kubelet has the options of the kubelets by the names of their pools.
	Kubelet map[string]bootstrap.KubeletOptions `json:"kubelet"`
	// Releases are what the machines download, where it differs from the known releases: other
	// files, their hashes, and the pause image.
	Releases bootstrap.Releases `json:"releases"`
	// Hashes are the hashes of downloads by their URLs, in addition to the known hashes and to
	// those of Releases.
	Hashes map[string]string `json:"hashes"`
	// Unprotected lets Pulumi delete the control plane.
	Unprotected bool `json:"unprotected"`
}

// LinuxAdmin is the administrator of the Linux machines.
type LinuxAdmin struct {
	Username     string `json:"username"`
	SSHPublicKey string `json:"sshPublicKey"`
}
