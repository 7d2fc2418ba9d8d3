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

# The files, encrypted: the only part of this script that differs. Between dots are a
# version, the ciphertext in base64, and the HMAC-SHA256 of both in hex. The plaintext is
# compressed; a line has mode, path and content of a file, the last two in base64.
payload='%PAYLOAD%'

# The key, which cloud-init brings: it is not where this script comes from. A line has the
# key that encrypts, the next the one that authenticates.
key=/etc/mixedkube/payload.key

is_done() {
	[[ -e $ROOT/var/lib/mixedkube/done ]]
}

# has_key is true when cloud-init has written the whole file.
has_key() {
	[[ -e $ROOT$key ]] && { read -r _ && read -r authentication; } <"$ROOT$key"
}

die() {
	echo "error: $*" >&2
	exit 1
}

decode() {
	printf '%s' "$1" | base64 --decode
}

# hmac writes the HMAC-SHA256 (RFC 2104) of its input in hex, with a key of 64 characters,
# the length of a block. No program gets the key as an argument: arguments can be seen by
# everybody on the machine, and audit logs keep them. openssl takes this key no other way.
hmac() {
	local inner='' outer='' code i digest
	for ((i = 0; i < 64; i++)); do
		printf -v code '%d' "'${1:i:1}"
		printf -v inner '%s\\x%02x' "$inner" $((code ^ 0x36))
		printf -v outer '%s\\x%02x' "$outer" $((code ^ 0x5c))
	done
	digest=$({ printf '%b' "$inner" && cat; } | sha256sum)
	for ((i = 0; i < 64; i += 2)); do
		outer+="\\x${digest:i:2}"
	done
	digest=$(printf '%b' "$outer" | sha256sum)
	printf '%s' "${digest%% *}"
}

# decrypt writes the plaintext, if it is one that was encrypted with the machine's key.
decrypt() {
	local signed=${payload%.*} authentication
	has_key
	if [[ $payload != v1.*.* ]]; then
		die "the payload of this script is not of version v1"
	fi
	if [[ $(printf '%s' "$signed" | hmac "$authentication") != "${payload##*.}" ]]; then
		die "the payload of this script was not encrypted with the key in $key, or it was changed:" \
			"nothing of it is written; a machine keeps the customData that it was made with, so make it again"
	fi
	decode "${signed#*.}" |
		openssl enc -d -aes-256-cbc -pbkdf2 -iter 10000 -md sha256 -pass "file:$ROOT$key" |
		gzip --decompress
}

write_files() {
	local lines mode path content
	# Nothing of it is on a disk before it is in its place: a here-string would be.
	lines=$(decrypt)
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
		echo "error: after $LIMIT seconds this machine is not a node of the cluster; it goes on trying"
		echo "The end of /var/log/mixedkube-bootstrap.log:"
		tail --lines=20 "$ROOT/var/log/mixedkube-bootstrap.log" || true
		systemctl status --no-pager --lines=0 mixedkube-bootstrap.service mixedkube-bootstrap.path || true
	} >&2
	exit 1
}

# remove_copy removes this script where it is the copy that Azure's extension has made,
# which runs it once.
remove_copy() {
	if [[ ${BASH_SOURCE[0]:-} == */waagent/custom-script/download/*/script.sh ]]; then
		rm -f "${BASH_SOURCE[0]}"
	fi
}

main() {
	local authentication
	# Nobody else reads what is written, nor opens a folder that is made for it.
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
