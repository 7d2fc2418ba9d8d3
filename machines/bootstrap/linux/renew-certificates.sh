#!/bin/bash
# Renews the certificates of the control plane on this machine, which kubeadm issues for a
# year, and restarts the components, which have them in memory. A timer runs it each month.
# It may be run by hand and be repeated. The text is the same on every node.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/control-plane.sh"

main() {
	umask 0077
	lock
	kubeadm certs renew all
	trust_authorities
	# etcd first: the API server needs it.
	restart_component etcd http://127.0.0.1:2381/readyz
	restart_component kube-apiserver https://127.0.0.1:6443/readyz
	restart_component kube-controller-manager https://127.0.0.1:10257/healthz
	restart_component kube-scheduler https://127.0.0.1:10259/readyz
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	main
fi
