#!/bin/bash
# Makes this machine a node of the cluster. The text is the same on every node: all that
# differs is read from files below /etc/mixedkube, as data. Every step can be repeated:
# whatever stops the script, a reboot included, the next run ends in the same state.
#
# The order of the functions is that of the steps.
set -euo pipefail

# The directory that stands for /: only tests change it.
ROOT=
# The seconds before a failed run ends. This is not left to systemd, because the path
# unit would start the service again at once.
PAUSE=30

conf=/etc/mixedkube
state=/var/lib/mixedkube
socket=unix:///run/containerd/containerd.sock

log() {
	printf '%s %s\n' "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" "$1"
}

die() {
	log "error: $*"
	exit 1
}

# mark notes on the disk that a step is done.
mark() {
	local marker=$ROOT$state/$1
	: >"$marker"
	sync "$marker" "$ROOT$state"
}

is_marked() {
	[[ -e $ROOT$state/$1 ]]
}

check_programs() {
	local program programs=(curl flock gzip modprobe mount sha256sum swapoff sysctl systemctl tar)
	if [[ -d $ROOT$conf/network ]]; then
		programs+=(ip nft)
	fi
	if [[ -e $ROOT$conf/endpoint ]]; then
		programs+=(ip)
	fi
	if [[ -e $ROOT$conf/egress.nft ]]; then
		programs+=(nft)
	fi
	for program in "${programs[@]}"; do
		if ! command -v "$program" >/dev/null; then
			die "the program $program is not on this machine: install the package that has it"
		fi
	done
}

prepare_host() {
	modprobe --all overlay br_netfilter
	sysctl --quiet --load="$ROOT/etc/sysctl.d/99-mixedkube.conf"
	swapoff --all
}

# install_downloads reads lines of hash, address, destination and kind.
install_downloads() {
	local sha256 url destination kind
	while IFS=$'\t' read -r -u 3 sha256 url destination kind; do
		if [[ $sha256 != '#'* ]]; then
			install_download "$sha256" "$url" "$ROOT$destination" "$kind"
		fi
	done 3<"$ROOT$conf/downloads.tsv"
	rm -f "$ROOT$state/download"
}

install_download() {
	local sha256=$1 url=$2 destination=$3 kind=$4
	local marker=installed-${destination##*/}-$sha256 file=$ROOT$state/download actual
	if is_marked "$marker"; then
		return
	fi
	log "downloading $url"
	rm -f "$file"
	curl --fail --silent --show-error --location --globoff --proto =https --tlsv1.2 \
		--connect-timeout 30 --retry 5 --retry-connrefused --output "$file" --url "$url"
	actual=$(sha256sum <"$file")
	actual=${actual%% *}
	if [[ $actual != "$sha256" ]]; then
		rm -f "$file"
		die "$url has the SHA-256 hash $actual, and must have $sha256: nothing of it is installed"
	fi
	case $kind in
	program)
		mkdir -p "${destination%/*}"
		install --mode=0755 "$file" "$destination.new"
		mv -f "$destination.new" "$destination"
		;;
	archive)
		mkdir -p "$destination"
		tar --extract --gzip --no-same-owner --no-overwrite-dir --file "$file" --directory "$destination"
		;;
	*)
		die "the kind of download $kind is not known"
		;;
	esac
	# Installed files are on the disk before the marker of the installation.
	sync --file-system "$ROOT$state" "${destination%/*}"
	mark "$marker"
}

start_services() {
	systemctl daemon-reload
	systemctl enable containerd.service kubelet.service
	systemctl restart containerd.service
	if [[ -e $ROOT/etc/systemd/system/mixedkube-network.service ]]; then
		systemctl enable mixedkube-network.service mixedkube-network.path
		systemctl restart mixedkube-network.service mixedkube-network.path
	fi
}

# run_kubeadm puts no secret onto a command line, and lets kubeadm print none.
run_kubeadm() {
	local role config=$ROOT$conf/kubeadm/config.yaml
	read -r role <"$ROOT$conf/role"
	chmod 0600 "$config"
	if [[ -e $ROOT$conf/kubeadm/discovery.yaml ]]; then
		chmod 0600 "$ROOT$conf/kubeadm/discovery.yaml"
	fi
	if [[ -e $ROOT$conf/apiserver/encryption.yaml ]]; then
		chmod 0600 "$ROOT$conf/apiserver/encryption.yaml"
	fi
	if is_marked kubeadm-started; then
		discard_attempt "$role"
	fi
	mark kubeadm-started
	install_certificates
	log "running kubeadm for the role $role"
	case $role in
	init) create_cluster "$config" ;;
	join) kubeadm join --config "$config" ;;
	*) die "the role $role is not known" ;;
	esac
	mark kubeadm-done
}

# install_certificates puts the key pairs that the node was given where kubeadm looks for
# them, as kubeadm would. It is done for each attempt: a reset removes them.
install_certificates() {
	local name to mode
	for name in ca.crt ca.key signer.crt etcd/ca.crt etcd/ca.key front-proxy-ca.crt front-proxy-ca.key sa.pub sa.key; do
		if [[ -e $ROOT$conf/pki/$name ]]; then
			to=$ROOT/etc/kubernetes/pki/$name
			mode=0600
			if [[ $name == *.crt ]]; then
				mode=0644
			fi
			install --directory --mode=0755 "${to%/*}"
			install --mode="$mode" "$ROOT$conf/pki/$name" "$to"
		fi
	done
}

