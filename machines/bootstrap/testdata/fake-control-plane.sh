#!/bin/bash
# Stands for the programs that renew-certificates.sh and replace-keys.sh run, and for the
# kubelet: when a manifest changes, the process of its component is another one, and has the
# files of this moment in memory. At the call with the number CRASH the power fails.
set -euo pipefail

name=${0##*/}
etc=$FAKE_ROOT/etc/kubernetes
manifests=$etc/manifests

checkpoint() {
	if [[ $(wc --lines <"$FAKE/calls") == "${CRASH:-}" ]]; then
		kill -KILL 0
		sleep 60
	fi
}

# load notes what a component has in memory.
load() {
	local memory=$FAKE/memory/$1
	/usr/bin/rm -rf "$memory"
	mkdir -p "$memory"
	/usr/bin/cp -R "$etc/pki" "$etc"/*.conf "$FAKE_ROOT/etc/mixedkube/apiserver/encryption.yaml" "$memory"
	/usr/bin/cp "$FAKE_ROOT/var/lib/kubelet/pki/kubelet-client-current.pem" "$memory"
}

# start_component replaces its process, as the kernel shows it.
start_component() {
	local component=$1 file
	load "$component"
	for file in "$FAKE_ROOT"/proc/*/comm; do
		if [[ $(<"$file") == "${component:0:15}" ]]; then
			/usr/bin/rm -r "${file%/comm}"
		fi
	done
	file=$FAKE_ROOT/proc/$(($(<"$FAKE/process") + 1))
	mkdir "$file"
	echo "${file##*/}" >"$FAKE/process"
	echo "${component:0:15}" >"$file/comm"
	echo "restarted $component" >>"$FAKE/calls"
}

# sign makes a key, and a certificate that an authority has signed, as kubeadm does: not at
# once.
sign() {
	local ca=$1 file=$2 subject=$3
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$file.key" 2>>"$FAKE/openssl"
	echo "kubeadm has written $file.key" >>"$FAKE/calls"
	checkpoint
	openssl req -new -key "$file.key" -subj "$subject" 2>>"$FAKE/openssl" |
		openssl x509 -req -CA "$ca.crt" -CAkey "$ca.key" -set_serial 7 -days 2 -out "$file.crt" 2>>"$FAKE/openssl"
}

renew() {
	local file=$1 pki=$2
	case $1 in
	etcd-*) file=etcd/${1#etcd-} ;;
	esac
	case $1 in
	etcd-* | *-etcd-client) sign "$pki/etcd/ca" "$pki/$file" "/CN=$1" ;;
	front-proxy-client) sign "$pki/front-proxy-ca" "$pki/$file" "/CN=$1" ;;
	*) sign "$pki/ca" "$pki/$file" "/CN=$1" ;;
	esac
}

# renew_all leaves the first authority only in a kubeconfig.
renew_all() {
	local first
	first=$(openssl x509 -in "$etc/pki/ca.crt" | base64 --wrap=0)
	sed -i "s/^    certificate-authority-data: .*/    certificate-authority-data: $first/" "$etc/scheduler.conf"
}

# user shows a kubeconfig.
user() {
	local subject='' pki=$1 made=$FAKE/made-user
	shift
	while (($# > 0)); do
		case $1 in
		--client-name) subject+=/CN=$2 ;;
		--org) subject+=/O=$2 ;;
		esac
		shift 2
	done
	sign "$pki/ca" "$made" "$subject"
	printf 'users:\n- name: user\n  user:\n    client-certificate-data: %s\n    client-key-data: %s\n' \
		"$(base64 --wrap=0 "$made.crt")" "$(base64 --wrap=0 "$made.key")"
}

echo "$name $*" >>"$FAKE/calls"
checkpoint
case $name in
curl)
	url=${!#}
	if [[ -e $FAKE/unhealthy && $url == *$(<"$FAKE/unhealthy")* ]]; then
		exit 22
	fi
	;;
kubeadm)
	if [[ -e $FAKE/kubeadm-fails ]]; then
		exit 1
	fi
	pki=
	for ((i = 1; i < $#; i++)); do
		if [[ ${!i} == --config ]]; then
			j=$((i + 1))
			pki=$(sed -n 's/^certificatesDir: //p' "${!j}")
		fi
	done
	case "$1 ${2:-}" in
	"version "*) echo v1.36.3 ;;
	"certs renew")
		if [[ $3 == all ]]; then
			renew_all
		else
			renew "$3" "$pki"
		fi
		;;
	"kubeconfig user") user "$pki" "${@:3}" ;;
	esac
	;;
kubectl)
	case $* in
	*" get configmap cluster-info "*) cat "$FAKE/cluster-info" ;;
	esac
	;;
systemctl)
	if [[ $* == "restart kubelet.service" ]]; then
		load kubelet
	fi
	;;
mv)
	/usr/bin/mv "$@"
	component=${!#}
	component=${component##*/}
	component=${component%.yaml}
	if [[ ! -e $FAKE/kubelet-sleeps && ${!#} == "$manifests"/* ]]; then
		start_component "$component"
	fi
	;;
cp | ln | rm) "/usr/bin/$name" "$@" ;;
esac
