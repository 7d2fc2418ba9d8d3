#!/bin/bash
# Stands for the programs that renew-certificates.sh runs, and for the kubelet: when a
# manifest changes, the process of its component is another one. At the call with the
# number CRASH the power fails.
set -euo pipefail

name=${0##*/}
manifests=$FAKE_ROOT/etc/kubernetes/manifests

echo "$name $*" >>"$FAKE/calls"
if [[ $(wc --lines <"$FAKE/calls") == "${CRASH:-}" ]]; then
	kill -KILL 0
	sleep 60
fi

# start_component replaces its process, as the kernel shows it.
start_component() {
	local component=$1 file
	for file in "$FAKE_ROOT"/proc/*/comm; do
		if [[ $(<"$file") == "${component:0:15}" ]]; then
			rm -r "${file%/comm}"
		fi
	done
	file=$FAKE_ROOT/proc/$(($(<"$FAKE/process") + 1))
	mkdir "$file"
	echo "${file##*/}" >"$FAKE/process"
	echo "${component:0:15}" >"$file/comm"
	echo "restarted $component" >>"$FAKE/calls"
}

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
esac
