// Package bootstrap tests the files of nodes with the programs and types that read them:
// kubeadm, the configuration types of Kubernetes, a parser of TOML, and cloud-init.
package bootstrap
