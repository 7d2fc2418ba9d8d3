#!/bin/bash
# What deliver.sh and deliver-keys.sh have in common: this text is put in place of the line
# that sources it, as each comes onto the machine as one text.

# The key, which cloud-init brings: it is not where this script comes from. A line has the
# key that encrypts, the next the one that authenticates.
key=/etc/mixedkube/payload.key

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
# everyone on the machine, and audit logs keep them. openssl takes this key no other way.
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
			"nothing of it is written; a machine keeps the customData that it was created with, so create it again"
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

# write_file first writes next to the file's place, so that the file is complete or missing,
# even after a power failure.
write_file() {
	local mode=$1 path=$2 content=$3
	mkdir -p "${path%/*}"
	decode "$content" >"$path.new"
	chmod "$mode" "$path.new"
	sync "$path.new"
	mv -f "$path.new" "$path"
	sync "${path%/*}"
}
