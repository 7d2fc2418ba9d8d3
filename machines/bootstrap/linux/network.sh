#!/bin/bash
# Lets the pods of this node reach those of others, at each boot: routes to their ranges,
# and the node's address for what leaves the cluster. The text is the same on every node;
# the files below /etc/mixedkube/network are data.
set -euo pipefail

# The directory that stands for /: only tests change it.
ROOT=
# Routes with this number belong to this script. The number is not assigned to another program
# (https://github.com/iproute2/iproute2/blob/main/etc/iproute2/rt_protos).
protocol=117

# apply_routes sets the routes that are in the list, and removes those that no longer are.
apply_routes() {
	local destination next_hop rest present
	local -A wanted=()
	while IFS=$'\t' read -r -u 3 destination next_hop; do
		if [[ $destination != '#'* ]]; then
			ip -4 route replace "$destination" via "$next_hop" proto "$protocol"
			wanted[$destination]=yes
		fi
	done 3<"$ROOT/etc/mixedkube/network/routes.tsv"
	present=$(ip -4 route show proto "$protocol")
	while read -r destination rest; do
		if [[ -n $destination && -z ${wanted[$destination]:-} ]]; then
			ip -4 route del "$destination" proto "$protocol"
		fi
	done <<<"$present"
}

# apply_masquerade replaces our own table as a whole, and no other.
apply_masquerade() {
	nft --file "$ROOT/etc/mixedkube/network/masquerade.nft"
}

main() {
	apply_routes
	apply_masquerade
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	main
fi
