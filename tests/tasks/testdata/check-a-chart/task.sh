# A repository has the chart charts/orders, and nodes.json from `kubectl get nodes -o json`. CI shall check the chart.
set -eu

# docs/ci.md, "Before you start": the topology of the cluster.
mixedkube topology nodes.json > cluster.yaml
cat cluster.yaml

# docs/ci.md, "GitHub Actions": the workflow.
mkdir -p .github/workflows
cat > .github/workflows/manifests.yaml <<'YAML'
name: manifests
on:
  push: { branches: [main] }
  pull_request:
permissions:
  contents: read
  security-events: write
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: mixedkube/mixedkube@v0.1.0
        with:
          topology: cluster.yaml
          paths: charts/orders
          reports: sarif=manifests.sarif
      - uses: github/codeql-action/upload-sarif@v4
        if: always() && hashFiles('manifests.sarif') != ''
        with:
          sarif_file: manifests.sarif
YAML

# docs/ci.md, "Another pipeline": the same step here. No release is published, so a mirror has this mixedkube:
# a server of files, of which MIRROR is the address, has the directory mirror.
mkdir -p mirror/v0.1.0
platform="$(go env GOOS)_$(go env GOARCH)"
tar -czf "mirror/v0.1.0/mixedkube_0.1.0_$platform.tar.gz" -h -C "$(dirname "$(command -v mixedkube)")" mixedkube
(cd mirror/v0.1.0 && sha256sum ./*.tar.gz | sed 's| \./| |' > checksums.txt)
export MIXEDKUBE_RELEASES="$MIRROR" MIXEDKUBE_CACHE="$PWD/cache"
step() { sh "$MIXEDKUBE_CHECKOUT/ci/check.sh" --topology cluster.yaml --report sarif=manifests.sarif charts/orders; }

# docs/stability.md, "Exit codes": 1 means errors in the manifests.
code=0
step || code=$?
echo "exit code $code"
grep '"ruleId"' manifests.sarif

# docs/rules: MK303 wants a toleration, and MK121 a user with a name. docs/identity.md: ContainerUser has few rights.
sed -i -e 's|^\( *\)runAsUser: .*|\1windowsOptions: {runAsUserName: {{ .Values.user }}}|' \
  -e 's|^\( *\)  kubernetes.io/os: windows$|&\n\1tolerations:\n\1  - {key: os, value: windows, effect: NoSchedule}|' \
  charts/orders/templates/orders.yaml
sed -i 's/^user: .*/user: ContainerUser/' charts/orders/values.yaml
step
