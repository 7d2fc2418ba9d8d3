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
		mkdir -p "$FAKE_ROOT/etc/kubernetes/manifests"
		checkpoint
		echo "apiVersion: v1" >"$FAKE_ROOT/etc/kubernetes/admin.conf"
		mkdir -p "$FAKE_ROOT/var/lib/etcd/member/snap"
		echo "node/cp-1" >"$FAKE/nodes"
		;;
	join)
		refuse_leftovers kubelet.conf
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
