package machine

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
)

// Machine is a virtual machine as Azure knows it.
type Machine struct {
	// ID is the resource ID.
	ID string
	// VMID is the UUID in its SMBIOS, another one for each creation.
	VMID string
	// ComputerName is the host name.
	ComputerName string
	// Windows says which system it has; the image says which release.
	Windows bool
	Image   Image
	// Size, Location and Zone are in Azure's words; Zone may be empty.
	Size, Location, Zone string
	// Spot reports whether Azure may take it back.
	Spot bool
	// Address is the private one of its first network interface.
	Address netip.Addr
	// CustomData is what was given at its creation, decoded.
	CustomData []byte
	// Extensions and RunCommands are in the order of their names.
	Extensions  []Extension
	RunCommands []RunCommand
}

// Image is what a machine is made from.
type Image struct{ Publisher, Offer, SKU string }

// Extension is one of a machine's.
type Extension struct {
	Name, Publisher, Type, Version string
	// Settings and Protected are those of the request, decoded from JSON.
	Settings, Protected map[string]any
}

// Bootstrap is what kubeadm is run with on a machine.
type Bootstrap struct {
	// Init says that it creates the cluster, and ControlPlane that it is one of the
	// control plane.
	Init, ControlPlane bool
	// NodeName, Labels and Taints are those of nodeRegistration: the labels are those of
	// the argument node-labels.
	NodeName string
	Labels   map[string]string
	Taints   []corev1.Taint
	// Version is that of Kubernetes which an Init makes, "v1.36.1" for example.
	Version string
	// Endpoint is the API server's that it joins, or that it creates (its
	// controlPlaneEndpoint), host:port.
	Endpoint string
	// Token and CACertHashes are those of the discovery; the token of an Init is the first
	// that it makes, and it has no hashes. CACert is the certificate of the authority that a
	// discovery by file trusts, in PEM: it needs no hashes.
	Token        string
	CACertHashes []string
	CACert       string
	// ClusterInfo says of an Init whether anonymous users may read the ConfigMap cluster-info,
	// by which machines with hashes find the cluster.
	ClusterInfo bool
	// Keys are the files that it has for the control plane by their names below
	// /etc/kubernetes/pki, "ca.crt" and "etcd/ca.key" for example.
	Keys map[string]string
	// Kubelet is what its kubelet is told.
	Kubelet Kubelet
}
