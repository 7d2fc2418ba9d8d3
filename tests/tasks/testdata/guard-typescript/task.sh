# Makes `pulumi preview` of a TypeScript program stop what goes wrong on the nodes of its cluster.
set -eu

# docs/command.md, "mixedkube topology": a PATH is a file with nodes, as `kubectl get nodes -o json` prints them.
mixedkube topology nodes.json > cluster.yaml

# docs/guard.md, "Check a program in any language": write the policy pack, install and use it. The program stays as
# it is.
mixedkube policy new --topology cluster.yaml policy
pulumi plugin install analyzer policy-mixedkube 0.1.0 --file "$(command -v mixedkube)"
if pulumi preview --policy-pack policy; then
	echo "expected errors" >&2
	exit 1
fi

# docs/guard.md, "Guard a Go program": `mixedkube explain` shows a rule in the terminal, with a right manifest.
mixedkube explain MK105 MK306

# Each finding ends with its fix and its rule: MK306, MK507, MK105.
sed -i -e 's/value: "Windows"/value: "windows"/' -e '/securityContext: { fsGroup: 2000 },/d' \
	-e 's/^\( *\)nodeSelector:/\1os: { name: "windows" },\n&/' index.ts

# docs/guard.md, "Check a program in any language": the preview ends with the pools where the pods can land.
pulumi preview --policy-pack policy
