#!/bin/bash
# Lets this machine answer the address of the API server's endpoint itself, at each boot:
# its load balancer does not send a packet back to the machine that it came from. The text
# is the same on every node; /etc/mixedkube/endpoint is data.
set -euo pipefail

# The directory that stands for /: only tests change it.
ROOT=

main() {
	local address
	read -r address <"$ROOT/etc/mixedkube/endpoint"
	ip address replace "$address/32" dev lo
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	main
fi
