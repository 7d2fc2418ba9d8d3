#!/bin/bash
# Makes `pulumi preview` of a TypeScript program stop what goes wrong on the nodes of its cluster.
set -eu

# docs/command.md, "mixedkube topology": a PATH is a file with nodes, as `kubectl get nodes -o json` prints them.
mixedkube topology nodes.json > cluster.yaml
cat cluster.yaml

# docs/guard.md, "Check a program in any language": write the policy pack, and use it.
mixedkube policy new --topology cluster.yaml policy
export PATH="$PWD/policy:$PATH"
if pulumi preview --policy-pack policy; then
	echo "the preview passes a program with mistakes" >&2
	exit 1
fi

# docs/rules/README.md, or `mixedkube explain`: why the rules matter, and the right manifest.
mixedkube explain MK118 MK306

# Mend the program by the fixes in the findings.
sed -i -e 's/value: "Windows"/value: "windows"/' -e '/securityContext: { fsGroup: 2000 },/d' index.ts
pulumi preview --policy-pack policy
