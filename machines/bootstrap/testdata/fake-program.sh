#!/bin/bash
# Stands for a program that the scripts run: each link to it is one. It notes the call,
# does as little as the program would, and at the call with the number CRASH the power
# fails: everything is killed.
set -euo pipefail

name=${0##*/}

checkpoint() {
	local count
	count=$(($(<"$FAKE/count") + 1))
	echo "$count" >"$FAKE/count"
	if [[ $count == "${CRASH:-}" ]]; then
		kill -KILL 0
		sleep 60
	fi
}

# refuse_leftovers is what kubeadm does before it begins.
refuse_leftovers() {
	if [[ -e $FAKE_ROOT/etc/kubernetes/$1 ]]; then
		echo "[ERROR] /etc/kubernetes/$1 already exists" >&2
		exit 1
	fi
}

# call_endpoint fails where kubeadm could not reach the endpoint: a machine that has its
# address reaches only itself.
call_endpoint() {
	local has=no
	if [[ -e $FAKE/address ]]; then
		has=yes
	fi
	if [[ -e $FAKE_ROOT/etc/mixedkube/endpoint && $has != "$1" ]]; then
		echo "nobody answers the endpoint's address" >&2
		exit 1
	fi
}

# want_certificates fails where the node was given certificates, and kubeadm finds none.
want_certificates() {
	local want=$FAKE/certificates
	if [[ -e $want ]] && ! diff --recursive "$want" "$FAKE_ROOT/etc/kubernetes/pki" >&2; then
		echo "the certificates are others" >&2
		exit 1
	fi
}

# check_discovery fails where kubeadm would not find the cluster by the file that the
# configuration names, or where others could read the token.
check_discovery() {
	local file ca
	file=$(sed -n 's/^    kubeConfigPath: //p' "$FAKE_ROOT/etc/mixedkube/kubeadm/config.yaml")
	if [[ -z $file ]]; then
		return
	fi
	ca=$(sed -n 's/^      certificate-authority: //p' "$FAKE_ROOT$file")
	if [[ ! -s $FAKE_ROOT$ca || $(stat --format=%a "$FAKE_ROOT$file") != 600 ]]; then
		echo "the discovery file is not right" >&2
		exit 1
	fi
}

if [[ $name == sync ]]; then
	# It is slow, and a power failure that only kills needs none.
	exit
fi
checkpoint
echo "$name $*" >>"$FAKE/calls"
case $name in
curl)
	while (($# > 0)); do
		case $1 in
		--output) out=$2 ;;
		--url) url=$2 ;;
		esac
		shift
	done
	cp "$FAKE/web/${url##*/}" "$out"
	;;
kubeadm)
	if [[ -e $FAKE/kubeadm-fails ]]; then
		echo "kubeadm fails" >&2
		exit 1
	fi
	case $1 in
	init)
		refuse_leftovers manifests
		want_certificates
		call_endpoint yes
		mkdir -p "$FAKE_ROOT/etc/kubernetes/manifests"
		checkpoint
		echo "apiVersion: v1" >"$FAKE_ROOT/etc/kubernetes/super-admin.conf"
		echo "apiVersion: v1" >"$FAKE_ROOT/etc/kubernetes/admin.conf"
		mkdir -p "$FAKE_ROOT/var/lib/etcd/member/snap"
		echo "node/cp-1" >"$FAKE/nodes"
		;;
	join)
		refuse_leftovers kubelet.conf
		check_discovery
		want_certificates
		call_endpoint no
		mkdir -p "$FAKE_ROOT/etc/kubernetes"
		echo "apiVersion: v1" >"$FAKE_ROOT/etc/kubernetes/kubelet.conf"
		;;
	reset)
		# The API server is gone before its data are.
		rm -f "$FAKE/nodes"
		rm -rf "$FAKE_ROOT/etc/kubernetes" "$FAKE_ROOT/var/lib/etcd"
		;;
	esac
	checkpoint
	;;
kubectl)
	if [[ ! -e $FAKE/nodes ]]; then
		exit 1
	fi
	cat "$FAKE/nodes"
	;;
systemctl)
	units=$FAKE_ROOT/etc/systemd/system
	case $* in
	"enable mixedkube-endpoint.service")
		mkdir -p "$units/multi-user.target.wants"
		ln -sf ../mixedkube-endpoint.service "$units/multi-user.target.wants"
		;;
	"restart mixedkube-endpoint.service") echo "$(<"$FAKE_ROOT/etc/mixedkube/endpoint")" >"$FAKE/address" ;;
	esac
	;;
ip)
	if [[ "$*" == *" show "* && -e $FAKE/routes ]]; then
		cat "$FAKE/routes"
	fi
	;;
timeout)
	shift
	exec /usr/bin/timeout 0.5 "$@"
	;;
install | mv | rm | tar) "/usr/bin/$name" "$@" ;;
esac
