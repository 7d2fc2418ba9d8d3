// Package hostprocess runs programs on Windows nodes as host-process containers: Kubernetes
// starts them and keeps them running, with the rights of a user of the node, and without
// isolation.
//
// [NewDaemonSet] completes the pods of any such program, so that Kubernetes accepts them as
// host-process containers and runs them on the Windows nodes. The add-ons for any cluster, and
// the agents that a self-managed cluster needs, use the same pieces:
//
//	NewWindowsExporter      metrics of the nodes, for Prometheus
//	NewCSIProxy             disks for CSI drivers outside of host-process containers
//	NewNodeProblemDetector  events and conditions from the logs of the nodes; preliminary
//	NewNodeLogs             the logs of a node in one archive, for troubleshooting
//	NewKubeProxy            Services
//	NewFlannel              the network of the pods
//
// # Agents of self-managed clusters
//
// The agents that a cluster needs depend on the kind of its network, see package
// [github.com/mixedkube/mixedkube/machines/bootstrap/network]:
//
//	kind           the network                                   kube-proxy on Windows
//	upstream-l3    the bootstrap of the nodes, and a router      NewKubeProxy
//	host-gateway   the bootstrap of the nodes                    NewKubeProxy
//	flannel-vxlan  NewFlannel                                    NewKubeProxy
//	calico-vxlan   Calico's operator, with Defaulted.CalicoObjects NewKubeProxy
//	calico-bgp     Calico's operator, with Defaulted.CalicoObjects NewKubeProxy
//	antrea         Antrea's manifests, with Defaulted.AntreaConfig none: Antrea replaces it
//
// Calico's operator and Antrea's manifests are those of their own releases; this package
// installs neither. On Linux nodes kube-proxy is kubeadm's.
//
// # Where the programs come from
//
// There are images of windows-exporter, CSI proxy and the node problem detector. For the other
// programs no reliable Windows image is published, so the containers run the programs on the
// node's own disk, which its bootstrap has downloaded and compared with their hashes. The
// image is the base image for host-process containers, which has no files and runs on every
// release of Windows Server. The scripts that start the programs come in a ConfigMap. They
// need, on each Windows node:
//
//	NewKubeProxy   C:\k\kube-proxy.exe, of the cluster's version
//	               C:\opt\cni\bin\host-local.exe, for flannel-vxlan
//	NewFlannel     C:\k\flanneld.exe
//	               C:\opt\cni\bin\flannel.exe, with win-overlay.exe and host-local.exe
//
// A program that is missing, or a network that does not appear, ends the container with
// a message: the restarts of the pod show it. Containerd must be 1.7 or newer, except
// windows-exporter and CSI proxy, which also run with 1.6: see [Containerd].
//
// The name of a ConfigMap ends with a hash of its content. So each change of the content rolls
// the pods out, one node after the other, and pods that still run keep the content that they
// started with.
//
// # Where the code is
//
//	agent.go      the fields that all pods have
//	daemonset.go  the fields that NewDaemonSet adds to the pods of a program
//	placement.go  the nodes that pods run on
//
// Each add-on has a file of its own with its component.
package hostprocess
