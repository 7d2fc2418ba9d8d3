#!/bin/bash
# Brings other keys of the cluster onto a machine of its control plane and has them installed.
# They are in the environment, encrypted: this text is the same for every machine. It may be
# run again.
set -euo pipefail

# The directory that stands for /: only tests change it.
ROOT=

payload=${MIXEDKUBE_PAYLOAD:-}
unset MIXEDKUBE_PAYLOAD

source payload.sh

new=/etc/mixedkube/new-keys

# receive_keys first writes the directory next to its place, so that it is complete or missing:
# nothing reads it before. A run of replace-keys.sh that is under way has ended before.
receive_keys() {
	exec 9>"$ROOT/var/lib/mixedkube/control-plane.lock"
	flock 9
	rm -rf "$ROOT$new.part"
	write_files
	rm -rf "$ROOT$new"
	mv "$ROOT$new.part" "$ROOT$new"
	sync "$ROOT${new%/*}"
	exec 9>&-
}

main() {
	local authentication
	# No other user can read the written files, or open a directory that is created for them.
	umask 0077
	if ! has_key; then
		die "there is no $key on this machine: it was not created with keys that can be replaced"
	fi
	receive_keys
	"$ROOT/opt/mixedkube/replace-keys.sh"
}

# Also where it comes from the standard input.
if [[ ${BASH_SOURCE[0]:-$0} == "$0" ]]; then
	main
fi
