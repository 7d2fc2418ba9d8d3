package bootstrap

import (
	"net/netip"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Cluster is what the nodes of a cluster have in common.
type Cluster struct {
	// Topology has the pools of the nodes, and the minor version of Kubernetes, 1.34 or
	// newer. Pools may be older than that, see [topology.Pool].
	Topology topology.Topology
	// Network is the network of the pods.
	Network network.Network
	// Nodes are all machines of the cluster. For the files of one of them it and those of
	// the control plane are enough, but if the nodes themselves have routes to each other, it
	// gets routes only to the nodes in this list.
	Nodes []Node
	// Endpoint is the address of the API server, host:port, api.example.com:6443 for
	// example. The default is the address of the only node of the control plane, with port
	// 6443. It must be set if the control plane has more than one node: to the address of a
	// load balancer, or a name that leads to one. It cannot be changed later, because it is in
	// the certificates and in the files of all nodes. So a name is also better than the
	// default where the control plane may grow.
	Endpoint string
	// LocalEndpoint has nodes of the control plane answer the endpoint's address
	// themselves: for a load balancer that does not send a packet back to the machine
	// that it came from, as Azure's internal one. The endpoint must be its IPv4 address
	// then, with the port 6443. Such a node speaks to its own API server only. Not where
	// the machines share a link with the address, as with keepalived: all of them would
	// say that it is theirs. Turned on for a machine that is a node already, it has an
	// effect after `systemctl enable --now mixedkube-endpoint.service`.
	LocalEndpoint bool
	// CACertificate is the certificate of the cluster's certificate authority in PEM, if it is
	// known before the cluster exists: the one of [Certificates.CA], or, for nodes that join an
	// existing cluster, its /etc/kubernetes/pki/ca.crt. It is public. Nodes that join
	// then find the cluster by it (discovery by file); [Join.CACertHashes] are not needed,
	// and the API server answers no anonymous requests except health checks. Without it, anyone
	// can read the ConfigMap cluster-info, in which a node finds the certificate that matches
	// its hash.
	CACertificate string
	// APIServer has the options of the API servers.
	APIServer APIServerOptions
	// Kubelet has the options of the kubelets of a pool, by its name. A pool that is not
	// in it has the defaults.
	Kubelet map[string]KubeletOptions
	// Releases are what the nodes download. Set what differs from [KnownReleases]; see
	// [Releases.WithDefaults].
	Releases Releases
}

// Node is a machine.
type Node struct {
	// Name is the host name, and that of the node in Kubernetes: a lower-case DNS
	// label; at most 15 characters on Windows.
	Name string `json:"name"`
	// Pool is the name of its pool in the topology.
	Pool string `json:"pool"`
	// Address is its own, in the range of the network's nodes.
	Address netip.Addr `json:"address"`
	// PodCIDR is the range of its pods, see [network.Node].
	PodCIDR netip.Prefix `json:"podCIDR"`
	// ControlPlane makes it one of the control plane: its pool must be Linux. The first
	// such node creates the cluster, the others join it.
	ControlPlane bool `json:"controlPlane"`
}

// Join is how a machine proves that it may join, and finds out whom to trust. All of
// it goes into files with [File.Secret] only, never onto the command line of a program.
type Join struct {
	// Token is a bootstrap token, as `kubeadm token generate` prints it: six lower-case
	// letters or digits, a period and sixteen more. The example of kubeadm's
	// documentation is refused. By default a token lives for 24 hours.
	Token string
	// CACertHashes pin the cluster's certificate authority: sha256: and the hex of the
	// hash of its public key. They are needed where [Cluster.CACertificate] is not known.
	CACertHashes []string
	// EncryptionKeys encrypt Secrets in etcd (XSalsa20 and Poly1305, the provider secretbox):
	// each is 32 random bytes in base64, from `openssl rand -base64 32`. The first encrypts,
	// all decrypt. For nodes of the control plane only, and the same for all of them: one that
	// lacks a key cannot read what the others have written with it. Without any, Secrets are
	// in etcd as they are (https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/).
	EncryptionKeys []string
	// CertificateKey decrypts the certificates that kubeadm has uploaded for further
	// nodes of the control plane. For those only, and for the first, which encrypts them
	// with it. kubeadm deletes the uploaded certificates after two hours: for a node that
	// joins later, upload them again with a new key, with `kubeadm init phase upload-certs
	// --upload-certs` on a node of the control plane. Not with all of Certificates, nor in a
	// cluster whose first node has all of them.
	CertificateKey string
	// Certificates are the key pairs that the nodes of the control plane share, generated
	// outside of the cluster: then the hash of its certificate authority is known before the
	// cluster exists ([KeyPair.CACertHash]), and further nodes of the control plane can join
	// at any time. Set them only for these nodes and for the first one: all four for each, or
	// for the first only the CA, for which kubeadm generates the others. By default kubeadm generates
	// all. They can be replaced later only if all four are set ([KeysScript]).
	Certificates Certificates
}

// File is one that a machine needs.
type File struct {
	// Path is absolute, with forward slashes on Windows as well.
	Path string
	// Content is text: Unix lines on Linux, Windows lines on Windows.
	Content string
	// Executable reports whether it is a program.
	Executable bool
	// Secret is true if the file must not be seen: only the system may read it, and nothing
	// that shows it may carry it, such as the customData of a virtual machine. The file of a
	// [PayloadKey] is the exception, which customData may carry: alone it reveals nothing.
	Secret bool
}
