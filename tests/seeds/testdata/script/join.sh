#!/bin/sh
# Runs `mixedkube join --network "$1" machines.yaml` with stand-ins for the token, the key and the hashes that only the
# publishers of the downloads know: nothing is downloaded here. The other arguments are passed on. MACHINES names
# another file than machines.yaml.
set -eu
umask 077
network=$1
shift
echo seeds1.0123456789abcdef > token
head -c 32 /dev/zero | base64 > key
join() {
	mixedkube join --network "$network" --token-file token --encryption-key-file key "$@" "${MACHINES:-machines.yaml}"
}
join "$@" 2>&1 | grep -o 'https://[^ ,]*$' | sed -E 's/\.sha256(sum)?$//' |
	while read -r url; do printf '%064d  %s\n' 0 "$url"; done > hashes
join --hashes hashes "$@"
