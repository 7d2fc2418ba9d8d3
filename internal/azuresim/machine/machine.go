package machine

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
)

// Machine is a virtual machine as Azure knows it.
type Machine struct {
	// ID is the resource ID.
	ID string
	// VMID is the UUID in its SMBIOS. Each creation generates another one.
	VMID string
	// ComputerName is the host name.
	ComputerName string
	// Windows is true on Windows, false on Linux. The image tells the release.
	Windows bool
	Image   Image
	// Size, Location and Zone are Azure's names. Zone may be empty.
	Size, Location, Zone string
	// Spot reports whether Azure may evict the machine.
	Spot bool
	// Address is the private address of its first network interface.
	Address netip.Addr
	// CustomData is the customData of its creation, decoded.
	CustomData []byte
	// Extensions and RunCommands are in the order of their names.
	Extensions  []Extension
	RunCommands []RunCommand
}

// Image is the image that a machine is created from.
type Image struct{ Publisher, Offer, SKU string }

// Extension is an extension of a machine.
type Extension struct {
	Name, Publisher, Type, Version string
	// Settings and Protected are the settings and the protectedSettings of the request, decoded from JSON.
	Settings, Protected map[string]any
}

// Bootstrap is the configuration that kubeadm runs with on a machine.
type Bootstrap struct {
	// Init is true if it creates the cluster, and ControlPlane if it belongs to the control plane.
	Init, ControlPlane bool
	// NodeName, Labels and Taints are from nodeRegistration. Labels are from its argument node-labels.
	NodeName string
	Labels   map[string]string
	Taints   []corev1.Taint
	// Version is the version of Kubernetes that an Init installs, "v1.36.1" for example.
	Version string
	// Endpoint is the address of the API server that it joins or creates (its controlPlaneEndpoint), host:port.
	Endpoint string
	// Token and CACertHashes are from the discovery. The token of an Init is the first that it creates, and an Init has
	// no hashes. CACert is the certificate of the authority that a discovery by file trusts, in PEM. Such a discovery
	// needs no hashes.
	Token        string
	CACertHashes []string
	CACert       string
	// ClusterInfo reports for an Init whether anonymous users may read the ConfigMap cluster-info, with which machines
	// with hashes find the cluster.
	ClusterInfo bool
	// Keys are its key files for the control plane, by their names below /etc/kubernetes/pki, "ca.crt" and
	// "etcd/ca.key" for example.
	Keys map[string]string
	// Kubelet is the configuration of its kubelet.
	Kubelet Kubelet
}
