# A Job was applied, and no pod appears. events.txt is what kubectl says, and nodes.json what the cluster's nodes are.
set -eu

# docs/troubleshooting.md, "The pod does not exist, or is Pending", has the words of the event.
grep 'cannot be set for a windows pod' events.txt

# docs/troubleshooting.md, "First look": all mistakes at once. docs/command.md, "mixedkube topology": from a file.
mixedkube topology nodes.json > cluster.yaml
code=0
mixedkube check --topology cluster.yaml job.yaml || code=$?
echo "exit code $code"

# Why, and where the rules come from.
mixedkube explain MK118 | sed '/^Wrong:/,$d'
mixedkube explain MK306 | sed '/^Wrong:/,$d'

# With only the first mistake fixed, the pod would be created and stay pending. docs/map.md, "Read the map": why.
sed '/securityContext:/,/fsGroup:/d' job.yaml > first.yaml
mixedkube map --topology cluster.yaml --out pending.svg first.yaml
grep -o 'its taint os=windows:NoSchedule is not tolerated[^<]*' pending.svg

# The fixes of both findings. Warnings would fail this check, too.
sed 's/value: Windows/value: windows/' first.yaml > fixed.yaml
mixedkube check --topology cluster.yaml --strict fixed.yaml
mixedkube map --topology cluster.yaml fixed.yaml
