#!/bin/bash
set -eu
mixedkube topology nodes.json > cluster.yaml
mixedkube policy new --topology cluster.yaml policy
export PATH="$PWD/policy:$PATH"
pulumi preview --policy-pack policy
