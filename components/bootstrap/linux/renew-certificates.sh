#!/bin/bash
# Renews the certificates of the control plane on this machine, which kubeadm makes for a
# year, and restarts the components, which have them in memory. A timer runs it each month.
# It may be run by hand and be repeated. The text is the same on every node.
set -euo pipefail

# The folder that stands for /: only tests change it.
ROOT=
# The seconds in which a component has to be healthy, and between two looks.
LIMIT=300
PAUSE=1

manifests=/etc/kubernetes/manifests
label=mixedkube.io/certificates-renewed

log() {
	printf '%s %s\n' "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" "$1"
}

die() {
	log "error: $*"
	exit 1
}

# is_healthy asks as the kubelet's probes do, which look at no certificate.
is_healthy() {
	curl --fail --silent --insecure --noproxy '*' --max-time 10 --output /dev/null --url "$1"
}

# processes_of lists the processes of a component. The kernel keeps 15 characters of a name.
processes_of() {
	local file name
	for file in "$ROOT"/proc/[0-9]*/comm; do
		# A process may have ended in between.
		if { read -r name <"$file"; } 2>/dev/null && [[ $name == "${1:0:15}" ]]; then
			file=${file%/comm}
			printf '%s\n' "${file##*/}"
		fi
	done
}

# is_new says whether a component is healthy and has none of its old processes.
is_new() {
	local name=$1 url=$2 old=$3 process now
	now=$(processes_of "$name")
	[[ -n $now ]] || return 1
	for process in $now; do
		if [[ $'\n'$old$'\n' == *$'\n'"$process"$'\n'* ]]; then
			return 1
		fi
	done
	is_healthy "$url"
}

wait_until() {
	local end=$((SECONDS + LIMIT))
	until "$@"; do
		if ((SECONDS >= end)); then
			return 1
		fi
		sleep "$PAUSE"
	done
}

# restart_component changes a label of the static pod, which is another pod then for the
# kubelet. One rename changes the manifest, so that it is there at any time, also after a
# power failure.
restart_component() {
	local name=$1 url=$2 old now
	local manifest=$ROOT$manifests/$name.yaml new=$ROOT/etc/kubernetes/.$name.yaml.new
	if ! wait_until is_healthy "$url"; then
		# Another machine is not the reason any more; an expired certificate can be.
		log "$name is not healthy: it is restarted all the same"
	fi
	old=$(processes_of "$name")
	now=$(date --utc +%Y%m%dT%H%M%SZ)
	sed -e "\\|^    $label: |d" -e "s|^  labels:\$|&\\n    $label: $now|" "$manifest" >"$new"
	if ! grep --quiet "^    $label: $now\$" "$new"; then
		rm -f "$new"
		die "$manifests/$name.yaml is not as kubeadm writes it: restart $name by hand"
	fi
	chmod 0600 "$new"
	sync "$new"
	mv -f "$new" "$manifest"
	sync "${manifest%/*}"
	if ! wait_until is_new "$name" "$url" "$old"; then
		die "$name has a new certificate, and after $LIMIT seconds it is not restarted and healthy: the others" \
			"are restarted when this is run again"
	fi
	log "$name has its new certificate"
}

main() {
	umask 0077
	# One at a time, also where somebody runs it by hand.
	exec 9>"$ROOT/var/lib/mixedkube/renew-certificates.lock"
	flock 9
	kubeadm certs renew all
	# etcd first: the API server needs it.
	restart_component etcd http://127.0.0.1:2381/readyz
	restart_component kube-apiserver https://127.0.0.1:6443/readyz
	restart_component kube-controller-manager https://127.0.0.1:10257/healthz
	restart_component kube-scheduler https://127.0.0.1:10259/readyz
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	main
fi
