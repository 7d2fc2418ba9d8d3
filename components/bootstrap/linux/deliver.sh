#!/bin/bash
# Writes files of a node that cloud-init did not bring, the configuration of kubeadm last,
# for which the bootstrap waits; then waits itself until the machine is a node. It may be
# run again: on a node it writes nothing.
set -euo pipefail

# The folder that stands for /: only tests change it.
ROOT=
# The seconds after which it gives up, and between two looks.
LIMIT=1800
PAUSE=5

# The files, compressed, in base64: the only part of this script that differs. A line has
# mode, path and content of a file, the last two in base64.
payload='%PAYLOAD%'

is_done() {
	[[ -e $ROOT/var/lib/mixedkube/done ]]
}

decode() {
	printf '%s' "$1" | base64 --decode
}

write_files() {
	local lines mode path content
	# Nothing of it is on a disk before it is in its place: a here-string would be.
	lines=$(decode "$payload" | gzip --decompress)
	while read -r -u 3 mode path content; do
		path=$(decode "$path")
		write_file "$mode" "$ROOT$path" "$content"
	done 3< <(printf '%s' "$lines${lines:+$'\n'}")
}

# write_file writes beside the file's place first, so that it is there as a whole or not
# at all, also after a power failure.
write_file() {
	local mode=$1 path=$2 content=$3
	mkdir -p "${path%/*}"
	decode "$content" >"$path.new"
	chmod "$mode" "$path.new"
	sync "$path.new"
	mv -f "$path.new" "$path"
	sync "${path%/*}"
}

wait_until_done() {
	while ! is_done; do
		if ((SECONDS >= LIMIT)); then
			give_up
		fi
		sleep "$PAUSE"
	done
}

# give_up says as much as may help. The log has no secret.
give_up() {
	{
		echo "error: after $LIMIT seconds this machine is not a node of the cluster; it goes on trying"
		echo "The end of /var/log/mixedkube-bootstrap.log:"
		tail --lines=20 "$ROOT/var/log/mixedkube-bootstrap.log" || true
		systemctl status --no-pager --lines=0 mixedkube-bootstrap.service mixedkube-bootstrap.path || true
	} >&2
	exit 1
}

main() {
	# Nobody else reads what is written, nor opens a folder that is made for it.
	umask 0077
	if ! is_done; then
		write_files
		wait_until_done
	fi
	echo "this machine is a node of the cluster"
}

# Also where it comes from the standard input.
if [[ ${BASH_SOURCE[0]:-$0} == "$0" ]]; then
	main
fi