# create_cluster uploads the certificates for further nodes of the control plane if it
# has a key to encrypt them with.
create_cluster() {
	local config=$1 arguments=(--skip-token-print --skip-certificate-key-print)
	if [[ $(<"$config") == *$'\ncertificateKey: '* ]]; then
		arguments+=(--upload-certs)
	fi
	# kubeadm itself calls the endpoint, and no other machine can answer yet.
	start_endpoint
	kubeadm init --config "$config" "${arguments[@]}"
}

# start_endpoint makes the machine answer the endpoint's address, now and after every boot, if
# it is configured to.
start_endpoint() {
	if [[ -e $ROOT$conf/endpoint ]]; then
		systemctl enable mixedkube-endpoint.service
		systemctl restart mixedkube-endpoint.service
	fi
}

# discard_attempt removes what an attempt of kubeadm left that did not end: kubeadm
# refuses to continue with it. A cluster that others may have joined is never removed.
discard_attempt() {
	if [[ $1 == init* ]] && has_etcd_data && ! is_marked kubeadm-reset; then
		check_alone
	fi
	log "discarding an attempt that did not end"
	# A reset that is cut short has ended the API server already: the next one continues without
	# querying it.
	mark kubeadm-reset
	kubeadm reset --force --cri-socket "$socket"
	rm -f "$ROOT$state/kubeadm-reset"
}

has_etcd_data() {
	local member=$ROOT/var/lib/etcd/member
	[[ -d $member && -n $(ls -A "$member") ]]
}

# check_alone ends the script unless the API server reports that no other node exists.
check_alone() {
	local admin=$ROOT/etc/kubernetes/admin.conf answer nodes=()
	# Right after a boot the API server may not run yet.
	local ask='until kubectl --kubeconfig "$0" --request-timeout=10s get nodes --output=name; do sleep 5; done'
	if ! answer=$(timeout 120 bash -c "$ask" "$admin"); then
		die "kubeadm init did not end, etcd has data, and the API server does not answer:" \
			"others may have joined, so the cluster is not created again, and this is tried again;" \
			"if no other machine has ever joined, run \`kubeadm reset --force\` by hand"
	fi
	if [[ -n $answer ]]; then
		mapfile -t nodes <<<"$answer"
	fi
	if ((${#nodes[@]} > 1)); then
		die "kubeadm init did not end, and yet the cluster has ${#nodes[@]} nodes:" \
			"it is not created again; repair it, then create $state/kubeadm-done"
	fi
}

finish() {
	# Its user is in system:masters, whose rights cannot be removed. kubeadm generates it again:
	# kubeadm init phase kubeconfig super-admin.
	rm -f "$ROOT/etc/kubernetes/super-admin.conf"
	if [[ -e $ROOT/etc/systemd/system/mixedkube-renew-certificates.timer ]]; then
		systemctl enable mixedkube-renew-certificates.timer
		systemctl restart mixedkube-renew-certificates.timer
		systemctl enable mixedkube-replace-keys.service
	fi
	# Not before a join has ended: it needs the other nodes, behind the load balancer.
	start_endpoint
	remove_secret
	mark done
	# The other one is not started at the next boot, because of the marker.
	systemctl disable --now mixedkube-bootstrap.path
	systemctl disable mixedkube-bootstrap.service
	log "this machine is a node of the cluster"
}

# remove_secret leaves the key of payloads on machines that get other keys later: anyone who can
# read it there can read the cluster's own keys as well.
remove_secret() {
	rm -rf "$ROOT$conf/pki"
	rm -f "$ROOT$conf/kubeadm/config.yaml" "$ROOT$conf/kubeadm/discovery.yaml"
	if [[ ! -e $ROOT/etc/kubernetes/pki/signer.crt ]]; then
		rm -f "$ROOT$conf/payload.key"
	elif [[ -e $ROOT$conf/payload.key ]]; then
		chmod 0600 "$ROOT$conf/payload.key"
	fi
}

run() {
	if is_marked done; then
		remove_secret
		return
	fi
	check_programs
	prepare_host
	if ! is_marked kubeadm-done; then
		install_downloads
		start_services
		if [[ ! -s $ROOT$conf/kubeadm/config.yaml ]]; then
			log "waiting for $conf/kubeadm/config.yaml: the path unit goes on when it is there"
			return
		fi
		run_kubeadm
	fi
	finish
}

pause_after_failure() {
	local status=$?
	if ((status != 0)); then
		sleep "$PAUSE"
	fi
	exit "$status"
}

main() {
	local out=$ROOT/var/log/mixedkube-bootstrap.log
	trap pause_after_failure EXIT
	# A machine that shuts down does not wait.
	trap 'trap - EXIT; exit 143' TERM
	install --directory --mode=0700 "$ROOT$state"
	if [[ ! -e $out ]]; then
		install --mode=0600 /dev/null "$out"
	fi
	# One at a time, even if someone runs it by hand.
	exec 9>"$ROOT$state/lock"
	flock 9
	# The journal has it as well. Nothing here may be a condition, an || for example:
	# bash would ignore errors in all of run.
	run 2>&1 9>&- | tee -a "$out"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	main
fi
