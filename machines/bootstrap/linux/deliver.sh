#!/bin/bash
# Writes files of a node that cloud-init did not bring, the configuration of kubeadm last,
# for which the bootstrap waits; then waits itself until the machine is a node. It may be
# run again: on a node it writes nothing.
set -euo pipefail

# The directory that stands for /: only tests change it.
ROOT=
# The seconds after which it gives up, and between two looks.
LIMIT=1800
PAUSE=5

# The files, encrypted: the only part of this script that differs. Between dots are a
# version, the ciphertext in base64, and the HMAC-SHA256 of both in hex. The plaintext is
# compressed; a line has mode, path and content of a file, the last two in base64.
payload='%PAYLOAD%'

source payload.sh

is_done() {
	[[ -e $ROOT/var/lib/mixedkube/done ]]
}

wait_until() {
	until "$1"; do
		if ((SECONDS >= LIMIT)); then
			give_up
		fi
		sleep "$PAUSE"
	done
}

# give_up says as much as may help. The log has no secret.
give_up() {
	{
		if ! has_key; then
			die "after $LIMIT seconds cloud-init has not written $key, which this script decrypts its files with:" \
				"see /var/log/cloud-init.log"
		fi
		echo "error: after $LIMIT seconds this machine is not a node of the cluster; it keeps trying"
		echo "The end of /var/log/mixedkube-bootstrap.log:"
		tail --lines=20 "$ROOT/var/log/mixedkube-bootstrap.log" || true
		systemctl status --no-pager --lines=0 mixedkube-bootstrap.service mixedkube-bootstrap.path || true
	} >&2
	exit 1
}

# remove_copy removes this script where it is the copy that Azure's extension has created,
# which runs it once.
remove_copy() {
	if [[ ${BASH_SOURCE[0]:-} == */waagent/custom-script/download/*/script.sh ]]; then
		rm -f "${BASH_SOURCE[0]}"
	fi
}

main() {
	local authentication
	# No other user can read the written files, or open a directory that is created for them.
	umask 0077
	if ! is_done; then
		wait_until has_key
		write_files
		wait_until is_done
	fi
	remove_copy
	echo "this machine is a node of the cluster"
}

# Also where it comes from the standard input.
if [[ ${BASH_SOURCE[0]:-$0} == "$0" ]]; then
	main
fi
