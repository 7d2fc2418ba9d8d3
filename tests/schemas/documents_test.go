package schemas

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// fromYAML returns a text in the form that the decoders and the validator read.
func fromYAML(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// fullTopology has all keys that a topology can have.
const fullTopology = `
kubernetesVersion: "1.36"
cloud: gke
missingFeatures: [load-balancers]
matching: relaxed
pools:
  - {name: sys, platform: linux, mode: System, count: 3, size: n2-standard-4, zones: ["1"], taints: ["a:NoExecute"]}
  - name: win22
    platform: Windows2022
    mode: User
    count: 2
    autoscaling: {min: 1, max: 5}
    size: n2-standard-8
    osDiskSizeGB: 100
    osDiskType: Managed
    zones: [europe-west1-b]
    spot: true
    spotMaxPrice: 0.5
    fips: true
    disableOutboundNAT: true
    maxPods: 30
    reserved: {cpu: 500m, memory: 2Gi}
    reported: {architecture: amd64, capacity: {cpu: "8", memory: 32Gi}, osVersion: 10.0.20348.2340}
    upgrade: {maxSurge: 1, maxUnavailable: 33%, drainTimeoutMinutes: 5, nodeSoakMinutes: 1}
    kubernetesVersion: "1.35"
    labels: {team: web}
    taints: ["os=windows:NoSchedule"]
  - {name: win25, platform: windows-2025, untainted: true, empty: true}
`

// fullConfig has all keys that a configuration can have.
var fullConfig = `
topology:` + strings.ReplaceAll(fullTopology, "\n", "\n  ") + `
ignore: [{rules: [MK118], namespaces: [legacy], resources: ["Job/*"], reason: later}]
severities: {MK111: warning, MK702: info}
exclude: [/samples/, "*.tmpl.yaml"]
`

// fullMachines has all keys that a description of machines can have, and those of its topology and of a program once.
var fullMachines = `
topology:` + strings.ReplaceAll(fullTopology, "\n", "\n  ") + `
network:
  kind: flannel-vxlan
  nodeCIDR: 192.168.10.0/24
  podCIDR: 10.244.0.0/16
  serviceCIDR: 10.96.0.0/12
  nodeMaskSize: 24
  dnsServiceIP: 10.96.0.10
  blockedEgress: [{cidr: 192.0.2.1/32, tcpPorts: [80]}]
  withoutWindowsACLs: true
nodes: [{name: a, pool: sys, address: 192.168.10.10, podCIDR: 10.244.1.0/24, controlPlane: true}]
endpoint: api.example.com:6443
localEndpoint: true
apiServer: {podSecurity: baseline, certSANs: [api.example.com]}
kubelet: {win22: {systemReserved: {cpu: 200m}}}
releases:
  kubernetes: [{version: 1.36.3, kubelet: {windows: {url: https://example.com/kubelet.exe, sha256: a}}}]
  containerd: {version: 2.3.7, linux: {sha256: a}, windows: {sha256: b}}
  runc: {version: 1.4.4}
  cniPlugins: {version: 1.9.2}
  flannel: {windows: {url: https://example.com/flanneld.exe}}
  flannelPlugin: {}
  pauseImage: registry.example.com/pause:3.10.2
`

// readFile reads a file of the repository.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// acceptedByBoth returns documents that both the decoder and the schema accept.
func acceptedByBoth(t *testing.T) map[string][]any {
	t.Helper()
	all := map[string][]any{
		"topology.json": {
			fromYAML(t, fullTopology),
			fromYAML(t, "pools: [{name: a, platform: LTSC2022}, {name: b, platform: linux}]"),
			fromYAML(t, "pools: [{name: a, platform: LINUX}, {name: b, platform: '1809'}, {name: c, platform: "+
				"'Windows Server 2022 Datacenter'}, {name: d, platform: windows-ltsc2025}, {name: e, platform: "+
				"10.0.20348.1}]"),
			fromYAML(t, "pools: [{name: a, platform: linux, count: 1, osDiskType: Ephemeral, taints: ['a:NoExecute']}"+
				"]"),
			fromYAML(t, "pools: [{name: a, platform: linux, taints: ['a=:PreferNoSchedule', 'a=b:NoSchedule']}]"),
			fromYAML(t, "pools: [{name: a, platform: linux, reserved: {cpu: '.5', memory: '1e3'}}]"),
			fromYAML(t, "{cloud: eks, matching: strict, pools: [{name: a, platform: linux}], missingFeatures: ["+
				strings.Join(names(topology.Features()), ", ")+"]}"),
		},
		"config.json": {
			fromYAML(t, fullConfig), fromYAML(t, "{}"), fromYAML(t, "topology: cluster.yaml"),
			fromYAML(t, "{topology: null, ignore: null, severities: {}, exclude: []}"),
			fromYAML(t, "ignore: [{namespaces: [a]}]"),
		},
		"machines.json": {
			fromYAML(t, fullMachines), fromYAML(t, machinesWith("nodes: [{}]\nreleases: {pauseImage: a/b:c}")),
			fromYAML(t, string(readFile(t, "internal/cli/testdata/join/machines.yaml"))),
		},
	}
	for name, pattern := range map[string]string{
		"topology.json": "internal/core/preflight/examples/*/topology.yaml", "stack.json": "stacks/Pulumi.*.yaml",
	} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) < 3 {
			t.Fatalf("%d files %s, %v", len(files), pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			value := fromYAML(t, string(text))
			if config, ok := value.(map[string]any)["config"].(map[string]any); ok && name == "stack.json" {
				config[stackconfig.KeyWindowsPassword] = map[string]any{"secure": "v1:abc"}
			}
			all[name] = append(all[name], value)
		}
	}
	return all
}
