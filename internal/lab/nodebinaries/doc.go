// Package nodebinaries builds Kubernetes' programs for Windows nodes from source: kubelet,
// kubeadm and kube-proxy, and kubectl for work on such a machine. See docs/node-binaries.md.
package nodebinaries
